package rulebook

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// wantIDs lists the rules chapter by chapter, in the rulebook's order. It is
// written by hand, so that a lost or renumbered rule shows.
var wantIDs = strings.Fields(`
FEAT-1
GRAM-1 GRAM-2 GRAM-3 GRAM-4 GRAM-5 GRAM-6 GRAM-7 GRAM-8 GRAM-9 GRAM-10 GRAM-10a GRAM-11 GRAM-15
GRAM-12 GRAM-13 GRAM-14
PAT-1 PAT-2 PAT-3 PAT-4 PAT-5 PAT-6 PAT-7 PAT-8 PAT-9
SUB-1 SUB-2
PREF-1 PREF-2 PREF-3 PREF-4 PREF-5 PREF-6 PREF-7 PREF-8 PREF-9 PREF-10 PREF-10a PREF-11
MAT-1 MAT-2 MAT-3 MAT-4 MAT-5 MAT-6
DEF-1 DEF-2 DEF-3 DEF-4 DEF-5 DEF-6 DEF-7 DEF-8 DEF-9 DEF-10 DEF-11 DEF-12 DEF-13 DEF-14 DEF-15
COL-1 COL-2 COL-3 COL-4
MEA-1 MEA-2 MEA-3 MEA-4 MEA-5 MEA-6 MEA-7 MEA-8 MEA-9
NAV-1 NAV-2 NAV-3 NAV-4 NAV-5 NAV-6 NAV-7
AGG-1 AGG-2 AGG-3 AGG-4 AGG-5 AGG-6 AGG-7 AGG-8
OUT-1 OUT-2 OUT-3 OUT-4 OUT-5 OUT-6 OUT-7 OUT-8 OUT-9
SKIP-1 SKIP-2 SKIP-3 SKIP-4 SKIP-5 SKIP-6 SKIP-7
ANCH-1 ANCH-2
WIN-1 WIN-2 WIN-3 WIN-4 WIN-5 WIN-6 WIN-7 WIN-8 WIN-9 WIN-10 WIN-11
NUL-1 NUL-2 NUL-3 NUL-4 NUL-5
NEST-1 NEST-2 NEST-3 NEST-4 NEST-5
ERR-1 LEX-1 NAME-1 SQL-1 EVAL-1 LIM-1 DATA-1
IMP-QUOTIENT IMP-NULLS IMP-AVG IMP-STRINGS IMP-INTERVAL
TYPE-1 TYPE-2 TYPE-3 TYPE-4 TYPE-5 TYPE-6 TYPE-7 TYPE-8
`)

func TestAllRulesInOrder(t *testing.T) {
	rules := All()
	if len(rules) != len(wantIDs) {
		t.Errorf("%d rules, want %d", len(rules), len(wantIDs))
	}
	seen := map[string]bool{}
	for i, r := range rules {
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if i < len(wantIDs) && r.ID != wantIDs[i] {
			t.Fatalf("rule %d is %s, want %s", i, r.ID, wantIDs[i])
		}
	}
}

var (
	sqlstate = regexp.MustCompile(`^[0-9A-Z]{5}$`)
	clause   = regexp.MustCompile(`^(9075-2|TR|none|unconfirmed)\b`)
	quoted   = regexp.MustCompile("`[^`]*`")
	sentence = regexp.MustCompile(`[.:;?] |\.$`)
)

func TestRulesAreWellFormed(t *testing.T) {
	titles := map[string]string{}
	for _, r := range All() {
		t.Run(r.ID, func(t *testing.T) {
			if other := titles[r.Title]; other != "" || r.Title == "" {
				t.Errorf("title %q: empty, or that of %q too", r.Title, other)
			}
			titles[r.Title] = r.ID
			if n := len(r.Text); n < 40 || n > 720 {
				t.Errorf("text has %d bytes, want 40 to 720", n)
			}
			plain := quoted.ReplaceAllString(r.Text, "x")
			if n := strings.Count(plain+" ", ". "); n < 1 || n > 5 {
				t.Errorf("text has %d sentences, want 1 to 5", n)
			}
			for _, s := range []string{r.Text, r.Example} {
				if strings.Count(s, "`")%2 != 0 {
					t.Errorf("back quotes do not pair: %s", s)
				}
				if s != "" && !sentence.MatchString(s) {
					t.Errorf("does not end with a full stop: %s", s)
				}
			}
			if !clause.MatchString(r.Clause) {
				t.Errorf("clause %q names no document", r.Clause)
			}
			if r.SQLSTATE != "" && !sqlstate.MatchString(r.SQLSTATE) {
				t.Errorf("SQLSTATE %q", r.SQLSTATE)
			}
			if r.Executable == (r.NotExecutable != "") {
				t.Errorf("executable %v with reason %q", r.Executable, r.NotExecutable)
			}
			if len(r.See) == 0 {
				t.Error("no related rule")
			}
			for _, id := range r.See {
				if other, ok := Lookup(id); !ok || other.ID != id || id == r.ID {
					t.Errorf("see %q: no such rule, or this one", id)
				}
			}
		})
	}
}

// Every reading that a text names is one that can be set: RULE=value with a
// rule of the rulebook.
func TestReadingsNamedInTextsAreOfTheirRule(t *testing.T) {
	reading := regexp.MustCompile(`([A-Z]+-[A-Z0-9]+)=[a-z]+`)
	found := map[string]bool{}
	for _, r := range All() {
		for _, m := range reading.FindAllStringSubmatch(r.Text+r.Example, -1) {
			found[m[1]] = true
			if m[1] != r.ID {
				t.Errorf("%s names a reading of %s", r.ID, m[1])
			}
		}
	}
	for _, id := range strings.Fields(`PAT-2 PAT-5 GRAM-5 GRAM-6 GRAM-12 GRAM-15 SUB-1 DEF-15 AGG-6 AGG-7 OUT-7
		WIN-1 WIN-4 WIN-6 WIN-9 WIN-10 IMP-QUOTIENT IMP-NULLS IMP-AVG IMP-STRINGS IMP-INTERVAL`) {
		if !found[id] {
			t.Errorf("%s does not say how its reading is switched", id)
		}
	}
}

func TestFactsThatOthersRelyOn(t *testing.T) {
	for _, c := range []struct {
		id, state, confidence string
		executable            bool
	}{
		{"FEAT-1", "", High, false},
		{"PREF-9", "", High, false},
		{"DATA-1", "22000", Low, false},
		{"NUL-4", "", High, true},
		{"COL-2", "42000", High, true},
		{"NAV-5", "2202J", High, true},
		{"SKIP-2", "2202K", High, true},
		{"SKIP-3", "2202L", High, true},
		{"LIM-1", "54000", High, true},
		{"EVAL-1", "22000", Medium, true},
		{"WIN-10", "", Low, true},
		{"GRAM-5", "42000", Medium, true},
	} {
		r, ok := Lookup(c.id)
		if !ok || r.SQLSTATE != c.state || r.Confidence != c.confidence || r.Executable != c.executable {
			t.Errorf("%s: found %v, SQLSTATE %q, confidence %q, executable %v", c.id, ok, r.SQLSTATE, r.Confidence, r.Executable)
		}
	}
}

func TestLookupIgnoresCase(t *testing.T) {
	for in, want := range map[string]string{"col-2": "COL-2", " Gram-10A ": "GRAM-10a", "imp-avg": "IMP-AVG", "COL-9": "", "": ""} {
		r, ok := Lookup(in)
		if r.ID != want || ok != (want != "") {
			t.Errorf("Lookup(%q) = %q, %v", in, r.ID, ok)
		}
	}
}

func TestCallersCannotChangeTheRulebook(t *testing.T) {
	r, _ := Lookup("COL-2")
	want := r.See[0]
	r.See[0] = "X"
	All()[0].See[0] = "X"
	if again, _ := Lookup("COL-2"); again.See[0] != want {
		t.Error("Lookup shares its slice")
	}
	if All()[0].See[0] == "X" {
		t.Error("All shares its slices")
	}
}

func TestNearest(t *testing.T) {
	for in, want := range map[string]string{
		"COL-2":                         "COL-2",
		"col2":                          "COL-2",
		"col_2":                         "COL-2",
		"gram 10A":                      "GRAM-10a",
		"COL-9":                         "COL-4",
		"PREF-99":                       "PREF-11",
		"COLL-2":                        "COL-2",
		"OCL-2":                         "COL-2",
		"SKP-2":                         "SKIP-2",
		"quotient":                      "",
		"IMP-QUOTENT":                   "IMP-QUOTIENT",
		"imp-strings=x":                 "IMP-STRINGS",
		"":                              "",
		"---":                           "",
		"nothing like":                  "",
		"\xff\x00":                      "",
		strings.Repeat("COL-2", 100000): "",
	} {
		if got := Nearest(in); got != want {
			t.Errorf("Nearest(%.40q) = %q, want %q", in, got, want)
		}
	}
}

func TestPrint(t *testing.T) {
	r := Rule{ID: "X-1", Title: "Title", Text: strings.Repeat("word ", 30), Example: "`A b` is legal.",
		Clause: "TR 1", Confidence: High, ConfidenceNote: "the rest low", SQLSTATE: "42000",
		NotExecutable: "nothing to see", See: []string{"COL-1", "COL-2"}}
	var b bytes.Buffer
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := "X-1  Title\n\n" +
		strings.TrimSpace(strings.Repeat("word ", 16)) + "\n" + strings.TrimSpace(strings.Repeat("word ", 14)) + "\n\n" +
		"For example: `A b` is legal.\n\n" +
		"clause      TR 1\n" +
		"confidence  high, but the rest low\n" +
		"SQLSTATE    42000\n" +
		"executable  no: nothing to see\n" +
		"see also    COL-1, COL-2\n"
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestPrintedRulesFitTheWidth(t *testing.T) {
	for _, r := range All() {
		var b bytes.Buffer
		if err := r.Print(&b); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if len(line) > printWidth {
				t.Errorf("%s: line of %d: %s", r.ID, len(line), line)
			}
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestPrintReturnsTheWritersError(t *testing.T) {
	r, _ := Lookup("COL-2")
	if err := r.Print(brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

func TestParseRefusesMistakes(t *testing.T) {
	const good = "== X-1  Title\nText.\nClause: TR 1\nConfidence: high\n"
	if _, err := parse(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"no heading", "Text.\n", "before the first heading"},
		{"no title", "== X-1 Title\n", "two spaces"},
		{"twice", good + good, "twice"},
		{"same id, other case", good + strings.ToLower(good), "twice"},
		{"field twice", good + "Clause: TR 2\n", "given twice"},
		{"stray text", good + "More text.\n", "no continuation"},
		{"confidence", strings.Replace(good, "high", "sure", 1), "none of high"},
		{"no clause", strings.Replace(good, "Clause: TR 1\n", "", 1), "missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func ExampleLookup() {
	r, _ := Lookup("skip-2")
	fmt.Println(r.ID, r.Title, r.SQLSTATE)
	// Output: SKIP-2 Target without a row 2202K
}
