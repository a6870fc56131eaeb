package scalar

import (
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// The string functions. Positions and lengths count characters (code points),
// for binary strings octets; results are varchar without limit.
func init() {
	registerString("LOWER", strings.ToLower)
	registerString("UPPER", strings.ToUpper)
	registerString("REVERSE", reverse)
	register(&Function{Name: "CHAR_LENGTH", MinArgs: 1, MaxArgs: 1, Usage: "CHAR_LENGTH(string)", params: []param{aText},
		resolve: fixed(value.TypeBigint, Impl{One: func(a value.Value) (value.Value, error) { return value.Int(length(a)), nil }})},
		"LENGTH", "CHARACTER_LENGTH")
	register(&Function{Name: "OCTET_LENGTH", MinArgs: 1, MaxArgs: 1, Usage: "OCTET_LENGTH(string)", params: []param{aText},
		resolve: fixed(value.TypeBigint, Impl{One: func(a value.Value) (value.Value, error) { return value.Int(int64(len(a.AsString()))), nil }})})
	register(&Function{Name: "SUBSTRING", MinArgs: 2, MaxArgs: 3, Usage: "SUBSTRING(string FROM start [FOR length])",
		params: []param{aText, anInteger}, resolve: sameText(Impl{Many: substring})}, "SUBSTR")
	register(&Function{Name: "POSITION", MinArgs: 2, MaxArgs: 2, Usage: "POSITION(part IN string)", params: []param{aText},
		resolve: resolvePosition(0, 1)})
	register(&Function{Name: "STRPOS", MinArgs: 2, MaxArgs: 2, Usage: "STRPOS(string, part)", params: []param{aText},
		resolve: resolvePosition(1, 0)})
	register(&Function{Name: "TRIM", MinArgs: 1, MaxArgs: 2, Usage: "TRIM([LEADING | TRAILING | BOTH] [character] FROM string)",
		params: []param{aString}, resolve: resolveTrim})
	registerTrim("LTRIM", strings.TrimLeft)
	registerTrim("RTRIM", strings.TrimRight)
	registerTrim("BTRIM", strings.Trim)
	register(&Function{Name: "CONCAT", MinArgs: 1, MaxArgs: -1, Usage: "CONCAT(string, ...)", params: []param{anything}, resolve: resolveConcat})
	register(&Function{Name: "REPLACE", MinArgs: 2, MaxArgs: 3, Usage: "REPLACE(string, part, new)", params: []param{aString},
		resolve: fixed(value.TypeVarchar, Impl{Many: replace})})
	register(&Function{Name: "TRANSLATE", MinArgs: 3, MaxArgs: 3, Usage: "TRANSLATE(string, characters, new characters)", params: []param{aString},
		resolve: fixed(value.TypeVarchar, Impl{Many: translate})})
	register(&Function{Name: "STARTS_WITH", MinArgs: 2, MaxArgs: 2, Usage: "STARTS_WITH(string, start)", params: []param{aString},
		resolve: fixed(value.TypeBoolean, Impl{Two: func(s, start value.Value) (value.Value, error) {
			return value.Bool(strings.HasPrefix(s.AsString(), start.AsString())), nil
		}})})
	register(&Function{Name: "LPAD", MinArgs: 2, MaxArgs: 3, Usage: "LPAD(string, length [, fill])", params: []param{aString, anInteger, aString},
		resolve: fixed(value.TypeVarchar, Impl{Many: pad(true)})})
	register(&Function{Name: "RPAD", MinArgs: 2, MaxArgs: 3, Usage: "RPAD(string, length [, fill])", params: []param{aString, anInteger, aString},
		resolve: fixed(value.TypeVarchar, Impl{Many: pad(false)})})
	register(&Function{Name: "REPEAT", MinArgs: 2, MaxArgs: 2, Usage: "REPEAT(string, count)", params: []param{aString, anInteger},
		resolve: fixed(value.TypeVarchar, Impl{Two: repeat})})
	register(&Function{Name: "SPLIT_PART", MinArgs: 3, MaxArgs: 3, Usage: "SPLIT_PART(string, delimiter, number)",
		params: []param{aString, aString, anInteger}, resolve: fixed(value.TypeVarchar, Impl{Many: splitPart})})
}

// SQLSTATEs of string functions.
const (
	stateSubstring = "22011" // substring error
	stateTrim      = "22027" // trim error
	stateParameter = "22023" // invalid parameter value
)

func registerString(name string, f func(string) string) {
	register(&Function{Name: name, MinArgs: 1, MaxArgs: 1, Usage: name + "(string)", params: []param{aString},
		resolve: fixed(value.TypeVarchar, Impl{One: func(a value.Value) (value.Value, error) {
			return value.String(f(a.AsString())), nil
		}})})
}

// sameText resolves a function whose result is of the string family of its first argument.
func sameText(m Impl) func(*site) (value.Type, Impl) {
	return func(c *site) (value.Type, Impl) {
		if t := c.typ(0); !t.IsString() {
			return t, m
		}
		return value.TypeVarchar, m
	}
}

// length counts characters, or octets of a binary string.
func length(v value.Value) int64 {
	if v.Form() == value.FormBinary {
		return int64(len(v.AsString()))
	}
	return int64(utf8.RuneCountInString(v.AsString()))
}

func reverse(s string) string {
	out := make([]byte, len(s))
	for at := len(s); s != ""; {
		_, size := utf8.DecodeRuneInString(s)
		at -= size
		copy(out[at:], s[:size])
		s = s[size:]
	}
	return string(out)
}

// substring is the standard's: characters from start to before start+length,
// as far as the string has them. A negative length is error 22011.
func substring(args []value.Value) (value.Value, error) {
	s, start := args[0], args[1].Raw()
	n := length(s)
	end := n + 1
	if len(args) == 3 {
		count := args[2].Raw()
		if count < 0 {
			return value.Null, runtimeError(stateSubstring, "the length %d of a substring is negative", count).
				WithHint("use GREATEST(length, 0)")
		}
		// start + count, kept in range.
		if start <= 0 || count <= n {
			end = min(end, start+count)
		}
	}
	start = max(start, 1)
	if start >= end {
		start = end
	}
	if s.Form() == value.FormBinary {
		if start >= end {
			return value.Bytes(nil), nil
		}
		return value.Bytes([]byte(s.AsString()[start-1 : end-1])), nil
	}
	if start >= end {
		return value.String(""), nil
	}
	return value.String(characters(s.AsString(), start-1, end-1)), nil
}

// characters returns the characters of s from low to before high, counted from 0.
func characters(s string, low, high int64) string {
	from, index := -1, int64(0)
	for at := range s {
		if index == low {
			from = at
		}
		if index == high {
			return s[from:at]
		}
		index++
	}
	if from < 0 {
		return ""
	}
	return s[from:]
}

// resolvePosition finds the part among the arguments and the string in which it is sought.
func resolvePosition(part, whole int) func(*site) (value.Type, Impl) {
	return func(c *site) (value.Type, Impl) {
		if !c.unknown(2) && c.typ(0).IsString() != c.typ(1).IsString() {
			c.fail(c.pos, "search character strings for character strings, binary strings for binary strings", "%s cannot search %s for %s", c.name, c.typ(whole), c.typ(part))
		}
		return value.TypeBigint, Impl{Two: func(a, b value.Value) (value.Value, error) {
			if part == 1 {
				a, b = b, a
			}
			return position(a, b), nil
		}}
	}
}

// position returns where part begins in s, from 1; 0 if it is not there, 1 for the empty part.
func position(part, s value.Value) value.Value {
	at := strings.Index(s.AsString(), part.AsString())
	if at < 0 {
		return value.Int(0)
	}
	if s.Form() == value.FormBinary {
		return value.Int(int64(at) + 1)
	}
	return value.Int(int64(utf8.RuneCountInString(s.AsString()[:at])) + 1)
}

// resolveTrim is the standard's TRIM: it removes one character, by default
// the blank; several are error 22027.
func resolveTrim(c *site) (value.Type, Impl) {
	cut := strings.Trim
	switch c.form {
	case "LEADING":
		cut = strings.TrimLeft
	case "TRAILING":
		cut = strings.TrimRight
	}
	if len(c.args) == 1 {
		return value.TypeVarchar, Impl{One: func(s value.Value) (value.Value, error) {
			return value.String(cut(s.AsString(), " ")), nil
		}}
	}
	return value.TypeVarchar, Impl{Two: func(s, character value.Value) (value.Value, error) {
		if utf8.RuneCountInString(character.AsString()) != 1 {
			return value.Null, runtimeError(stateTrim, "TRIM removes one character, not %s", value.SQL(character, value.TypeVarchar)).
				WithHint("write BTRIM, LTRIM or RTRIM (string, characters) to remove several")
		}
		return value.String(cut(s.AsString(), character.AsString())), nil
	}}
}

// registerTrim adds a function that removes a set of characters.
func registerTrim(name string, cut func(s, set string) string) {
	register(&Function{Name: name, MinArgs: 1, MaxArgs: 2, Usage: name + "(string [, characters])", params: []param{aString},
		resolve: fixed(value.TypeVarchar, Impl{Many: func(args []value.Value) (value.Value, error) {
			set := " "
			if len(args) == 2 {
				set = args[1].AsString()
			}
			return value.String(cut(args[0].AsString(), set)), nil
		}})})
}

// resolveConcat is || with any number of operands: NULL if one is NULL (TYPE-7).
func resolveConcat(c *site) (value.Type, Impl) {
	t, ok := c.b.concatType(c.args, c.pos, c.name)
	c.bad = c.bad || !ok
	return t, Impl{Many: func(args []value.Value) (value.Value, error) {
		out := args[0]
		for _, a := range args[1:] {
			var err error
			if out, err = concat(out, a); err != nil {
				return value.Null, err
			}
		}
		return out, nil
	}}
}

// replace changes every occurrence from left to right; an empty part occurs nowhere.
func replace(args []value.Value) (value.Value, error) {
	s, part, by := args[0].AsString(), args[1].AsString(), ""
	if len(args) == 3 {
		by = args[2].AsString()
	}
	if part == "" {
		return args[0], nil
	}
	if more := len(by) - len(part); more > 0 {
		if err := checkLength(len(s) + more*strings.Count(s, part)); err != nil {
			return value.Null, err
		}
	}
	return value.String(strings.ReplaceAll(s, part, by)), nil
}

// translate changes characters one by one; those without a counterpart are removed.
func translate(args []value.Value) (value.Value, error) {
	to := []rune(args[2].AsString())
	change := map[rune]rune{}
	for i, r := range []rune(args[1].AsString()) {
		if _, ok := change[r]; ok {
			continue
		}
		change[r] = -1
		if i < len(to) {
			change[r] = to[i]
		}
	}
	return value.String(strings.Map(func(r rune) rune {
		if by, ok := change[r]; ok {
			return by
		}
		return r
	}, args[0].AsString())), nil
}

// pad fills a string up to a length on one side, or cuts it at the end.
func pad(left bool) func(args []value.Value) (value.Value, error) {
	return func(args []value.Value) (value.Value, error) {
		s, want, fill := args[0].AsString(), args[1].Raw(), " "
		if len(args) == 3 {
			fill = args[2].AsString()
		}
		have := length(args[0])
		switch {
		case want < 0:
			return value.Null, runtimeError(stateSubstring, "the length %d of a padded string is negative", want).
				WithHint("use GREATEST(length, 0)")
		case want <= have:
			return value.String(characters(s, 0, want)), nil
		case fill == "":
			return value.Null, runtimeError(stateParameter, "there is nothing to pad with: the fill string is empty").
				WithHint("leave it out to pad with blanks")
		case want > maxString:
			return value.Null, checkLength(maxString + 1)
		}
		missing, width := want-have, int64(utf8.RuneCountInString(fill))
		if err := checkLength(len(s) + int(missing/width+1)*len(fill)); err != nil {
			return value.Null, err
		}
		padding := strings.Repeat(fill, int(missing/width)) + characters(fill, 0, missing%width)
		if left {
			return value.String(padding + s), nil
		}
		return value.String(s + padding), nil
	}
}

func repeat(s, n value.Value) (value.Value, error) {
	count, size := n.Raw(), int64(len(s.AsString()))
	switch {
	case count < 0:
		return value.Null, runtimeError(stateParameter, "the count %d of REPEAT is negative", count).
			WithHint("use GREATEST(count, 0)")
	case size > 0 && count > maxString/size:
		return value.Null, checkLength(maxString + 1)
	case size == 0:
		return s, nil
	}
	return value.String(strings.Repeat(s.AsString(), int(count))), nil
}

// splitPart returns the part with a number from 1; the empty string if there are fewer.
func splitPart(args []value.Value) (value.Value, error) {
	s, delimiter, n := args[0].AsString(), args[1].AsString(), args[2].Raw()
	switch {
	case n < 1:
		return value.Null, runtimeError(stateParameter, "the number %d of a part is not positive", n).
			WithHint("parts are counted from 1")
	case delimiter == "":
		return value.Null, runtimeError(stateParameter, "the delimiter is empty").
			WithHint("give at least one character")
	}
	for ; n > 1; n-- {
		_, rest, ok := strings.Cut(s, delimiter)
		if !ok {
			return value.String(""), nil
		}
		s = rest
	}
	part, _, _ := strings.Cut(s, delimiter)
	return value.String(part), nil
}
