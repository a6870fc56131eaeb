package reference

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// bind numbers the variables of a pattern in the order of their first
// occurrence, as a clause does, and returns their names.
func bind(p *semantics.Pattern) (names []string) {
	ids := map[string]semantics.VarID{}
	p.Walk(func(n *semantics.Pattern) {
		if n.Op != semantics.OpVariable {
			return
		}
		id, ok := ids[n.Name.Text]
		if !ok {
			id = semantics.VarID(len(names))
			ids[n.Name.Text] = id
			names = append(names, n.Name.Text)
		}
		n.Var = id
	})
	return names
}

// labels are conditions that read label sets: row i belongs to variable v if
// rows[i] contains v's name, a letter.
type labels struct {
	names []string
	rows  []string
	also  func(start int, vars []semantics.VarID) bool // a further condition, which may read the path
	tests int
}

func (l *labels) Holds(_ semantics.Reach, start int, vars []semantics.VarID) (bool, error) {
	l.tests++
	i := len(vars) - 1
	if !strings.Contains(l.rows[start+i], l.names[vars[i]]) {
		return false, nil
	}
	return l.also == nil || l.also(start, vars), nil
}

// search is a machine over labelled rows.
type search struct {
	machine
	*labels
}

// newSearch compiles a pattern for rows written as label sets.
func newSearch(t testing.TB, pattern string, rows []string, lim matcher.Limits) *search {
	t.Helper()
	p, err := semantics.ParsePattern(pattern)
	if err != nil {
		t.Fatalf("pattern %s: %v", pattern, err)
	}
	return searchFor(t, p, rows, lim)
}

func searchFor(t testing.TB, p *semantics.Pattern, rows []string, lim matcher.Limits) *search {
	t.Helper()
	s := &search{labels: &labels{names: bind(p), rows: rows}}
	nodes, root, exclusion, err := compile(p, lim.WithDefaults().Permute)
	if err != nil {
		t.Fatalf("pattern %s: %v", p, err)
	}
	s.machine = machine{nodes: nodes, root: root, exclusion: exclusion, conds: s.labels, length: len(rows),
		budget: newBudget(lim, "", diag.Pos{})}
	return s
}

// at searches for the match at a row, counted from 0.
func (s *search) at(row int) (semantics.Mapping, bool, error) {
	found, err := s.run(context.Background(), matcher.Attempt{Start: row, End: len(s.rows), Hi: len(s.rows), MatchNumber: 1})
	if !found {
		return semantics.Mapping{}, false, err
	}
	return s.mapping(), true, nil
}

// text writes the match at a row, counted from 1, in the notation of the
// rulebook: "1A 2B", with {B} for an excluded row; "empty"; "none".
func (s *search) text(t testing.TB, row int) string {
	t.Helper()
	m, found, err := s.at(row - 1)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return "none"
	}
	return mappingText(m, s.names)
}

func mappingText(m semantics.Mapping, names []string) string {
	if m.IsEmpty() {
		return "empty"
	}
	var out []string
	for i, v := range m.Vars {
		name := names[v]
		if m.IsExcluded(i) {
			name = "{" + name + "}"
		}
		out = append(out, fmt.Sprint(m.Start+i+1, name))
	}
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(out, ";"), " ", ""), ";", " ")
}

// rowsOf splits "A, AB, -" into label sets.
func rowsOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(s, " ", ""), ",")
}

// candidates lists, in the order tried, the rows mapped by every candidate
// that is feasible on rows of the given labels, duplicates kept: the pattern is
// followed by a variable that never holds.
func candidates(t testing.TB, pattern *semantics.Pattern, rows []string, most int) (list []string, complete bool) {
	t.Helper()
	end := &semantics.Pattern{Op: semantics.OpVariable, Name: semantics.Name{Text: "Z"}}
	p := &semantics.Pattern{Op: semantics.OpConcat, Sub: []*semantics.Pattern{pattern.Clone(), end}}
	s := searchFor(t, p, append(append([]string(nil), rows...), "Z"), matcher.Limits{Steps: 200_000})
	last := semantics.VarID(-1)
	for i, name := range s.names {
		if name == "Z" {
			last = semantics.VarID(i)
		}
	}
	// Z holds by its label only on the row after the given ones, which counts as
	// a row so that a candidate can end before it; also makes it fail everywhere.
	for i := range s.rows {
		s.rows[i] += "Z"
	}
	complete = true
	s.also = func(_ int, vars []semantics.VarID) bool {
		if vars[len(vars)-1] != last {
			return true
		}
		if len(list) == most {
			complete = false
			return true
		}
		var b strings.Builder
		for _, v := range vars[:len(vars)-1] {
			b.WriteString(s.names[v])
		}
		list = append(list, b.String())
		return false
	}
	if _, _, err := s.at(0); err != nil {
		complete = false
	}
	return list, complete
}
