package crosscheck

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Local asks a matcher of this project about a case. The answer has the form of
// the case's expected text, by lines.
type Local struct {
	Engine matcher.Engine
	Limits matcher.Limits
	mutant *faux.Mutant // also the Engine; it binds, runs and judges statements itself
}

// Answer returns what the matcher says. An error of the case itself, such as a
// skip target without a row, is part of the answer where the kind of case can
// expect one; other errors, limits included, are returned.
func (l Local) Answer(ctx context.Context, c *corpus.Case) ([]string, error) {
	lim := l.Limits
	if c.Steps != 0 {
		lim.Steps = c.Steps
	}
	switch c.Kind {
	case corpus.Labels:
		return l.labels(ctx, c, lim)
	case corpus.Match:
		return l.match(ctx, c, lim)
	case corpus.Prefer:
		return l.prefer(ctx, c, lim)
	case corpus.Recognize, corpus.Window:
		return l.query(ctx, c, lim)
	case corpus.Refuse:
		return l.refuse(c)
	}
	return nil, fmt.Errorf("no matcher answers a case of kind %s", c.Kind)
}

// labels answers with the preferred match at each row.
func (l Local) labels(ctx context.Context, c *corpus.Case, lim matcher.Limits) ([]string, error) {
	rows, err := labelRows(c)
	if err != nil {
		return nil, err
	}
	pattern := c.Pattern
	if l.mutant != nil {
		pattern, rows = l.mutant.Labelled(pattern, rows)
	}
	clause, in, err := semantics.LabelledReading(pattern, c.Subset, rows, c.Readings)
	if err != nil {
		return nil, err
	}
	if c.Starts != nil {
		return l.starts(ctx, c.Starts, clause, in, lim)
	}
	mappings, err := matcher.Map(ctx, l.Engine, clause, in, lim)
	if err != nil {
		return nil, err
	}
	return MappingLines(clause, mappings), nil
}

// starts answers for some starting rows alone, the others are not attempted.
func (l Local) starts(ctx context.Context, starts []int, clause *semantics.Clause, in *table.Table, lim matcher.Limits) ([]string, error) {
	program, err := l.Engine.Compile(clause, lim)
	if err != nil {
		return nil, err
	}
	parts, err := clause.Partitions(in) // one: there is no PARTITION BY
	if err != nil {
		return nil, err
	}
	find, err := program.Partition(parts[0])
	if err != nil {
		return nil, err
	}
	n := parts[0].Len()
	var out []string
	for _, s := range starts {
		m, found, err := find.Find(ctx, matcher.Attempt{Start: s - 1, End: n, Lo: 0, Hi: n, MatchNumber: 1})
		if err != nil {
			return nil, err
		}
		text := "-"
		if found {
			text = MappingText(clause, &m)
		}
		out = append(out, fmt.Sprintf("%d: %s", s, text))
	}
	return out, nil
}

// MappingLines writes one line for each starting row: "1: A {B}", "2: ()" for
// an empty match, "3: -" for none.
func MappingLines(c *semantics.Clause, mappings []*semantics.Mapping) []string {
	out := make([]string, len(mappings))
	for i, m := range mappings {
		out[i] = fmt.Sprintf("%d: %s", i+1, MappingText(c, m))
	}
	return out
}

// MappingText writes a mapping as a case file does; nil is no match.
func MappingText(c *semantics.Clause, m *semantics.Mapping) string {
	switch {
	case m == nil:
		return "-"
	case m.IsEmpty():
		return "()"
	}
	names := make([]string, len(m.Vars))
	for i, v := range m.Vars {
		names[i] = c.Name(v)
		if m.IsExcluded(i) {
			names[i] = "{" + names[i] + "}"
		}
	}
	return strings.Join(names, " ")
}

// match answers like labels, partition by partition.
func (l Local) match(ctx context.Context, c *corpus.Case, lim matcher.Limits) ([]string, error) {
	clause, in, err := bindMatch(c, l.parse)
	if err != nil {
		return nil, err
	}
	parts, err := clause.Partitions(in)
	if err != nil {
		return nil, err
	}
	mappings, err := matcher.Map(ctx, l.Engine, clause, in, lim)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range parts {
		if head := partitionHead(clause, p); head != "" {
			out = append(out, head)
		}
		out = append(out, MappingLines(clause, mappings[:p.Len()])...)
		mappings = mappings[p.Len():]
	}
	return out, nil
}

// prefer answers with the candidates of a pattern, most preferred first. The
// enumerator lists them with their derivations. Another matcher is asked for
// all its feasible candidates on rows where every variable holds; it knows no
// brackets, so it confirms the expected list if that has the same rows.
func (l Local) prefer(ctx context.Context, c *corpus.Case, lim matcher.Limits) ([]string, error) {
	p, err := semantics.ParsePattern(c.Pattern)
	if err != nil {
		return nil, err
	}
	switch {
	case l.mutant != nil:
		list, err := l.mutant.Candidates(p, c.Pattern, c.MaxRows)
		for i := range list {
			if list[i] == "" {
				list[i] = `""`
			}
		}
		return list, err
	case l.Engine.Name() == (enumerate.Engine{}).Name():
		return candidates(p, c.MaxRows)
	}
	// Every candidate is listed, whether its anchors hold or not: to a matcher an
	// anchor that always holds is an empty pattern.
	p = p.Clone()
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpPartitionStart || n.Op == semantics.OpPartitionEnd {
			n.Op = semantics.OpEmpty
		}
	})
	lists, err := l.feasible(ctx, p, c.MaxRows, lim)
	if err != nil {
		return nil, err
	}
	want := make([]string, len(c.Answer))
	for i, line := range c.Answer {
		want[i] = strings.Join(strings.Fields(strings.NewReplacer("[", "", "]", "", "{", "", "}", "", "^", "", "$", "", `""`, "").Replace(line)), " ")
	}
	if slices.Equal(want, lists) {
		return c.Answer, nil
	}
	return lists, nil
}

// candidates lists the candidate strings of a pattern (PREF-1 to PREF-8).
func candidates(p *semantics.Pattern, maxRows int) ([]string, error) {
	var out []string
	for cand, err := range enumerate.Candidates(p, maxRows) {
		if err != nil {
			return nil, err
		}
		text := cand.String()
		if text == "" {
			text = `""`
		}
		if out = append(out, text); len(out) > maxCandidates {
			return nil, tooManyCandidates(p)
		}
	}
	return out, nil
}

// isWord reports a name that can be told from its neighbours in a list.
func isWord(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func tooManyCandidates(p *semantics.Pattern) error {
	return diag.New(diag.Limit, "LIM-1", p.Pos, "more than %d candidates", maxCandidates).WithHint("lower rows=")
}

// feasible lists the rows of every feasible candidate that begins at the first
// of n rows on which every variable holds.
func (l Local) feasible(ctx context.Context, p *semantics.Pattern, n int, lim matcher.Limits) ([]string, error) {
	var all []string
	single, plain := true, true
	p.Walk(func(x *semantics.Pattern) {
		if x.Op == semantics.OpVariable {
			all = append(all, x.Name.String())
			single = single && len([]rune(x.Name.Text)) == 1
			plain = plain && isWord(x.Name.Text)
		}
	})
	rows := make([][]string, max(n, 1))
	for i := range rows {
		rows[i] = all
	}
	clause, in, err := semantics.LabelledTree(p, rows)
	if err != nil {
		return nil, err
	}
	program, err := l.Engine.Compile(clause, lim)
	if err != nil {
		return nil, err
	}
	parts, err := clause.Partitions(in)
	if err != nil {
		return nil, err
	}
	f, err := program.Partition(parts[0])
	if err != nil {
		return nil, err
	}
	lister, ok := f.(matcher.Lister)
	if !ok {
		return nil, diag.New(diag.Unsupported, "MAT-1", p.Pos, "this matcher finds the match only, not the candidates behind it")
	}
	sep := " "
	if single {
		sep = ""
	}
	var out []string
	for m, err := range lister.All(ctx, matcher.Attempt{End: n, Hi: n, MatchNumber: 1}) {
		if err != nil {
			return nil, err
		}
		names := make([]string, len(m.Vars))
		for i, v := range m.Vars {
			if names[i] = clause.Name(v); !plain && !single && !isWord(names[i]) {
				names[i] = semantics.Name{Text: names[i], Quoted: true}.String()
			}
		}
		if out = append(out, strings.Join(names, sep)); len(out) > maxCandidates {
			return nil, tooManyCandidates(p)
		}
	}
	return out, nil
}

// maxCandidates bounds the answer to a prefer case.
const maxCandidates = 10_000

// queryOptions makes the tables of a case visible to a statement.
func queryOptions(c *corpus.Case, run query.Recognizer) query.Options {
	params := map[string]scalar.Param{}
	for _, p := range c.Params {
		params[p.Name] = scalar.Param{Type: p.Value.Type, Value: p.Value.Value}
	}
	return query.Options{
		Params: params,
		Tables: func(name string, _ bool) (*table.Table, bool, error) {
			t, ok := c.Table(name)
			return t, ok, nil
		},
		Readings: c.Readings, Recognizer: run,
	}
}

// query answers with the output table, or with the run-time error.
func (l Local) query(ctx context.Context, c *corpus.Case, lim matcher.Limits) ([]string, error) {
	if l.mutant != nil {
		return resultLines(l.mutant.Run(ctx, c.SQL, queryOptions(c, nil), lim))
	}
	return Evaluate(ctx, c, matcher.Using(l.Engine, lim))
}

// Evaluate answers a recognize or window case by its statement, with a
// recognizer: the output table or the run-time error. Any other error is returned.
func Evaluate(ctx context.Context, c *corpus.Case, rec query.Recognizer) ([]string, error) {
	return resultLines(query.Run(ctx, c.SQL, queryOptions(c, rec)))
}

func resultLines(res *query.Result, err error) ([]string, error) {
	if err != nil {
		if e := diag.From(err); e.Stage == diag.Runtime {
			return []string{ErrorText(e)}, nil
		}
		return nil, err
	}
	return TableLines(res.Table, res.Ordered), nil
}

// ErrorText writes an error as the expected text of a recognize case.
func ErrorText(e *diag.Error) string {
	return fmt.Sprintf("error %s %s %s", e.Stage, e.Rule, e.SQLSTATE)
}

// TableLines writes a table: a typed header, a line of SQL literals for each
// row, and "ordered" at the end if the order is part of the answer. Without
// that the rows are sorted by their text, since they are a bag.
func TableLines(t *table.Table, ordered bool) []string {
	var head []string
	for _, c := range t.Columns() {
		head = append(head, semantics.Name{Text: c.Name}.String()+" "+c.Type.String())
	}
	rows := make([]string, t.NumRows())
	for r := range rows {
		var cells []string
		for i, c := range t.Columns() {
			cells = append(cells, value.SQL(t.Value(r, i), c.Type))
		}
		rows[r] = strings.Join(cells, " ")
	}
	if !ordered {
		sort.Strings(rows)
	}
	out := append([]string{strings.Join(head, ", ")}, rows...)
	if ordered {
		out = append(out, "ordered")
	}
	return out
}

// refuse answers with the error that the statement gets, or "accepted".
func (l Local) refuse(c *corpus.Case) ([]string, error) {
	err := l.check(c)
	if err == nil {
		return []string{"accepted"}, nil
	}
	e := diag.From(err)
	return []string{fmt.Sprintf("%s %s %s %d:%d", e.Stage, e.Rule, e.SQLSTATE, e.Pos.Line, e.Pos.Column)}, nil
}

// check parses and binds the statement, or the clause, of a case.
func (l Local) check(c *corpus.Case) error {
	if c.Over == "" {
		if l.mutant != nil {
			return l.mutant.Check(c.SQL, queryOptions(c, nil))
		}
		st, err := query.Parse(c.SQL, c.Readings)
		if err == nil {
			_, err = query.Bind(st, queryOptions(c, nil))
		}
		return err
	}
	in, ok := c.Table(table.FoldName(c.Over))
	if !ok {
		return fmt.Errorf("there is no table %s", c.Over)
	}
	_, err := l.parse(c.SQL, semantics.RowTypeOf(in, table.FoldName(c.Over)), semantics.Options{Readings: c.Readings, Params: queryOptions(c, nil).Params})
	return err
}

// parse parses and binds a clause.
func (l Local) parse(sql string, input *semantics.RowType, o semantics.Options) (*semantics.Clause, error) {
	if l.mutant != nil {
		return l.mutant.Clause(sql, input, o)
	}
	return semantics.Parse(sql, input, o)
}

// SameAnswer compares an answer with the expected text. Rows of a table whose
// order is not part of the answer are compared as a bag. Where a case asks for
// some starting rows alone, the answers at other rows are left aside.
func SameAnswer(c *corpus.Case, want, got []string) bool {
	if c.Starts != nil && len(got) == len(c.Rows) {
		got = linesAt(got, c.Starts)
	}
	if c.Kind == corpus.Recognize || c.Kind == corpus.Window {
		return slices.Equal(normalTable(want), normalTable(got))
	}
	return slices.Equal(want, got)
}

// linesAt returns the lines of some starting rows, of which lines has all.
func linesAt(lines []string, starts []int) []string {
	out := make([]string, len(starts))
	for i, s := range starts {
		out[i] = lines[s-1]
	}
	return out
}

func normalTable(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l
		if lits, err := corpus.Literals(l); i > 0 && err == nil {
			texts := make([]string, len(lits))
			for k, lit := range lits {
				texts[k] = lit.Text
			}
			out[i] = strings.Join(texts, " ")
		}
	}
	if len(out) > 1 && out[len(out)-1] != "ordered" {
		sort.Strings(out[1:])
	}
	return out
}
