package value

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Format writes a value as it stands between the quotes of a literal: numbers
// with plain digits, dates as 2026-01-02, intervals as 1 02:00:00 or 1-6,
// binary strings in hexadecimal, char(n) with its blanks. Booleans are true
// and false, NULL is NULL, arrays are [a, b].
func Format(v Value, t Type) string {
	if v.form == FormString && t.Kind != Char {
		return v.s
	}
	return string(AppendFormat(nil, v, t))
}

// AppendFormat appends to dst what Format returns.
func AppendFormat(dst []byte, v Value, t Type) []byte {
	switch v.form {
	case FormNull:
		return append(dst, "NULL"...)
	case FormBool:
		return strconv.AppendBool(dst, v.n != 0)
	case FormInt, FormDecimal:
		return v.appendNumber(dst)
	case FormDouble:
		return appendFloat(dst, v.AsFloat(), t)
	case FormString:
		return append(dst, Pad(v, t).s...)
	case FormBinary:
		return hex.AppendEncode(dst, []byte(v.s))
	case FormDate:
		return appendDate(dst, v.n)
	case FormTime:
		return appendTime(dst, v.n)
	case FormStamp:
		day, micros := floorDiv(v.n, perDay)
		return appendTime(append(appendDate(dst, day), ' '), micros)
	case FormInterval:
		return appendInterval(dst, v.n)
	case FormMonths:
		return appendMonths(dst, v.n)
	}
	dst = append(dst, '[')
	for i, e := range v.AsArray() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendFormat(dst, e, elemOf(t))
	}
	return append(dst, ']')
}

func appendUint(dst []byte, n uint64) []byte { return strconv.AppendUint(dst, n, 10) }

// appendNumber writes a number with plain digits, a decimal with all digits of
// its scale.
func (v Value) appendNumber(dst []byte) []byte {
	if v.form == FormDouble {
		return appendFloat(dst, v.AsFloat(), TypeDouble)
	}
	if d, ok := v.ref.(*apd.Decimal); ok {
		return d.Append(dst, 'f')
	}
	if v.n < 0 {
		dst = append(dst, '-')
	}
	mag, scale := abs64(v.n), int(v.scale)
	if scale == 0 {
		return appendUint(dst, mag)
	}
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], mag, 10)
	if missing := scale + 1 - len(digits); missing > 0 {
		dst = append(dst, "0."...)
		for range missing - 1 {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	point := len(digits) - scale
	dst = append(append(dst, digits[:point]...), '.')
	return append(dst, digits[point:]...)
}

// floatSize returns the size of the binary number behind an approximate type.
func floatSize(t Type) int {
	if t.Kind == Real {
		return 32
	}
	return 64
}

// appendFloat writes the shortest number that reads back as f, with an
// exponent where it would be long. The two zeros are one value and are
// written alike.
func appendFloat(dst []byte, f float64, t Type) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case f == 0:
		return append(dst, '0')
	}
	format := byte('f')
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, floatSize(t))
}

// appendExponent writes a finite f as an approximate literal, 1.5E0.
func appendExponent(dst []byte, f float64, t Type) []byte {
	if f == 0 {
		return append(dst, "0E0"...)
	}
	text := strconv.FormatFloat(f, 'E', -1, floatSize(t))
	mantissa, exponent, _ := strings.Cut(text, "E")
	n, _ := strconv.Atoi(exponent)
	dst = append(append(dst, mantissa...), 'E')
	return strconv.AppendInt(dst, int64(n), 10)
}

// SQL writes a value as an SQL expression of the same family of types: a
// literal, or a CAST where SQL has none (NaN, the infinities, real). A decimal
// without a fraction keeps its point, else it would read as an integer.
func SQL(v Value, t Type) string {
	return string(appendSQL(nil, v, t))
}

func appendSQL(dst []byte, v Value, t Type) []byte {
	switch v.form {
	case FormBool:
		if v.n != 0 {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case FormDecimal:
		n := len(dst)
		dst = v.appendNumber(dst)
		if strings.IndexByte(string(dst[n:]), '.') < 0 {
			dst = append(dst, '.')
		}
		return dst
	case FormDouble:
		return appendFloatSQL(dst, v.AsFloat(), t)
	case FormString:
		return append(append(append(dst, '\''), strings.ReplaceAll(Pad(v, t).s, "'", "''")...), '\'')
	case FormBinary:
		return append(hex.AppendEncode(append(dst, "X'"...), []byte(v.s)), '\'')
	case FormDate:
		return appendQuoted(dst, "DATE '", v, t, "'")
	case FormTime:
		return appendQuoted(dst, "TIME '", v, t, "'")
	case FormStamp:
		return appendQuoted(dst, "TIMESTAMP '", v, t, "'")
	case FormInterval:
		return appendQuoted(dst, "INTERVAL '", v, t, "' DAY TO SECOND")
	case FormMonths:
		return appendQuoted(dst, "INTERVAL '", v, t, "' YEAR TO MONTH")
	case FormArray:
		dst = append(dst, "ARRAY["...)
		for i, e := range v.AsArray() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendSQL(dst, e, elemOf(t))
		}
		return append(dst, ']')
	}
	return AppendFormat(dst, v, t)
}

func appendQuoted(dst []byte, before string, v Value, t Type, after string) []byte {
	return append(AppendFormat(append(dst, before...), v, t), after...)
}

func appendFloatSQL(dst []byte, f float64, t Type) []byte {
	name := TypeDouble.String()
	if t.Kind == Real {
		name = t.String()
	}
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		dst = appendFloat(append(dst, "CAST('"...), f, t)
		return append(append(append(dst, "' AS "...), name...), ')')
	case t.Kind == Real:
		dst = appendExponent(append(dst, "CAST("...), f, t)
		return append(append(append(dst, " AS "...), name...), ')')
	}
	return appendExponent(dst, f, t)
}
