package main

import (
	"encoding/hex"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// registerParams registers --param.
func registerParams(cmd *cobra.Command, params *[]string) {
	cmd.Flags().StringArrayVar(params, "param", nil,
		"value of a host variable, written :n in the statement, as an SQL literal: `n=3`, n=2.5, n='x', n=NULL, n=\"DATE '2026-01-31'\" (repeatable)")
}

// parseParams reads the values of --param.
func parseParams(cmd *cobra.Command, params []string) (map[string]scalar.Param, error) {
	out := make(map[string]scalar.Param, len(params))
	for _, p := range params {
		name, text, ok := strings.Cut(p, "=")
		name = table.FoldName(strings.TrimPrefix(strings.TrimSpace(name), ":"))
		if !ok || name == "" {
			return nil, usagef(cmd, "--param is written name=literal, not %.60q", p)
		}
		if _, ok := out[name]; ok {
			return nil, usagef(cmd, "--param gives %s twice", name)
		}
		v, t, problem := parseLiteral(strings.TrimSpace(text))
		if problem != "" {
			return nil, usagef(cmd, "--param %s: %s", name, problem)
		}
		out[name] = scalar.Param{Type: t, Value: v}
	}
	return out, nil
}

// parseLiteral reads an SQL literal, a number with its sign included. What is
// wrong is returned as text.
func parseLiteral(text string) (v value.Value, t value.Type, problem string) {
	var err error
	word, rest := splitWord(text)
	switch {
	case rest == "" && word == "NULL":
		return value.Null, value.TypeUnknown, ""
	case rest == "" && (word == "TRUE" || word == "FALSE"):
		return value.Bool(word == "TRUE"), value.TypeBoolean, ""
	case text != "" && strings.ContainsRune("+-.0123456789", rune(text[0])):
		digits := strings.TrimSpace(strings.TrimLeft(text, "+-"))
		v, t, err = value.ParseNumber(digits)
		if err == nil && strings.HasPrefix(text, "-") {
			v, err = value.Negate(t, v)
		}
		if len(text)-len(strings.TrimLeft(text, "+-")) > 1 {
			return v, t, notLiteral(text)
		}
		return v, t, message(err)
	}
	s, tail, ok := splitQuoted(rest)
	qualifier := strings.Fields(strings.ToUpper(tail))
	if !ok || len(qualifier) > 0 && word != "INTERVAL" {
		return v, t, notLiteral(text)
	}
	switch word {
	case "":
		v, t = value.String(s), value.TypeVarchar
	case "DATE":
		t = value.TypeDate
		v, err = value.ParseDate(s)
	case "TIME":
		v, t, err = value.ParseTime(s)
	case "TIMESTAMP":
		v, t, err = value.ParseTimestamp(s)
	case "X":
		b, hexErr := hex.DecodeString(s)
		v, t, err = value.Bytes(b), value.TypeBinary, hexErr
	case "INTERVAL":
		switch {
		case len(qualifier) == 1:
			v, t, err = value.ParseInterval(s, qualifier[0], "")
		case len(qualifier) == 3 && qualifier[1] == "TO":
			v, t, err = value.ParseInterval(s, qualifier[0], qualifier[2])
		default:
			return v, t, "an interval is written INTERVAL '30' MINUTE or INTERVAL '1 02:00' DAY TO MINUTE"
		}
	default:
		return v, t, notLiteral(text)
	}
	return v, t, message(err)
}

func notLiteral(text string) string {
	if len(text) > 60 {
		text = text[:60] + "..."
	}
	return strings.ToValidUTF8(text, "?") + " is no SQL literal; write for example 3, 2.5, 'text', NULL, TRUE or DATE '2026-01-31', in quotes for the shell"
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// splitWord splits off a leading word, in upper case.
func splitWord(text string) (word, rest string) {
	i := 0
	for i < len(text) && (text[i] >= 'A' && text[i] <= 'Z' || text[i] >= 'a' && text[i] <= 'z') {
		i++
	}
	return strings.ToUpper(text[:i]), strings.TrimSpace(text[i:])
}

// splitQuoted splits off a leading character string in apostrophes.
func splitQuoted(text string) (s, tail string, ok bool) {
	if text == "" || text[0] != '\'' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] == '\'' {
			if i++; i == len(text) || text[i] != '\'' {
				return b.String(), text[i:], true
			}
		}
		b.WriteByte(text[i])
	}
	return "", "", false
}
