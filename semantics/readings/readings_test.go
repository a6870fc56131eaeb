package readings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// want lists the readings of chapters 17 and 17.1 with their values, by hand.
var want = []struct {
	id     ID
	rule   string
	values string
}{
	{PAT2, "PAT-2", "bracket error"},
	{PAT5, "PAT-5", "alternative"},
	{GRAM5, "GRAM-5", "alternative"},
	{GRAM6, "GRAM-6", "alternative"},
	{GRAM12, "GRAM-12", "alternative"},
	{SUB1, "SUB-1", "alternative"},
	{DEF15, "DEF-15", "unknown"},
	{AGG6, "AGG-6", "alternative"},
	{OUT7, "OUT-7", "alternative"},
	{WIN1, "WIN-1", "alternative"},
	{WIN4, "WIN-4", "alternative"},
	{WIN6, "WIN-6", "alternative"},
	{WIN9, "WIN-9", "alternative"},
	{WIN10, "WIN-10", "alternative"},
	{IMPQuotient, "IMP-QUOTIENT", "exact"},
	{IMPNulls, "IMP-NULLS", "alternative"},
	{AGG7, "AGG-7", "alternative"},
	{IMPAvg, "IMP-AVG", "double argument"},
	{IMPStrings, "IMP-STRINGS", "padspace"},
	{GRAM15, "GRAM-15", "alternative"},
	{IMPInterval, "IMP-INTERVAL", "error"},
}

func TestAllReadings(t *testing.T) {
	all := All()
	if len(all) != len(want) {
		t.Fatalf("%d readings, want %d", len(all), len(want))
	}
	for i, w := range want {
		r := all[i]
		var names []string
		for _, a := range r.Alternatives {
			names = append(names, a.Name)
			if a.Meaning == "" || a.Meaning == r.Default {
				t.Errorf("%s=%s: meaning %q", r.Rule, a.Name, a.Meaning)
			}
		}
		if r.Rule != w.rule || r.ID != w.id || strings.Join(names, " ") != w.values {
			t.Errorf("reading %d is %s (id %d) with %v, want %s (%d) with %s", i, r.Rule, r.ID, names, w.rule, w.id, w.values)
		}
		if !strings.HasSuffix(r.Question, "?") || r.Default == "" {
			t.Errorf("%s: question %q, default %q", r.Rule, r.Question, r.Default)
		}
		if !slices.Contains([]string{"high", "medium", "low"}, r.Confidence) {
			t.Errorf("%s: confidence %q", r.Rule, r.Confidence)
		}
	}
}

// Every value of every reading sets exactly that reading, prints as it was
// named and can be taken back.
func TestEveryValueCanBeSetAndTakenBack(t *testing.T) {
	for _, w := range want {
		for i, name := range strings.Fields(w.values) {
			t.Run(w.rule+"="+name, func(t *testing.T) {
				setting := w.rule + "=" + name
				for _, spelling := range []string{setting, strings.ToLower(setting), " " + w.rule + " = " + strings.ToUpper(name) + " "} {
					s, err := Parse(spelling)
					if err != nil {
						t.Fatal(err)
					}
					for _, other := range want {
						if s.Is(other.id) != (other.id == w.id) || s.Alternative(other.rule) != (other.id == w.id) {
							t.Errorf("%q: Is(%s) = %v", spelling, other.rule, s.Is(other.id))
						}
					}
					if s.Choice(w.id) != Choice(i+1) || s.String() != setting {
						t.Errorf("%q: choice %d, prints %q", spelling, s.Choice(w.id), s)
					}
					if s != (Set{}).With(w.id, Choice(i+1)) {
						t.Errorf("%q differs from With", spelling)
					}
					if err := s.Apply(w.rule + "=Default"); err != nil || s != (Set{}) {
						t.Errorf("after default: %q, %v", s, err)
					}
				}
			})
		}
		t.Run(w.rule+"=alternative", func(t *testing.T) {
			s, err := Parse(w.rule + "=alternative")
			if err != nil || s.Choice(w.id) != First {
				t.Errorf("choice %d, error %v; want the first alternative", s.Choice(w.id), err)
			}
		})
	}
}

func TestSeveralSettings(t *testing.T) {
	for _, c := range []struct {
		settings []string
		want     string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{" \t"}, ""},
		{[]string{"WIN-10=alternative", "PAT-2=error"}, "PAT-2=error, WIN-10=alternative"},
		{[]string{"imp-avg=double,win-9=alternative"}, "WIN-9=alternative, IMP-AVG=double"},
		{[]string{"IMP-AVG=double", "IMP-AVG=argument"}, "IMP-AVG=argument"},
		{[]string{"WIN-9=alternative, WIN-9=default"}, ""},
		{[]string{"IMP-QUOTIENT=alternative"}, "IMP-QUOTIENT=exact"},
	} {
		s, err := Parse(c.settings...)
		if err != nil || s.String() != c.want {
			t.Errorf("Parse(%q) = %q, %v; want %q", c.settings, s, err, c.want)
		}
		if again, err := Parse(s.String()); err != nil || again != s {
			t.Errorf("%q does not read back: %q, %v", s, again, err)
		}
	}
}

func TestWrongSettings(t *testing.T) {
	for _, c := range []struct {
		setting, message, hint string
		column                 int
	}{
		{"WIN-10", "RULE=VALUE", "WIN-10=alternative", 1},
		{"COL-2=alternative", `no reading belongs to a rule "COL-2"`, "PAT-2, PAT-5, GRAM-5", 1},
		{"=alternative", `rule ""`, "WIN-10", 1},
		{"IMP-AVG=exact", `IMP-AVG has no value "exact"`, "are default, alternative, double, argument", 1},
		{"WIN-10=", `WIN-10 has no value ""`, "are default, alternative", 1},
		{"WIN-10=padspace", `no value "padspace"`, "are default, alternative", 1},
		{"WIN-10=default=x", `no value "default=x"`, "are default, alternative", 1},
		{"WIN-9=default,  SUB-1=no", `SUB-1 has no value "no"`, "default, alternative", 17},
		{"WIN-9=default,,SUB-1=default", "RULE=VALUE", "WIN-10", 15},
		{"WIN-9=default,", "RULE=VALUE", "WIN-10", 15},
		{"\xff\x00=\x1b[31m", `"\xff\x00"`, "WIN-10", 1},
		{strings.Repeat("x", 1<<20), "RULE=VALUE", "", 1},
	} {
		before := (Set{}).With(WIN9, First).With(IMPAvg, IMPAvgDouble)
		s := before
		err := s.Apply(c.setting)
		var e *diag.Error
		if !errors.As(err, &e) {
			t.Errorf("Apply(%.40q) gives %v, want a *diag.Error", c.setting, err)
			continue
		}
		if e.Stage != diag.Semantic || e.Rule != "NAME-1" || e.SQLSTATE != "42000" || e.Pos.Column != c.column {
			t.Errorf("%.40q: stage %v, rule %s, SQLSTATE %s, column %d", c.setting, e.Stage, e.Rule, e.SQLSTATE, e.Pos.Column)
		}
		if !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) || len(e.Message) > 200 {
			t.Errorf("%.40q: message %.200q, hint %q", c.setting, e.Message, e.Hint)
		}
		if s != before {
			t.Errorf("%.40q: the set changed to %q", c.setting, s)
		}
		if got, err := Parse("WIN-10=alternative", c.setting); err == nil || got != (Set{}) {
			t.Errorf("Parse with %.40q: %q, %v", c.setting, got, err)
		}
	}
}

func TestWithIgnoresChoicesThatDoNotExist(t *testing.T) {
	s := (Set{}).With(WIN10, First)
	if s.With(WIN10, 2) != s || s.With(PAT2, 3) != s || s.With(numIDs, 1) != s {
		t.Error("With made a choice that does not exist")
	}
	if s.With(WIN10, Default) != (Set{}) {
		t.Error("With did not return to the default")
	}
}

func TestAlternativeOfARuleWithoutReadings(t *testing.T) {
	if (Set{}).Alternative("COL-2") || (Set{}).Alternative("") {
		t.Error("a rule without readings has an alternative")
	}
}

// IMP-QUOTIENT, IMP-AVG, IMP-STRINGS and IMP-INTERVAL reach the value package,
// each on its own; no other reading does.
func TestValueOptions(t *testing.T) {
	special := map[string]value.Options{
		"IMP-QUOTIENT=exact":   {ExactQuotient: true},
		"IMP-AVG=double":       {Avg: value.AvgDouble},
		"IMP-AVG=argument":     {Avg: value.AvgArgument},
		"IMP-STRINGS=padspace": {PadSpace: true},
		"IMP-INTERVAL=error":   {StrictIntervals: true},
	}
	if got := (Set{}).ValueOptions(); got != (value.Options{}) {
		t.Errorf("defaults give %+v", got)
	}
	for _, w := range want {
		for _, name := range strings.Fields(w.values) {
			setting := w.rule + "=" + name
			s, err := Parse(setting)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.ValueOptions(); got != special[setting] {
				t.Errorf("%s gives %+v, want %+v", setting, got, special[setting])
			}
		}
	}
}

func TestValues(t *testing.T) {
	r, ok := Lookup("imp-avg")
	if !ok || r.ID != IMPAvg {
		t.Fatalf("Lookup gives %v, %v", r, ok)
	}
	if got := strings.Join(r.Values(), " "); got != "default alternative double argument" {
		t.Errorf("values %s", got)
	}
	for c, want := range []string{"default", "double", "argument", "default"} {
		if got := r.Value(Choice(c)); got != want {
			t.Errorf("choice %d is %s, want %s", c, got, want)
		}
	}
	if _, ok := Lookup("COL-2"); ok {
		t.Error("COL-2 has a reading")
	}
}

func TestCallersCannotChangeTheTable(t *testing.T) {
	All()[PAT2].Alternatives[0].Name = "x"
	if _, err := Parse("PAT-2=bracket"); err != nil {
		t.Error(err)
	}
}

func ExampleParse() {
	s, err := Parse("win-10=alternative", "imp-avg=double")
	fmt.Println(s, err)
	fmt.Println(s.Is(WIN10), s.Is(WIN9))
	_, err = Parse("SUB-1=ignored")
	fmt.Println(err)
	// Output:
	// WIN-10=alternative, IMP-AVG=double <nil>
	// true false
	// 1:1: semantic error NAME-1 (SQLSTATE 42000): SUB-1 has no value "ignored"; the values of SUB-1 are default, alternative
}
