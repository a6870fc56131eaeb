package trino

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/oracle"
)

const fiveColumns = `{"name":"k","type":"integer"},{"name":"mn","type":"bigint"},{"name":"id","type":"integer"},{"name":"c","type":"varchar"},{"name":"w","type":"boolean"}`

// Patterns of a batch are joined by UNION ALL, cases of one pattern share a
// SELECT, and the number of the case is the partition key.
func TestBatchStatement(t *testing.T) {
	f := newFake(t)
	f.answer = func(string) string { return onePage(fiveColumns) }
	o := f.oracle(t, Options{})
	var cases []*oracle.Case
	for _, p := range []string{"A | B", "A B?", "A | B", "{- A -} B"} {
		cases = append(cases, mapping(p, "A", "AB", "-"))
	}
	for _, r := range oracle.AskAll(t.Context(), o, cases) {
		if r.Err != nil || mappingText(r.Answer.Mappings) != "-; -; -" {
			t.Errorf("%v %v", r.Answer, r.Err)
		}
	}
	sent := f.sent()
	if len(sent) != 2 { // one of them warms up
		t.Fatalf("%d statements: %q", len(sent), sent)
	}
	sql := sent[1]
	for _, want := range []string{
		"PATTERN (A | B)\nDEFINE A AS is_a, B AS is_b)",
		"PATTERN (A B?)\n",
		"AFTER MATCH SKIP TO NEXT ROW",
		"PARTITION BY k ORDER BY id",
		"'[[0,1,true,false],[0,2,true,true],[0,3,false,false],[2,1,true,false],[2,2,true,true],[2,3,false,false]]'",
		"array(row(k integer, id integer, is_a boolean, is_b boolean))",
		"ARRAY_AGG(CLASSIFIER())",
	} {
		if !strings.Contains(sql, want) {
			t.Errorf("the statement lacks %q:\n%s", want, sql)
		}
	}
	// Four SELECTs: three patterns, and the whole matches of the one with exclusion (OUT-7).
	if n := strings.Count(sql, "UNION ALL"); n != 3 {
		t.Errorf("%d UNION ALL:\n%s", n, sql)
	}
}

// Rows of the answer become mappings: MAT-2 under SKIP TO NEXT ROW.
func TestMappings(t *testing.T) {
	for _, x := range []struct {
		name, pattern string
		rows          []string // of the case
		answer        string   // rows of the answer, without case 0
		want          string
	}{
		{"no match", "A", []string{"A", "A"}, "", "-; -"},
		{"two rows, in any order", "A B", []string{"A", "B"}, `[1,2,"B",false] [1,1,"A",false]`, "A B; -"},
		{"empty (OUT-5)", "A*", []string{"-", "-"}, `[1,1,null,false] [2,2,null,false]`, "(); ()"},
		{"overlapping (OUT-4)", "A A", []string{"A", "A", "A"}, `[1,1,"A",false] [1,2,"A",false] [2,2,"A",false] [2,3,"A",false]`, "A A; A A; -"},
		{"excluded in the middle", "A {- B -} C", []string{"A", "B", "C"}, `[1,1,"A",false] [1,3,"C",false] [1,1,"[\"A\",\"B\",\"C\"]",true]`, "A {B} C; -; -"},
		{"excluded first", "{- A -} B", []string{"A", "B"}, `[1,2,"B",false] [1,1,"[\"A\",\"B\"]",true]`, "{A} B; -"},
		{"all excluded", "{- A+ -}", []string{"A", "A"}, `[1,1,"[\"A\",\"A\"]",true] [2,2,"[\"A\"]",true]`, "{A} {A}; {A}"},
		{"empty with exclusion", "{- A* -}", []string{"-"}, `[1,1,null,false]`, "()"},
		{"quoted name", `"b" A`, []string{"A", "A"}, `[1,1,"b",false] [1,2,"A",false]`, "b A; -"},
	} {
		got, err := mapped(t, x.pattern, x.rows, x.answer, false)
		if err != nil || got != x.want {
			t.Errorf("%s: %s, %v; want %s", x.name, got, err, x.want)
		}
	}
	for _, x := range []struct{ name, pattern, answer string }{
		{"a row that there is not", "A", `[1,4,"A",false]`},
		{"row 0", "A", `[1,0,"A",false]`},
		{"a gap", "A A", `[1,1,"A",false] [1,3,"A",false]`},
		{"no variable inside a match", "A A", `[1,1,"A",false] [1,2,null,false]`},
		{"two matches at a row", "A", `[1,1,"A",false] [2,1,"A",false]`},
		{"a match twice", "{- A -}", `[1,1,"[\"A\"]",true] [1,1,"[\"A\"]",true]`},
		{"too long", "{- A -}", `[1,3,"[\"A\",\"A\"]",true]`},
		{"two variables for a row", "{- A -} B", `[1,1,"[\"A\",\"B\"]",true] [1,2,"A",false]`},
		{"no list", "{- A -}", `[1,1,"A",true]`},
		{"text for a number", "A", `["x",1,"A",false]`},
	} {
		if got, err := mapped(t, x.pattern, []string{"A", "A", "A"}, x.answer, false); err == nil {
			t.Errorf("%s: %s is no error", x.name, got)
		}
	}
}

// In the window form a row has its reduced frame; a constant measure tells an
// empty match from none (WIN-2, WIN-8).
func TestMappingsOfWindows(t *testing.T) {
	got, err := mapped(t, "A*", []string{"A", "A", "-"}, `[1,1,"[\"A\",\"A\"]",true] [3,3,null,true]`, true)
	if err != nil || got != "A A; -; ()" {
		t.Errorf("%s, %v", got, err)
	}
}

func mapped(t *testing.T, pattern string, rows []string, answer string, window bool) (string, error) {
	t.Helper()
	f := newFake(t)
	o := f.oracle(t, Options{})
	m, reason := o.mapping(mapping(pattern, rows...), false)
	if reason != "" {
		t.Fatal(reason)
	}
	var raw [][]json.RawMessage
	for row := range strings.FieldsSeq(answer) {
		var cells []json.RawMessage
		if err := json.Unmarshal([]byte("[0,"+row[1:]), &cells); err != nil {
			t.Fatal(err)
		}
		raw = append(raw, cells)
	}
	out, err := mappings([]*mapCase{{m, nil}}, raw, window)
	if err != nil {
		return "", err
	}
	return mappingText(out[0]), nil
}

// A batch that fails is halved, down to the case that the server cannot do.
func TestBatchIsHalved(t *testing.T) {
	f := newFake(t)
	f.answer = func(sql string) string {
		if strings.Contains(sql, "PATTERN (B{3})") {
			return failed("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "I break")
		}
		return onePage(fiveColumns)
	}
	o := f.oracle(t, Options{})
	var cases []*oracle.Case
	for i := range 8 {
		cases = append(cases, mapping(fmt.Sprintf("B{%d}", i+1), "B"))
	}
	for i, r := range o.AskAll(t.Context(), cases) {
		if i != 2 {
			if r.Err != nil {
				t.Errorf("case %d: %v", i, r.Err)
			}
			continue
		}
		if v, reason := oracle.WhyNot(r.Err); r.Err == nil || v != oracle.Failed || !strings.Contains(reason, "I break") {
			t.Errorf("the case that breaks: %v", r.Err)
		}
	}
	// Warm-up, 8, two of 4, two of 2, two of 1.
	if n := len(f.sent()); n != 8 {
		t.Errorf("%d statements", n)
	}
}

// The server's refusal of a legal pattern is no answer; nor is a resource that
// it lacks.
func TestRefusedPattern(t *testing.T) {
	f := newFake(t)
	f.answer = func(string) string { return failed("NOT_SUPPORTED", "USER_ERROR", "no such pattern") }
	_, v, reason := verdict(t, f.oracle(t, Options{}), mapping("A", "A"))
	if v != oracle.Refused || !strings.Contains(reason, "no such pattern") {
		t.Errorf("%v: %s", v, reason)
	}
}

// A pattern that is refused is so for all its rows: the statement is not halved
// further, as it is where an error may come from the rows.
func TestRefusedPatternOfManyRows(t *testing.T) {
	for _, x := range []struct {
		answer     string
		verdict    oracle.Verdict
		statements int // the warm-up, the batch, its halves, and what they are halved to
	}{
		{failed("NOT_SUPPORTED", "USER_ERROR", "no such pattern"), oracle.Refused, 3 + 1},
		{failed("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "I break"), oracle.Failed, 3 + 1 + 6},
	} {
		f := newFake(t)
		f.answer = func(sql string) string {
			if strings.Contains(sql, "PATTERN (B)") {
				return x.answer
			}
			return onePage(fiveColumns)
		}
		o := f.oracle(t, Options{})
		var cases []*oracle.Case
		for _, p := range []string{"A", "B"} {
			for range 4 {
				cases = append(cases, mapping(p, "B"))
			}
		}
		for i, r := range o.AskAll(t.Context(), cases) {
			if i < 4 {
				if r.Err != nil {
					t.Errorf("case %d: %v", i, r.Err)
				}
				continue
			}
			if v, _ := oracle.WhyNot(r.Err); r.Err == nil || v != x.verdict {
				t.Errorf("case %d: %v, want %v", i, r.Err, x.verdict)
			}
		}
		if n := len(f.sent()); n != x.statements {
			t.Errorf("%s: %d statements, want %d", x.answer, n, x.statements)
		}
	}
}

func TestBatchesKeepTheirLimits(t *testing.T) {
	f := newFake(t)
	o := f.oracle(t, Options{})
	var list []*mapCase
	for i := range 100 {
		m, reason := o.mapping(mapping(fmt.Sprintf("A{%d} B", i+1), "A", "B"), false)
		if reason != "" {
			t.Fatal(reason)
		}
		list = append(list, &mapCase{m, nil})
	}
	total := 0
	for _, b := range batches(list) {
		if len(b) > batchPatterns {
			t.Errorf("a batch of %d patterns", len(b))
		}
		total += len(b)
	}
	if total != len(list) || len(batches(list)) != 9 {
		t.Errorf("%d cases in %d batches", total, len(batches(list)))
	}
}

func TestSupports(t *testing.T) {
	f := newFake(t)
	polite, hostile := f.oracle(t, Options{}), f.oracle(t, Options{Hostile: true})
	own, err := New("trino:jvm", Options{})
	if err != nil {
		t.Fatal(err)
	}
	bomb := mapping("((A{50}){50}){50}", "A")
	broken := mapping("A B", "A")
	broken.ID = "hostile/x#y"
	reading := mapping("A", "A")
	reading.Readings = []string{"WIN-10=alternative"}
	many := mapping("A", strings.Fields(strings.Repeat("A ", 500))...)
	for _, x := range []struct {
		name string
		o    *Oracle
		c    *oracle.Case
		want string // part of the reason; empty: supported
	}{
		{"plain", polite, mapping("A", "A"), ""},
		{"bound on a foreign server", polite, mapping("A{2000,}", "A"), "others use"},
		{"bound on a foreign server, hostile", hostile, mapping("A{2000,}", "A"), ""},
		{"bound on ours", own, mapping("A{2000,}", "A"), ""},
		{"written out too large", own, bomb, "written out"},
		{"hostile case on a foreign server", polite, broken, "--hostile"},
		{"hostile case on ours", own, broken, ""},
		{"rows on a foreign server", polite, many, "400 rows"},
		{"rows on ours", own, many, ""},
		{"bound in a statement", polite, statement("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{1 , 1001}) DEFINE A AS TRUE)"), "above 1000"},
		{"bound in a statement on ours", own, statement("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{1,1001}) DEFINE A AS TRUE)"), ""},
		{"huge bound in a statement", own, statement("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{99999999999999999999}) DEFINE A AS TRUE)"), "put to no server"},
		{"reading", polite, reading, "WIN-10=alternative"},
		{"list of candidates", polite, &oracle.Case{Op: oracle.Prefer, Pattern: "A"}, "list of candidates"},
		{"anchor in a window", polite.Window(), mapping("^ A", "A"), "WIN-9"},
		{"exclusion in a window", polite.Window(), mapping("{- A -}", "A"), "WIN-9"},
		{"pattern in a window", polite.Window(), mapping("A", "A"), ""},
		{"statement for the second witness", polite.Window(), statement("SELECT 1"), "as windows"},
		{"no pattern", polite, mapping("A{", "A"), "in error"},
	} {
		got := x.o.Supports(x.c)
		if x.want == "" && got != "" || x.want != "" && !strings.Contains(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}
