package protocol

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// fields are the members of an object, their values not yet taken apart.
type fields struct {
	what    string // what the object is, for errors
	raw     map[string][]byte
	lenient bool // null counts as absent, as engines in other languages write it
}

// readFields reads a line that holds one object.
func readFields(line []byte, what string) (*fields, error) {
	if !utf8.Valid(line) {
		return nil, malformed("it is not UTF-8")
	}
	s := scanner{src: line}
	if s.peek() != '{' {
		return nil, malformed("a line holds a JSON object, not %s", s.found())
	}
	f := &fields{what: what, raw: map[string][]byte{}}
	if err := f.read(&s); err != nil {
		return f, err
	}
	return f, s.end()
}

func (f *fields) read(s *scanner) error {
	return s.object(func(key string) error {
		raw, err := s.raw()
		f.raw[key] = raw
		return err
	})
}

// sub takes apart an object that is a value; raw is valid JSON.
func (f *fields) sub(raw []byte, what string) (*fields, error) {
	s := scanner{src: raw}
	if s.peek() != '{' {
		return nil, malformed("%s must be an object", what)
	}
	out := &fields{what: what, raw: map[string][]byte{}, lenient: f.lenient}
	return out, out.read(&s)
}

// only refuses keys that are not listed.
func (f *fields) only(known ...string) error {
	var unknown []string
	for key := range f.raw {
		if !slices.Contains(known, key) {
			unknown = append(unknown, key)
		}
	}
	if unknown == nil {
		return nil
	}
	slices.Sort(unknown)
	return malformed("%s has an unknown key %.60q", f.what, unknown[0]).
		WithHint("its keys are %s", strings.Join(known, ", "))
}

// value returns the piece of a key, or nil where it is absent.
func (f *fields) value(key string, must bool) ([]byte, error) {
	raw, ok := f.raw[key]
	if ok && f.lenient && string(raw) == "null" {
		ok = false
	}
	switch {
	case ok:
		return raw, nil
	case must:
		return nil, f.wrong(key, "is missing")
	}
	return nil, nil
}

func (f *fields) wrong(key, format string, args ...any) *diag.Error {
	return malformed("%q of %s "+format, append([]any{key, f.what}, args...)...)
}

func (f *fields) text(key string, must bool) (string, error) {
	raw, err := f.value(key, must)
	if raw == nil {
		return "", err
	}
	if raw[0] != '"' {
		return "", f.wrong(key, "must be a string")
	}
	s := scanner{src: raw}
	return s.text()
}

func (f *fields) integer(key string, must bool) (int64, error) {
	raw, err := f.value(key, must)
	if raw == nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, f.wrong(key, "must be an integer")
	}
	return n, nil
}

func (f *fields) boolean(key string, must bool) (bool, error) {
	raw, err := f.value(key, must)
	if raw == nil {
		return false, err
	}
	if s := string(raw); s == "true" || s == "false" {
		return s == "true", nil
	}
	return false, f.wrong(key, "must be true or false")
}

// array calls element with each element of an array.
func (f *fields) array(key string, must bool, element func(i int, raw []byte) error) error {
	raw, err := f.value(key, must)
	if raw == nil {
		return err
	}
	if raw[0] != '[' {
		return f.wrong(key, "must be an array")
	}
	return elements(raw, element)
}

// elements calls element with each element of an array that is valid JSON.
func elements(raw []byte, element func(i int, raw []byte) error) error {
	s := scanner{src: raw}
	i := 0
	return s.array(func() error {
		piece, err := s.raw()
		if err != nil {
			return err
		}
		i++
		return element(i-1, piece)
	})
}

// texts reads an array of strings.
func (f *fields) texts(key string, must bool) ([]string, error) {
	var out []string
	err := f.array(key, must, func(i int, raw []byte) error {
		if raw[0] != '"' {
			return f.wrong(key, "must be an array of strings")
		}
		s := scanner{src: raw}
		text, err := s.text()
		out = append(out, text)
		return err
	})
	return out, err
}

// appendString appends a JSON string.
func appendString(dst []byte, s string) []byte {
	return value.AppendJSON(dst, value.String(s), value.TypeVarchar)
}

// appendStrings appends an array of strings.
func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
