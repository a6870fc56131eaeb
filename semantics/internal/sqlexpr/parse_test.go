package sqlexpr

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// grouped shows how a tree groups: every operator with its operands in brackets.
func grouped(n *Node) string {
	var args []string
	for _, a := range n.Args {
		args = append(args, grouped(a))
	}
	neg := ""
	if n.Negated {
		neg = "not-"
	}
	switch n.Kind {
	case Name:
		return strings.ToLower(n.SQL())
	case Literal, Param, Star:
		return n.SQL()
	case Unary:
		return "[" + n.Text + " " + args[0] + "]"
	case Binary:
		return "[" + args[0] + " " + n.Text + " " + args[1] + "]"
	case IsTruth:
		return "[" + neg + n.Text + "? " + args[0] + "]"
	case Call:
		return strings.ToLower(n.Names[0].Text) + "[" + strings.Join(args, ", ") + "]"
	}
	return neg + kindNames[n.Kind] + "[" + strings.Join(args, ", ") + "]"
}

func parse(t *testing.T, src string) *Node {
	t.Helper()
	n, err := Parse(src, token.Lex(src), Options{})
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return n
}

// Operators group as 9075-2 6.27 to 6.39 and chapter 8 say, not as in MySQL.
func TestGrouping(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"a + b * c", "[a + [b * c]]"},
		{"a * b + c", "[[a * b] + c]"},
		{"a - b - c", "[[a - b] - c]"},
		{"a / b * c", "[[a / b] * c]"},
		{"a - (b - c)", "[a - [b - c]]"},
		{"-a * b", "[[- a] * b]"},
		{"-a + b", "[[- a] + b]"},
		{"a * -b", "[a * [- b]]"},
		{"a - -b", "[a - [- b]]"},
		{"- - 1", "[- [- 1]]"},
		{"- + a", "[- [+ a]]"},
		{"a || b || c", "[[a || b] || c]"},
		{"a || b = c || d", "[[a || b] = [c || d]]"},
		{"(a + b) || c", "[[a + b] || c]"},
		{"a + (b || c)", "[a + [b || c]]"},
		{"a OR b AND c", "[a OR [b AND c]]"},
		{"a AND b OR c", "[[a AND b] OR c]"},
		{"a OR b OR c", "[[a OR b] OR c]"},
		{"NOT a OR b", "[[NOT a] OR b]"},
		{"NOT a AND b", "[[NOT a] AND b]"},
		{"NOT a = b", "[NOT [a = b]]"}, // MySQL with HIGH_NOT_PRECEDENCE: (NOT a) = b
		{"NOT a IS NULL", "[NOT isnull[a]]"},
		{"NOT a BETWEEN b AND c", "[NOT between[a, b, c]]"},
		{"NOT a IN (b)", "[NOT in[a, b]]"},
		{"NOT a IS TRUE", "[NOT [TRUE? a]]"},
		{"a = b IS TRUE", "[TRUE? [a = b]]"},
		{"a IS NULL IS NOT FALSE", "[not-FALSE? isnull[a]]"},
		{"a = b IS UNKNOWN AND c", "[[UNKNOWN? [a = b]] AND c]"},
		{"a < b + c", "[a < [b + c]]"},
		{"a = b AND c <> d", "[[a = b] AND [c <> d]]"},
		{"(a = b) = c", "[[a = b] = c]"},
		{"a BETWEEN b AND c AND d", "[between[a, b, c] AND d]"},
		{"a BETWEEN b + 1 AND c - 1 OR d", "[between[a, [b + 1], [c - 1]] OR d]"},
		{"a NOT BETWEEN b AND c IS TRUE", "[TRUE? not-between[a, b, c]]"},
		{"a BETWEEN ASYMMETRIC b AND c", "between[a, b, c]"},
		{"a BETWEEN symmetric AND c", "between[a, symmetric, c]"}, // GRAM-15: a column
		{"a BETWEEN b AND c AND d BETWEEN e AND f", "[between[a, b, c] AND between[d, e, f]]"},
		{"a + 1 IN (b, c + 1)", "in[[a + 1], b, [c + 1]]"},
		{"a NOT IN (b OR c)", "not-in[a, [b OR c]]"},
		{"a || 'x' LIKE b || '%' ESCAPE c || d", "like[[a || 'x'], [b || '%'], [c || d]]"},
		{"a NOT LIKE b AND c", "[not-like[a, b] AND c]"},
		{"a LIKE b ESCAPE 'x' IS FALSE", "[FALSE? like[a, b, 'x']]"},
		{"a IS DISTINCT FROM b + 1", "isdistinct[a, [b + 1]]"},
		{"a IS NOT DISTINCT FROM b OR c", "[not-isdistinct[a, b] OR c]"},
		{"a + 1 IS NOT NULL", "not-isnull[[a + 1]]"},
		{"EXISTS (SELECT 1) AND NOT EXISTS (VALUES 1)", "[exists[] AND [NOT exists[]]]"},
		{"EXISTS (SELECT 1) IS TRUE", "[TRUE? exists[]]"},
		{"(SELECT 1) + a", "[subquery[] + a]"},
		{"a IN (SELECT x FROM t)", "in[a, subquery[]]"},
		{"CASE a WHEN b THEN c ELSE d END + 1", "[case[b, c] + 1]"},
		{"f(a + b, c = d)", "f[[a + b], [c = d]]"},
		{"POSITION(a || b IN c)", "position[[a || b], c]"},
		{"POSITION(a IN c) IN (1)", "in[position[a, c], 1]"},
		{"TRIM(LEADING a FROM b)", "trim[b, a]"},
		{"TRIM(a FROM b)", "trim[b, a]"},
		{"TRIM(BOTH FROM b)", "trim[b]"},
		{"TRIM(leading)", "trim[leading]"}, // GRAM-15: a column
		{"TRIM(a, b)", "trim[a, b]"},
		{"SUBSTRING(a FROM b + 1 FOR c)", "substring[a, [b + 1], c]"},
		{"SUBSTRING(a, b)", "substring[a, b]"},
		{"MOD(a, 2) = 0 AND div > 1", "[[mod[a, 2] = 0] AND [div > 1]]"},
		{"EXTRACT(YEAR FROM a - b)", "extract[[a - b]]"},
		{"CAST(a + b AS bigint)", "cast[[a + b]]"},
		{"ARRAY[a, b + 1]", "array[a, [b + 1]]"},
		{"FINAL LAST(a) - RUNNING FIRST(b)", "[last[a] - first[b]]"},
		{"n * INTERVAL '1' MINUTE", "[n * INTERVAL '1' MINUTE]"},
	} {
		if got := grouped(parse(t, c.src)); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
	}
}

func TestNodes(t *testing.T) {
	n := parse(t, "a.\"b\".C")
	if n.Kind != Name || len(n.Names) != 3 || n.Names[0].Text != "A" || n.Names[1].Text != "b" || !n.Names[1].Quoted || n.Names[2].Text != "C" {
		t.Errorf("%+v", n)
	}
	n = parse(t, "CASE a WHEN 1 THEN b WHEN 2 THEN c ELSE d END")
	if n.Operand == nil || len(n.Args) != 4 || n.Else == nil || n.Else.Names[0].Text != "D" {
		t.Errorf("%+v", n)
	}
	n = parse(t, "CASE WHEN a THEN b END")
	if n.Operand != nil || len(n.Args) != 2 || n.Else != nil {
		t.Errorf("%+v", n)
	}
	n = parse(t, "FINAL array_agg(DISTINCT x ORDER BY y DESC NULLS LAST, z) FILTER (WHERE b > 1) OVER w")
	if n.Kind != Call || n.Semantics != Final || n.Names[0].Text != "ARRAY_AGG" || !n.Distinct || len(n.Args) != 1 || len(n.OrderBy) != 2 ||
		!n.OrderBy[0].Descending || n.OrderBy[0].NullsFirst == nil || *n.OrderBy[0].NullsFirst || n.OrderBy[1].NullsFirst != nil ||
		n.Filter == nil || n.Filter.Kind != Binary || n.Over == nil || n.Over.Name.Text != "W" || n.Within {
		t.Errorf("%+v", n)
	}
	n = parse(t, "LISTAGG(x, ',') WITHIN GROUP (ORDER BY y) OVER (PARTITION BY (z))")
	if !n.Within || len(n.OrderBy) != 1 || len(n.Args) != 2 || !n.Over.Inline || token.SQL(n.Over.Spec) != "PARTITION BY (Z)" {
		t.Errorf("%+v", n)
	}
	// WIN-7: a measure of a window.
	n = parse(t, "m OVER w")
	if n.Kind != Name || n.Over == nil || n.Over.Name.Text != "W" {
		t.Errorf("%+v", n)
	}
	n = parse(t, "(SELECT MAX(x) FROM (VALUES (1)) AS t(x))")
	if n.Kind != Subquery || token.SQL(n.Tokens) != "SELECT MAX(X) FROM (VALUES (1)) AS T(X)" || n.Parens {
		t.Errorf("%+v", n)
	}
	n = parse(t, "CURRENT_DATE")
	if n.Kind != Call || !n.NoParens || n.Names[0].Text != "CURRENT_DATE" {
		t.Errorf("%+v", n)
	}
	n = parse(t, "COUNT(a.*)")
	if n.Args[0].Kind != Star || len(n.Args[0].Names) != 1 {
		t.Errorf("%+v", n)
	}
	// TRIM: the string comes first, as in the comma form.
	n = parse(t, "TRIM(TRAILING 'x' FROM y)")
	if !n.From || n.Trim != "TRAILING" || n.Args[0].Kind != Name || n.Args[1].Kind != Literal {
		t.Errorf("%+v", n)
	}
	n = parse(t, ":From_day")
	if n.Kind != Param || n.Text != "FROM_DAY" {
		t.Errorf("%+v", n)
	}
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		src  string
		typ  value.Type
		text string // as value.Format writes it
	}{
		{"12", value.TypeInteger, "12"},
		{"3000000000", value.TypeBigint, "3000000000"},
		{"1.50", value.DecimalType(3, 2), "1.50"},
		{"1.5e1", value.TypeDouble, "15"},
		{"'it''s'", value.TypeVarchar, "it's"},
		{`'a\n'`, value.TypeVarchar, `a\n`}, // a backslash is an ordinary character
		{"TRUE", value.TypeBoolean, "TRUE"},
		{"DATE '2026-01-02'", value.TypeDate, "2026-01-02"},
	} {
		n := parse(t, c.src)
		if n.Kind != Literal || !n.Type.Equal(c.typ) || !strings.EqualFold(value.Format(n.Value, n.Type), c.text) {
			t.Errorf("%s: %s of type %s, want %s of type %s", c.src, value.Format(n.Value, n.Type), n.Type, c.text, c.typ)
		}
	}
	if n := parse(t, "X'00ff'"); n.Type.Kind != value.Binary || n.Value.AsString() != "\x00\xff" {
		t.Errorf("%+v", n)
	}
	if n := parse(t, "NULL"); n.Kind != Literal || !n.Value.IsNull() || n.Type.Kind != value.Unknown {
		t.Errorf("%+v", n)
	}
	const minute = 60_000_000
	for src, want := range map[string]int64{
		"INTERVAL '5' MINUTE":                 5 * minute,
		"INTERVAL -'5' MINUTE":                -5 * minute,
		"INTERVAL '-5' MINUTE":                -5 * minute,
		"INTERVAL -'-5' MINUTE":               5 * minute,
		"INTERVAL +'5' MINUTE":                5 * minute,
		"INTERVAL '1 01:00' DAY TO MINUTE":    25 * 60 * minute,
		"INTERVAL '0:00:01.5' HOUR TO SECOND": 1_500_000,
	} {
		if n := parse(t, src); n.Type.Kind != value.IntervalDay || n.Value.Raw() != want {
			t.Errorf("%s: %+v", src, n)
		}
	}
	if n := parse(t, "INTERVAL '1-2' YEAR TO MONTH"); n.Type.Kind != value.IntervalYear || n.Value.Raw() != 14 {
		t.Errorf("%+v", n)
	}
	// The words are columns where no literal follows (GRAM-15).
	if got := grouped(parse(t, "date > time AND interval - 1 = timestamp")); got != "[[date > time] AND [[interval - 1] = timestamp]]" {
		t.Error(got)
	}
}

// The places of nodes and operators are those of the source.
func TestPlaces(t *testing.T) {
	src := "é = 'ä' AND\n NOT (b + c) * -2 IS  NOT NULL OR d\nNOT BETWEEN FINAL f(x) AND CASE WHEN y THEN 1 END"
	n := parse(t, src)
	check := func(n *Node, text, op string) {
		t.Helper()
		if got := src[n.Pos.Offset:n.End]; got != text {
			t.Errorf("node is %q, want %q", got, text)
		}
		if op != "" && !strings.HasPrefix(src[n.OpPos.Offset:], op) {
			t.Errorf("operator of %q is at %q, want %q", text, src[n.OpPos.Offset:], op)
		}
		for _, p := range []diag.Pos{n.Pos, n.OpPos} {
			if p.IsValid() && p != diag.Locate(src, p.Offset) {
				t.Errorf("%q: place %+v", text, p)
			}
		}
	}
	check(n, src, "OR")
	and := n.Args[0]
	check(and, "é = 'ä' AND\n NOT (b + c) * -2 IS  NOT NULL", "AND")
	check(and.Args[0], "é = 'ä'", "= 'ä'")
	not := and.Args[1]
	check(not, "NOT (b + c) * -2 IS  NOT NULL", "NOT (")
	check(not.Args[0], "(b + c) * -2 IS  NOT NULL", "IS  NOT")
	product := not.Args[0].Args[0]
	check(product, "(b + c) * -2", "* -2")
	check(product.Args[0], "(b + c)", "+ c")
	check(product.Args[1], "-2", "-2")
	between := n.Args[1]
	check(between, "d\nNOT BETWEEN FINAL f(x) AND CASE WHEN y THEN 1 END", "NOT BETWEEN")
	check(between.Args[1], "FINAL f(x)", "")
	check(between.Args[2], "CASE WHEN y THEN 1 END", "")
}

func TestParsePrefix(t *testing.T) {
	for _, c := range []struct {
		src  string
		used int
	}{
		{"a + 1 AS m, b", 3},
		{"x > 1) z", 3},
		{"a, b", 1},
		{"a mod, b", 1}, // an alias, not an operator
		{"COUNT(*) over FROM t", 4},
		{"a = b ORDER BY c", 3},
		{"a WHERE b", 1},
	} {
		n, used, err := ParsePrefix(c.src, token.Lex(c.src), Options{})
		if err != nil || n == nil || used != c.used {
			t.Errorf("%q: %d tokens, %v, want %d", c.src, used, err, c.used)
		}
	}
}

// GRAM-15: which words are names is the caller's choice; functions keep their names.
func TestReservedWords(t *testing.T) {
	for _, src := range []string{"value > day", "t.match", "COUNT(start)", "unknown", "row = 1"} {
		if _, err := Parse(src, token.Lex(src), Options{}); err != nil {
			t.Errorf("%q: %v", src, err)
		}
		_, err := Parse(src, token.Lex(src), Options{Reserved: token.ISOReserved})
		if e := diag.From(err); src != "unknown" && (e == nil || e.Rule != "GRAM-15") {
			t.Errorf("%q: %v, want GRAM-15", src, err)
		}
	}
	for _, src := range []string{"SUM(x) + ABS(y)", "COALESCE(x, 1)", "MATCH_NUMBER()", `"value"`} {
		if _, err := Parse(src, token.Lex(src), Options{Reserved: token.ISOReserved}); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
	src := "unknown"
	if n, err := Parse(src, token.Lex(src), Options{Reserved: token.ISOReserved}); err != nil || n.Kind != Literal || n.Type.Kind != value.Boolean {
		t.Errorf("UNKNOWN: %+v %v", n, err)
	}
}

// A tree made by hand is printed with the parentheses that it needs.
func TestPrintByHand(t *testing.T) {
	name := func(s string) *Node { return &Node{Kind: Name, Names: []token.Word{{Text: s}}} }
	bin := func(l *Node, op string, r *Node) *Node { return &Node{Kind: Binary, Text: op, Args: []*Node{l, r}} }
	not := func(n *Node) *Node { return &Node{Kind: Unary, Text: "NOT", Args: []*Node{n}} }
	minus := func(n *Node) *Node { return &Node{Kind: Unary, Text: "-", Args: []*Node{n}} }
	a, b, c := name("A"), name("B"), name("C")
	for _, x := range []struct {
		n    *Node
		want string
	}{
		{bin(a, "-", bin(b, "-", c)), "A - (B - C)"},
		{bin(bin(a, "-", b), "-", c), "A - B - C"},
		{bin(bin(a, "+", b), "*", c), "(A + B) * C"},
		{bin(bin(a, "=", b), "=", c), "(A = B) = C"},
		{bin(a, "=", bin(b, "=", c)), "A = (B = C)"},
		{bin(a, "AND", bin(b, "OR", c)), "A AND (B OR C)"},
		{not(bin(a, "AND", b)), "NOT (A AND B)"},
		{not(not(a)), "NOT (NOT A)"},
		{minus(minus(a)), "- -A"},
		{minus(bin(a, "+", b)), "-(A + B)"},
		{bin(bin(a, "||", b), "+", c), "(A || B) + C"},
		{bin(bin(a, "+", b), "||", c), "(A + B) || C"},
		{bin(a, "||", bin(b, "||", c)), "A || (B || C)"},
		{bin(minus(a), "||", b), "(-A) || B"},
		{&Node{Kind: IsNull, Args: []*Node{bin(a, "=", b)}}, "(A = B) IS NULL"},
		{&Node{Kind: IsTruth, Text: "TRUE", Args: []*Node{bin(a, "=", b)}}, "A = B IS TRUE"},
		{&Node{Kind: IsTruth, Text: "TRUE", Args: []*Node{bin(a, "OR", b)}}, "(A OR B) IS TRUE"},
		{&Node{Kind: Literal, Value: value.Int(7), Type: value.TypeInteger}, "7"},
		{minus(&Node{Kind: Literal, Value: value.Int(-7), Type: value.TypeInteger}), "- -7"},
		{name("select"), `"select"`},
	} {
		got := x.n.SQL()
		if got != x.want {
			t.Errorf("%s, want %s", got, x.want)
		}
		if again := parse(t, got); again.SQL() != got {
			t.Errorf("%s parses to %s", got, again.SQL())
		}
	}
}
