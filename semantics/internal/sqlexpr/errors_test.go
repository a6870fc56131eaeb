package sqlexpr

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// Every refusal stands at the token that is wrong, names its rule and tells
// what to change. The mark ^ shows the place; it is no part of the text.
func TestErrors(t *testing.T) {
	const syn, unsup = diag.Syntax, diag.Unsupported
	for _, c := range []struct {
		src   string
		stage diag.Stage
		rule  string
		say   string // in the message
		hint  string // in the hint
	}{
		// The shape rules: a predicate is no operand of a predicate.
		{"a = b ^= c", syn, "SQL-1", "", "AND"},
		{"a < b ^IS NULL", syn, "SQL-1", "", "parentheses"},
		{"a = b ^IS DISTINCT FROM c", syn, "SQL-1", "", ""},
		{"a IS NULL ^= b", syn, "SQL-1", "", ""},
		{"a IS TRUE ^IS TRUE", syn, "SQL-1", "", ""},
		{"a IS TRUE ^= b", syn, "SQL-1", "", ""},
		{"a IN (1) ^IN (2)", syn, "SQL-1", "", ""},
		{"a IN (1) ^+ 2", syn, "SQL-1", "", ""},
		{"a BETWEEN 1 AND 2 ^BETWEEN 3 AND 4", syn, "SQL-1", "", ""},
		{"a BETWEEN b ^= c AND d", syn, "SQL-1", "", ""},
		{"a = ^EXISTS (SELECT 1)", syn, "SQL-1", "", ""},
		{"EXISTS (SELECT 1) ^= b", syn, "SQL-1", "", ""},
		{"a = ^NOT b", syn, "SQL-1", "NOT", "parentheses"},
		{"NOT ^NOT a", syn, "SQL-1", "NOT", "parentheses"},
		{"a + ^NOT b", syn, "SQL-1", "NOT", ""},
		// || and arithmetic do not mix.
		{"a || b ^+ c", syn, "SQL-1", "||", "parentheses"},
		{"a + b ^|| c", syn, "SQL-1", "||", "parentheses"},
		{"a || ^-b", syn, "SQL-1", "||", ""},
		{"-a ^|| b", syn, "SQL-1", "||", ""},
		{"a || b ^* c = d", syn, "SQL-1", "||", ""},
		// What is missing.
		{"^", syn, "SQL-1", "expected an expression", ""},
		{"a +^", syn, "SQL-1", "expected an expression, found the end", ""},
		{"a + ^) b", syn, "SQL-1", "expected an expression, found )", ""},
		{"(a^", syn, "SQL-1", "found the end", ""},
		{"a^)", syn, "SQL-1", "found )", ""},
		{"a ^b", syn, "SQL-1", "found b", ""},
		{"'a' ^'b'", syn, "SQL-1", "found 'b'", ""},
		{"f(a, ^)", syn, "SQL-1", "", ""},
		{"f(a ^b)", syn, "SQL-1", "a comma or )", ""},
		{"a IN ^b", syn, "SQL-1", "( after IN", ""},
		{"a IN (^)", syn, "SQL-1", "", ""},
		{"a BETWEEN 1^", syn, "SQL-1", "AND", ""},
		{"a BETWEEN 1 ^OR b", syn, "SQL-1", "AND", ""},
		{"a BETWEEN 1 ^IS TRUE", syn, "SQL-1", "AND", ""},
		{"a IS ^5", syn, "SQL-1", "NULL, TRUE", ""},
		{"a IS DISTINCT ^b", syn, "SQL-1", "FROM", ""},
		{"a NOT ^= b", syn, "SQL-1", "BETWEEN, IN or LIKE", ""},
		{"a = b ^ESCAPE c", syn, "SQL-1", "", ""},
		{"a LIKE b IS TRUE ^ESCAPE c", syn, "SQL-1", "", ""},
		{"CASE a ^END", syn, "SQL-1", "WHEN", ""},
		{"CASE WHEN a ^END", syn, "SQL-1", "THEN", ""},
		{"CASE WHEN a THEN b^", syn, "SQL-1", "END", ""},
		{"CAST(a ^bigint)", syn, "SQL-1", "AS and a type", ""},
		{"CAST(a AS ^'x')", syn, "SQL-1", "a type", ""},
		{"EXISTS ^a", syn, "SQL-1", "query after EXISTS", ""},
		{"EXISTS ^(a)", syn, "SQL-1", "query after EXISTS", ""},
		{"a IN ^(SELECT 1", syn, "SQL-1", "not closed", ""},
		{"EXTRACT(^epoch FROM a)", syn, "SQL-1", "YEAR", ""},
		{"SUBSTRING(a^)", syn, "SQL-1", "FROM", ""},
		{"POSITION(a ^= b IN c)", syn, "SQL-1", "IN", ""},
		{"TRIM(^FROM a)", syn, "GRAM-15", "FROM", ""},
		{"SUM(x) FILTER (^x > 1)", syn, "SQL-1", "WHERE", ""},
		{"f(x ORDER BY y) ^WITHIN GROUP (ORDER BY z)", syn, "SQL-1", "WITHIN GROUP", ""},
		{"a^.1b", syn, "LEX-1", "", ""},
		{"a.^'b'", syn, "SQL-1", "name", ""},
		{"a.b.c.d.^e", syn, "SQL-1", "4 parts", ""},
		// Names and stars.
		{"a + ^select", syn, "GRAM-15", "SELECT", "(SELECT ...)"},
		{"t.^order", syn, "GRAM-15", "ORDER", `"ORDER"`},
		{"^LEFT(a, 2)", syn, "GRAM-15", "LEFT", "SUBSTRING"},
		{"a.^*", syn, "AGG-2", "", "COUNT(A.*)"},
		{"SUM(^*)", syn, "AGG-2", "only COUNT", ""},
		{"SUM(^a.*)", syn, "AGG-2", "only COUNT", ""},
		{"COUNT(DISTINCT ^*)", syn, "SQL-1", "", ""},
		{"COUNT(* ^+ 1)", syn, "SQL-1", "", ""},
		{"^*", syn, "SQL-1", "", ""},
		// MEA-1
		{"^FINAL A.x", syn, "MEA-1", "FINAL", "FINAL LAST(A.x)"},
		{"1 + ^RUNNING x", syn, "MEA-1", "RUNNING", "RUNNING LAST"},
		{"^FINAL (LAST(x))", syn, "MEA-1", "", ""},
		{"^FINAL CASE WHEN a THEN b END", syn, "MEA-1", "", ""},
		{"^FINAL CAST(a AS bigint)", syn, "MEA-1", "", ""},
		{"^FINAL EXTRACT(YEAR FROM a)", syn, "MEA-1", "", ""},
		{"^FINAL 5", syn, "MEA-1", "", ""},
		{"^FINAL RUNNING LAST(x)", syn, "MEA-1", "", ""},
		// What other products have, by name.
		{"a ^!= b", syn, "LEX-1", "!=", "<>"},
		{"a^::int", syn, "LEX-1", "::", "CAST"},
		{"a ^% 2", syn, "LEX-1", "%", "MOD(a, b)"},
		{"^INTERVAL 1 DAY", syn, "SQL-1", "MySQL", "INTERVAL '5' MINUTE"},
		{"x > ^INTERVAL n DAY", syn, "SQL-1", "MySQL", "INTERVAL '1' MINUTE"},
		{"INTERVAL '5 minutes'^", syn, "SQL-1", "expected YEAR", "PostgreSQL"},
		{"INTERVAL '5' ^minutes", syn, "SQL-1", "found minutes", "singular"},
		{"a ^DIV b", syn, "SQL-1", "MySQL", "a / b"},
		{"a ^MOD 2", syn, "SQL-1", "MOD", "MOD(a, b)"},
		{"a ^XOR b", syn, "SQL-1", "MySQL", "<>"},
		{"a ^REGEXP 'x'", syn, "SQL-1", "MySQL", "LIKE"},
		{"a ^ILIKE 'x'", syn, "SQL-1", "PostgreSQL", "LOWER"},
		{"a ^| b", syn, "SQL-1", "", "||"},
		{"a ^=> b", syn, "SQL-1", "", ">="},
		{"a = ^? ", unsup, "SQL-1", "marker", ":name"},
		// What the standard has and we have not.
		{"^(a, b) = (c, d)", unsup, "SQL-1", "row values", "AND"},
		{"a = ^ANY (SELECT 1)", unsup, "SQL-1", "ANY", "IN (subquery)"},
		{"a = ^ALL (SELECT 1)", unsup, "SQL-1", "ALL", ""},
		{"a ^SIMILAR TO 'x'", unsup, "SQL-1", "SIMILAR", "LIKE"},
		{"a ^COLLATE de", unsup, "SQL-1", "COLLATE", ""},
		{"a ^AT TIME ZONE 'UTC'", unsup, "SQL-1", "TIME ZONE", ""},
		{"a ^[1]", unsup, "SQL-1", "array", ""},
		{"a BETWEEN ^SYMMETRIC 1 AND 2", unsup, "SQL-1", "SYMMETRIC", "LEAST"},
		{"^s.f(a)", unsup, "SQL-1", "qualified", ""},
		{"f(x ^=> 1)", unsup, "SQL-1", "by name", ""},
		{"LISTAGG(x, ',' ^ON OVERFLOW ERROR)", unsup, "SQL-1", "OVERFLOW", ""},
		{"LAST_VALUE(x) ^IGNORE NULLS OVER w", unsup, "SQL-1", "IGNORE NULLS", ""},
		{"INTERVAL '5' DAY^(3)", unsup, "SQL-1", "precision", ""},
		// Literals that are none.
		{"a > ^DATE '2026-02-30'", syn, "LEX-1", "2026-02-30", "01 to 28"},
		{"^INTERVAL 'x' DAY", syn, "LEX-1", "", ""},
		// A type that does not exist is semantic, and waits for syntax errors.
		{"CAST(a AS ^foo)", diag.Semantic, "TYPE-1", "FOO", ""},
		{"CAST(a AS foo) ^b", syn, "SQL-1", "found b", ""},
	} {
		at := strings.IndexByte(c.src, '^')
		src := c.src[:at] + c.src[at+1:]
		_, err := Parse(src, token.Lex(src), Options{})
		e := diag.From(err)
		if e == nil {
			t.Errorf("%q is accepted", src)
			continue
		}
		if e.Stage != c.stage || e.Rule != c.rule {
			t.Errorf("%q: %v, want stage %s, rule %s", src, e, c.stage, c.rule)
		}
		if e.Pos != diag.Locate(src, at) || e.Source != src {
			t.Errorf("%q: %v is at %+v, want offset %d", src, e, e.Pos, at)
		}
		if !strings.Contains(e.Message, c.say) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%q: %v, want %q and the hint %q", src, e, c.say, c.hint)
		}
	}
	src := "a ^ b"
	if _, err := Parse(src, token.Lex(src), Options{}); err == nil || !strings.Contains(diag.From(err).Hint, "POWER") {
		t.Errorf("a ^ b: %v", err)
	}
}

// A type error comes with the tree, so that the caller can go on.
func TestTypeErrorKeepsTree(t *testing.T) {
	src := "CAST(a AS foo) + CAST(b AS bar)"
	n, err := Parse(src, token.Lex(src), Options{})
	if e := diag.From(err); n == nil || e == nil || e.Stage != diag.Semantic || e.Pos.Offset != 10 {
		t.Errorf("%v %v", n, err)
	}
}
