package value

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// AppendJSON appends a value as the protocol writes it: numbers with their
// exact digits, NaN and the infinities as strings, dates, times, intervals and
// binary strings as Format does, in quotes.
func AppendJSON(dst []byte, v Value, t Type) []byte {
	switch v.form {
	case FormNull:
		return append(dst, "null"...)
	case FormBool, FormInt, FormDecimal:
		return AppendFormat(dst, v, t)
	case FormDouble:
		if f := v.AsFloat(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return AppendFormat(dst, v, t)
		}
	case FormString:
		return appendJSONString(dst, Pad(v, t).s)
	case FormArray:
		dst = append(dst, '[')
		for i, e := range v.AsArray() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, e, elemOf(t))
		}
		return append(dst, ']')
	}
	return append(AppendFormat(append(dst, '"'), v, t), '"')
}

// appendJSONString writes a string; bytes that are no UTF-8 become U+FFFD.
func appendJSONString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < 0x20 || r == 0x7f:
			dst = append(dst, `\u00`...)
			dst = append(dst, digits[s[i]>>4], digits[s[i]&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// FromJSON reads one JSON value as a value of type t, as the protocol writes
// it; null is NULL. Exact numbers keep their digits: one that does not fit the
// type exactly is an error, nothing is rounded. An unknown type takes what
// InferJSON finds. The error is DATA-1.
func FromJSON(raw []byte, t Type) (Value, error) {
	v, p := readJSON(bytes.TrimSpace(raw), t)
	if p != nil {
		return Null, p.data()
	}
	return v, nil
}

func readJSON(raw []byte, t Type) (Value, *problem) {
	switch {
	case len(raw) == 0:
		return Null, notJSON(raw, t)
	case string(raw) == "null":
		return Null, nil
	case t.Kind == Unknown:
		v, _, p := inferJSON(raw, 0)
		return v, p
	case t.Kind == Array:
		return readJSONArray(raw, t)
	case t.Kind == Boolean:
		switch string(raw) {
		case "true":
			return Bool(true), nil
		case "false":
			return Bool(false), nil
		}
		return Null, notJSON(raw, t)
	case raw[0] == '"':
		s, p := jsonString(raw)
		if p != nil {
			return Null, p
		}
		return readJSONText(s, raw, t)
	case t.IsNumeric():
		return readJSONNumber(raw, t)
	}
	return Null, notJSON(raw, t)
}

// notJSON says that raw is no JSON value for type t.
func notJSON(raw []byte, t Type) *problem {
	form := "a string"
	switch {
	case t.Kind == Boolean:
		form = "true or false"
	case t.IsNumeric():
		form = "a number"
	case t.Kind == Array:
		form = "an array"
	}
	return &problem{stateBadCast, "the JSON value " + quote(string(raw)) + " is no " + t.String(), "write " + form + " or null"}
}

// readJSONText reads the contents of a JSON string.
func readJSONText(s string, raw []byte, t Type) (Value, *problem) {
	switch {
	case t.IsString():
		v, err := toString(String(s), t)
		if err != nil {
			return Null, &problem{stateTruncation, quote(s) + " is longer than " + t.String(), "declare a longer type"}
		}
		return v, nil
	case t.Kind == Binary:
		b, err := hex.DecodeString(s)
		if err != nil {
			return Null, &problem{stateBadCast, quote(s) + " is no binary string", "write an even number of hexadecimal digits"}
		}
		return Bytes(b), nil
	case t.IsApproximate():
		if f, ok := specialFloat(s); ok {
			return Float(f), nil
		}
	case t.IsDatetime() || t.IsInterval():
		v, p := scanText(s, t)
		if p != nil {
			return Null, p
		}
		if full, _ := scanText(s, widest(t)); full != v {
			return Null, &problem{stateDateOverflow, quote(s) + " has more digits of a second than " + t.String(), "declare a type with more digits"}
		}
		return v, nil
	}
	return Null, notJSON(raw, t)
}

// widest returns t with all digits of a second.
func widest(t Type) Type {
	if t.Kind == Time || t.Kind == Timestamp {
		t.Precision = 6
	}
	return t
}

// isJSONNumber reports a number by the grammar of JSON, which is narrower than
// that of SQL.
func isJSONNumber(raw []byte) bool {
	i := 0
	if i < len(raw) && raw[i] == '-' {
		i++
	}
	digits := func() int {
		n := i
		for i < len(raw) && raw[i] >= '0' && raw[i] <= '9' {
			i++
		}
		return i - n
	}
	start := i
	if n := digits(); n == 0 || n > 1 && raw[start] == '0' {
		return false
	}
	if i < len(raw) && raw[i] == '.' {
		i++
		if digits() == 0 {
			return false
		}
	}
	if i < len(raw) && (raw[i] == 'e' || raw[i] == 'E') {
		i++
		if i < len(raw) && (raw[i] == '+' || raw[i] == '-') {
			i++
		}
		if digits() == 0 {
			return false
		}
	}
	return i == len(raw)
}

// readJSONNumber reads a number; for exact types nothing may be lost.
func readJSONNumber(raw []byte, t Type) (Value, *problem) {
	if !isJSONNumber(raw) {
		return Null, notJSON(raw, t)
	}
	s := string(raw)
	v, p := scanNumberAs(s, t)
	if p != nil || t.IsApproximate() {
		return v, p
	}
	n, _ := scanNumber(s, true)
	if !n.point && !n.hasExp && t.Precision > 0 || t.IsInteger() && !n.point && !n.hasExp {
		return v, nil
	}
	full, exact := n.decimal()
	if !exact || full.Cmp(readDecimal(v)) != 0 {
		return Null, &problem{stateOutOfRange, s + " is not exact as " + t.String(), "declare a decimal type with enough digits"}
	}
	return v, nil
}

// jsonString decodes a JSON string. Bytes that are no UTF-8 and halves of
// surrogate pairs are errors: no character may be replaced silently.
func jsonString(raw []byte) (string, *problem) {
	bad := &problem{stateBadCast, quote(string(raw)) + " is no JSON string of valid characters", "write UTF-8, and escapes as JSON has them"}
	if !utf8.Valid(raw) {
		return "", bad
	}
	if n := len(raw); n >= 2 && raw[n-1] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		for _, c := range raw[1 : n-1] {
			if c < 0x20 || c == '"' {
				return "", bad
			}
		}
		return string(raw[1 : n-1]), nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", bad
	}
	// The decoder writes U+FFFD for half a surrogate pair.
	written := bytes.Count(raw, []byte("\uFFFD")) + bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`))
	if countReplaced(s) > written {
		return "", bad
	}
	return s, nil
}

func countReplaced(s string) (n int) {
	for _, r := range s {
		if r == utf8.RuneError {
			n++
		}
	}
	return n
}

// jsonElements splits an array.
func jsonElements(raw []byte, t Type) ([]json.RawMessage, *problem) {
	var elems []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &elems) != nil {
		return nil, notJSON(raw, t)
	}
	return elems, nil
}

func readJSONArray(raw []byte, t Type) (Value, *problem) {
	elems, p := jsonElements(raw, t)
	if p != nil {
		return Null, p
	}
	out := make([]Value, len(elems))
	for i, e := range elems {
		if out[i], p = readJSON(bytes.TrimSpace(e), elemOf(t)); p != nil {
			return Null, p
		}
	}
	return ArrayOf(out), nil
}

// InferJSON reads a JSON value without a type, such as a host variable:
// numbers by TYPE-2, with a sign, strings as varchar, arrays by the common
// type of their elements. null is NULL of the unknown type. The error is
// DATA-1.
func InferJSON(raw []byte) (Value, Type, error) {
	v, t, p := inferJSON(bytes.TrimSpace(raw), 0)
	if p != nil {
		return Null, TypeUnknown, p.data()
	}
	return v, t, nil
}

func inferJSON(raw []byte, depth int) (Value, Type, *problem) {
	switch {
	case string(raw) == "null":
		return Null, TypeUnknown, nil
	case string(raw) == "true" || string(raw) == "false":
		return Bool(raw[0] == 't'), TypeBoolean, nil
	case len(raw) > 0 && raw[0] == '"':
		s, p := jsonString(raw)
		return String(s), TypeVarchar, p
	case len(raw) > 0 && raw[0] == '[' && depth < maxTypeDepth:
		return inferJSONArray(raw, depth)
	case isJSONNumber(raw):
		return inferJSONNumber(string(raw))
	}
	return Null, TypeUnknown, &problem{stateBadCast, quote(string(raw)) + " is no SQL value in JSON", "write null, true, false, a number, a string or an array"}
}

func inferJSONNumber(s string) (Value, Type, *problem) {
	digits := s
	if s[0] == '-' {
		digits = s[1:]
	}
	v, t, err := ParseNumber(digits)
	if err == nil && s[0] == '-' {
		v, err = Negate(t, v)
	}
	if err != nil {
		e := diag.From(err)
		return Null, TypeUnknown, &problem{e.SQLSTATE, e.Message, e.Hint}
	}
	return v, t, nil
}

func inferJSONArray(raw []byte, depth int) (Value, Type, *problem) {
	elems, p := jsonElements(raw, ArrayType(TypeUnknown))
	if p != nil {
		return Null, TypeUnknown, p
	}
	out := make([]Value, len(elems))
	common := TypeUnknown
	for i, e := range elems {
		v, t, p := inferJSON(bytes.TrimSpace(e), depth+1)
		if p != nil {
			return Null, TypeUnknown, p
		}
		both, ok := CommonType(common, t)
		if !ok {
			return Null, TypeUnknown, &problem{stateBadCast, "the elements of the array " + quote(string(raw)) + " have no common type", "write elements of one type"}
		}
		out[i], common = v, both
	}
	t := ArrayType(common)
	v, err := Convert(ArrayOf(out), t)
	if err != nil {
		e := diag.From(err)
		return Null, TypeUnknown, &problem{e.SQLSTATE, e.Message, e.Hint}
	}
	return v, t, nil
}
