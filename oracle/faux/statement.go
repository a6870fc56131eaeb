package faux

import (
	"context"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// Run evaluates a statement. The Recognizer of the options is not used.
func (m *Mutant) Run(ctx context.Context, sql string, o query.Options, lim matcher.Limits) (*query.Result, error) {
	s, dropped, err := m.prepare(sql, o)
	if err != nil {
		return nil, err
	}
	if m.changesColumns() {
		m.spellOutput(s, o)
	}
	r := &recognizer{m: m, lim: lim, dropped: dropped, twice: m.lie == advancedTwice && sharesWindow(s.text)}
	o.Recognizer = r
	res, err := query.Run(ctx, s.text, o)
	return res, s.back(err)
}

// Check parses and binds a statement; nil accepts it.
func (m *Mutant) Check(sql string, o query.Options) error {
	_, _, err := m.prepare(sql, o)
	return err
}

// prepare returns the statement as the mutant reads it, or the error that it
// reports.
func (m *Mutant) prepare(sql string, o query.Options) (s *script, dropped bool, err error) {
	s = m.read(sql)
	var clauses []*semantics.Clause
	check := func() error {
		st, err := query.Parse(s.text, o.Readings)
		if err != nil {
			return err
		}
		b, err := query.Bind(st, o)
		if err != nil {
			return err
		}
		clauses = b.Recognitions()
		return nil
	}
	if dropped, err = m.accept(s, check); err != nil {
		return s, dropped, err
	}
	for _, c := range clauses {
		if err := m.refusal(c); err != nil {
			return s, dropped, s.back(err)
		}
	}
	return s, dropped, nil
}

// read returns a statement as the mutant's lexer sees it.
func (m *Mutant) read(sql string) *script {
	s := newScript(sql)
	switch m.lie {
	case quotedNamesConfused:
		confuseQuotes(s)
	case permuteOfOne:
		namePermutes(s)
	}
	return s
}

// Labelled returns a pattern and its labelled rows as the mutant reads them: a
// variable that is not defined holds on every row.
func (m *Mutant) Labelled(pattern string, rows [][]string) (string, [][]string) {
	if m.lie != permuteOfOne {
		return pattern, rows
	}
	s := newScript(pattern)
	if namePermutes(s); s.text == pattern {
		return pattern, rows
	}
	out := make([][]string, len(rows))
	for i, r := range rows {
		out[i] = append(slices.Clone(r), permuteName)
	}
	return s.text, out
}

// permuteName is the name of the variable that PERMUTE is taken for.
const permuteName = "PERMUTE"

// namePermutes quotes PERMUTE before an element that stands alone in its
// parentheses, so that it is a variable.
func namePermutes(s *script) {
	list := lex(s.text)
	for i := len(list) - 2; i >= 0; i-- {
		if !list[i].is(permuteName) || !list[i+1].op("(") {
			continue
		}
		end := closing(list, i+1)
		if end < 0 {
			continue
		}
		depth, alone := 0, true
		for _, l := range list[i+1 : end] {
			switch {
			case l.op("(", "{", "{-"):
				depth++
			case l.op(")", "}", "-}"):
				depth--
			case l.op(",") && depth == 1:
				alone = false
			}
		}
		if alone {
			s.replace(list[i].from, list[i].to, `"`+permuteName+`"`)
		}
	}
}

// Clause parses and binds a clause that begins with MATCH_RECOGNIZE.
func (m *Mutant) Clause(sql string, input *semantics.RowType, o semantics.Options) (*semantics.Clause, error) {
	s := m.read(sql)
	var c *semantics.Clause
	_, err := m.accept(s, func() error {
		var err error
		c, err = semantics.Parse(s.text, input, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := m.refusal(c); err != nil {
		return nil, s.back(err)
	}
	return c, nil
}

// accept checks a statement, and as long as the error is one that the mutant
// does not see, changes the statement so that it is gone. It returns the error
// that is left, and whether a pattern was dropped.
func (m *Mutant) accept(s *script, check func() error) (dropped bool, err error) {
	const most = 50 // errors of one statement
	for range most {
		if err = check(); err == nil {
			return dropped, nil
		}
		if !m.forgive(s, diag.From(err)) {
			break
		}
		dropped = dropped || m.lie == patternDropped
	}
	return dropped, s.back(err)
}

// refusal is the error of a mutant that refuses a legal clause.
func (m *Mutant) refusal(c *semantics.Clause) error {
	const hint = "this is the mutant's lie"
	switch m.lie {
	case undefinedIsError:
		for _, v := range c.Vars[:c.Primaries] {
			if v.Define == nil {
				return diag.New(diag.Semantic, "DEF-1", v.Name.Pos, "%s has no definition", v.Name).In(c.Source).WithHint(hint)
			}
		}
	case exclusionOneRow:
		if c.Window == nil && c.Rows == semantics.OneRow && c.HasExclusion() {
			var at diag.Pos
			c.Pattern.Walk(func(p *semantics.Pattern) {
				if p.Op == semantics.OpExclude && !at.IsValid() {
					at = p.Pos
				}
			})
			return diag.New(diag.Semantic, "OUT-7", at, "exclusion with ONE ROW PER MATCH").In(c.Source).WithHint(hint)
		}
	case skipErrorsEarly:
		if c.Skip.To != semantics.ToFirst && c.Skip.To != semantics.ToLast {
			return nil
		}
		missing, first := mayMiss(c)
		switch {
		case missing:
			return diag.New(diag.Semantic, "SKIP-2", c.Skip.Pos, "a match may have no row of the skip target").In(c.Source).WithHint(hint)
		case first:
			return diag.New(diag.Semantic, "SKIP-3", c.Skip.Pos, "a match may begin with the skip target").In(c.Source).WithHint(hint)
		}
	}
	return nil
}

// confuseQuotes writes quoted row pattern variables in upper case.
func confuseQuotes(s *script) {
	list := lex(s.text)
	quoted := map[string]bool{}
	for i, l := range list {
		if !l.is("PATTERN", "SUBSET") {
			continue
		}
		end := len(list)
		if l.is("PATTERN") && i+1 < len(list) && list[i+1].op("(") {
			if c := closing(list, i+1); c >= 0 {
				end = c
			}
		} else {
			end = after(list, i, "DEFINE")
		}
		for _, x := range list[i:end] {
			if x.kind == 'q' {
				quoted[x.text] = true
			}
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		if l := list[i]; l.kind == 'q' && quoted[l.text] {
			s.replace(l.from, l.to, `"`+strings.ReplaceAll(strings.ToUpper(l.text), `"`, `""`)+`"`)
		}
	}
}

// sharesWindow reports that two functions stand over one window with a pattern.
func sharesWindow(sql string) bool {
	list := lex(sql)
	seen := map[string]bool{}
	for i, l := range list {
		if !l.is("OVER") || i+1 >= len(list) {
			continue
		}
		key := list[i+1].text
		if list[i+1].op("(") {
			if end := closing(list, i+1); end >= 0 {
				key = sql[list[i+1].from:list[end].to]
			}
		}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}
