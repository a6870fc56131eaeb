package table

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// ParseSchema reads names and types of columns as they stand in a table
// definition: `id bigint, "day of trade" date, price decimal(10,2)`. Names
// follow GRAM-10a; one in quotation marks keeps its spelling. Errors have rule
// DATA-1 or, for a type, TYPE-1, and a place in s.
func ParseSchema(s string) ([]Field, error) {
	var fields []Field
	seen := map[string]string{}
	for at := 0; ; {
		end := schemaEnd(s, at)
		f, spelled, err := parseField(s, at, end)
		if err != nil {
			return nil, err
		}
		if other, ok := seen[f.Name]; ok {
			return nil, doubledName(other, spelled, f.Name).At(diag.Locate(s, at)).In(s)
		}
		seen[f.Name] = spelled
		fields = append(fields, f)
		if end == len(s) {
			return fields, nil
		}
		at = end + 1
	}
}

// schemaEnd returns the place of the comma that ends the field at a place, or
// the end of s. Commas in parentheses and in quoted names do not count.
func schemaEnd(s string, at int) int {
	depth, quoted := 0, false
	for ; at < len(s); at++ {
		switch c := s[at]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			return at
		}
	}
	return at
}

func parseField(s string, at, end int) (f Field, spelled string, err error) {
	for at < end && isBlank(s[at]) {
		at++
	}
	fail := func(at int, format string, args ...any) error {
		return diag.New(diag.Semantic, "DATA-1", diag.Locate(s, at), "schema: "+format, args...).In(s).
			WithHint("write name and type of each column, as in: id bigint, price decimal(10,2), day date")
	}
	if at == end {
		return f, "", fail(at, "a column is missing")
	}
	start := at
	if s[at] == '"' {
		var name strings.Builder
		for at++; ; at++ {
			if at >= end {
				return f, "", fail(start, "a quotation mark is never closed")
			}
			if s[at] == '"' {
				if at++; at >= end || s[at] != '"' {
					break
				}
			}
			name.WriteByte(s[at])
		}
		f.Name = name.String()
	} else {
		for at < end && !isBlank(s[at]) {
			at++
		}
		f.Name = FoldName(s[start:at])
	}
	spelled = s[start:at]
	typeName := strings.TrimSpace(s[at:end])
	switch {
	case f.Name == "":
		return f, "", fail(start, "a column has an empty name")
	case typeName == "":
		return f, "", fail(at, "column %s has no type", spelled)
	}
	if f.Type, err = value.ParseType(typeName); err != nil {
		e := *diag.From(err)
		e.Pos, e.Source = diag.Locate(s, end-len(strings.TrimLeft(s[at:end], " \t\r\n"))), s
		return f, "", &e
	}
	return f, spelled, nil
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// declared makes a column of a type that the schema gives. Blanks around a
// text that is not a character string do not count.
func (f *filler) declared(t value.Type) *fieldError {
	ok := true
	switch t.Kind {
	case value.Boolean:
		ok = f.ints(t, trimmed(parseBool))
	case value.Smallint:
		ok = f.ints(t, wholeIn(math.MinInt16, math.MaxInt16))
	case value.Integer:
		ok = f.ints(t, wholeIn(math.MinInt32, math.MaxInt32))
	case value.Bigint:
		ok = f.ints(t, wholeIn(math.MinInt64, math.MaxInt64))
	case value.Date:
		ok = f.ints(t, trimmed(parseDate))
	case value.Time:
		ok = f.ints(t, withFraction(parseTime, t.Precision))
	case value.Timestamp:
		ok = f.ints(t, withFraction(parseStamp, t.Precision))
	case value.Double:
		ok = f.floats(t, declaredFloat)
	case value.Real:
		ok = f.floats(t, func(b []byte) (float64, bool) {
			x, ok := declaredFloat(b)
			r := float64(float32(x))
			return r, ok && math.IsInf(r, 0) == math.IsInf(x, 0)
		})
	case value.Decimal:
		ok = f.declaredDecimals(t)
	case value.Varchar, value.Char:
		if t.Kind == value.Varchar && t.Precision == 0 {
			f.strings(t)
			return nil
		}
		ok = f.values(t, func(b []byte) (value.Value, bool) { return value.String(string(b)), true })
	case value.Binary:
		ok = f.values(t, func(b []byte) (value.Value, bool) {
			x, err := hex.AppendDecode(nil, bytes.TrimSpace(b))
			return value.Bytes(x), err == nil
		})
	case value.Array:
		ok = f.values(t, func(b []byte) (value.Value, bool) {
			v, err := value.FromJSON(b, t)
			return v, err == nil
		})
	default: // intervals
		ok = f.values(t, func(b []byte) (value.Value, bool) {
			v, err := value.Cast(value.String(string(bytes.TrimSpace(b))), value.TypeVarchar, t)
			return v, err == nil
		})
	}
	if ok {
		return nil
	}
	return &fieldError{row: f.row, text: string(f.text)}
}

func trimmed(parse func([]byte) (int64, bool)) func([]byte) (int64, bool) {
	return func(b []byte) (int64, bool) {
		n, ok := parse(b)
		if !ok {
			n, ok = parse(bytes.TrimSpace(b))
		}
		return n, ok
	}
}

func withFraction(parse func([]byte) (int64, bool), digits int) func([]byte) (int64, bool) {
	parse = trimmed(parse)
	return func(b []byte) (int64, bool) {
		n, ok := parse(b)
		return n, ok && fitsFraction(n, digits)
	}
}

// wholeIn reads whole numbers of a range, also with leading zeros or a plus
// sign: the schema says that the text is a number.
func wholeIn(lo, hi int64) func([]byte) (int64, bool) {
	return func(b []byte) (int64, bool) {
		n, ok := parseInt(b)
		if !ok {
			n, ok = parseInt(plainNumber(b))
		}
		return n, ok && n >= lo && n <= hi
	}
}

func declaredFloat(b []byte) (float64, bool) {
	x, ok := parseFloat(b)
	if !ok {
		x, ok = parseFloat(plainNumber(b))
	}
	return x, ok
}

// plainNumber drops blanks around a number, its plus sign and leading zeros.
func plainNumber(b []byte) []byte {
	b = bytes.TrimSpace(b)
	sign := len(b) > 0 && (b[0] == '+' || b[0] == '-')
	digits := b
	if sign {
		digits = b[1:]
	}
	rest := bytes.TrimLeft(digits, "0")
	if len(rest) < len(digits) && (len(rest) == 0 || !isDigit(rest[0])) {
		rest = digits[len(digits)-len(rest)-1:] // keep one zero
	}
	if sign && b[0] == '-' {
		return append([]byte{'-'}, rest...)
	}
	if len(rest) > 0 && !isDigit(rest[0]) && rest[0] != '.' && sign {
		return nil // two signs, or a sign before what is no number
	}
	return rest
}

// declaredDecimals reads exact numbers into decimal(p,s). A number with more
// digits than the type has is refused, not rounded.
func (f *filler) declaredDecimals(t value.Type) bool {
	if t.Precision > 0 && t.Precision <= 18 && f.ints(t, func(b []byte) (int64, bool) {
		n, scale, ok := parseScaled(b)
		if !ok {
			if n, scale, ok = parseScaled(plainNumber(b)); !ok {
				return 0, false
			}
		}
		n, ok = rescale(n, t.Scale-scale)
		return n, ok && fitsPrecision(n, t.Precision)
	}) {
		return true
	}
	return f.values(t, func(b []byte) (value.Value, bool) {
		b = plainNumber(b)
		if _, ok := scanNumber(b); !ok || len(b) > 100 {
			return value.Null, false
		}
		d, _, err := apd.NewFromString(string(b))
		if err != nil {
			return value.Null, false
		}
		d.Reduce(d)
		digits, exponent := int(d.NumDigits()), int(d.Exponent)
		if t.Precision == 0 {
			return value.BigDecimal(d), digits <= value.MaxPrecision && exponent >= -value.MaxPrecision && digits+exponent <= value.MaxPrecision
		}
		return value.BigDecimal(d), exponent >= -t.Scale && (d.IsZero() || digits+exponent <= t.Precision-t.Scale)
	})
}
