package table

import (
	"unicode/utf16"
	"unicode/utf8"
)

// string reads the string at j.i. The result holds until the next call.
func (j *jsonReader) string() ([]byte, error) {
	j.i++
	start := j.i
	for {
		b := j.buf[j.i]
		if b == '"' {
			j.i++
			return j.buf[start : j.i-1], nil
		}
		if b == '\\' {
			break
		}
		if b < 0x20 {
			return nil, j.control()
		}
		j.i++
	}
	j.text = append(j.text[:0], j.buf[start:j.i]...)
	for {
		b := j.buf[j.i]
		switch {
		case b == '"':
			j.i++
			return j.text, nil
		case b == '\\':
			if err := j.escape(); err != nil {
				return nil, err
			}
			continue
		case b < 0x20:
			return nil, j.control()
		}
		j.text = append(j.text, b)
		j.i++
	}
}

// control is the error of a string with a control character, or without end.
func (j *jsonReader) control() error {
	if j.i >= j.stop {
		return j.errorAt(j.i, "the line ends within a string").
			WithHint("close the text by a double quotation mark; a line break within a text is written \\n")
	}
	return j.errorAt(j.i, "control character %#02x in a string", j.buf[j.i]).
		WithHint("write it as an escape, for example \\n or \\u0000")
}

// escape reads an escape sequence into j.text.
func (j *jsonReader) escape() error {
	start := j.i
	j.i += 2
	switch c := j.buf[start+1]; c {
	case '"', '\\', '/':
		j.text = append(j.text, c)
	case 'b':
		j.text = append(j.text, '\b')
	case 'f':
		j.text = append(j.text, '\f')
	case 'n':
		j.text = append(j.text, '\n')
	case 'r':
		j.text = append(j.text, '\r')
	case 't':
		j.text = append(j.text, '\t')
	case 'u':
		r, ok := j.hex()
		if ok && utf16.IsSurrogate(r) {
			ok = false
			if j.buf[j.i] == '\\' && j.buf[j.i+1] == 'u' {
				j.i += 2
				var low rune
				if low, ok = j.hex(); ok {
					r = utf16.DecodeRune(r, low)
					ok = r != utf8.RuneError
				}
			}
		}
		if !ok {
			return j.errorAt(start, "the escape in a string is no character").
				WithHint("write \\u and four hexadecimal digits; a character beyond U+FFFF is a pair of such escapes")
		}
		j.text = utf8.AppendRune(j.text, r)
	default:
		return j.errorAt(start, "unknown escape in a string").
			WithHint("the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX; a backslash itself is written twice")
	}
	return nil
}

// hex reads four hexadecimal digits.
func (j *jsonReader) hex() (rune, bool) {
	r := rune(0)
	for range 4 {
		c := j.buf[j.i]
		switch {
		case isDigit(c):
			c -= '0'
		case c|32 >= 'a' && c|32 <= 'f':
			c = c | 32 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
		j.i++
	}
	return r, true
}
