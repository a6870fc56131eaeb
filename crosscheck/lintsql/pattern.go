package lintsql

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics"
)

// pattern remarks on PATTERN.
func (l *linter) pattern() {
	greedy, reluctant := false, (*semantics.Pattern)(nil)
	l.c.Pattern.Walk(func(p *semantics.Pattern) {
		switch p.Op {
		case semantics.OpQuantified:
			if p.Min != p.Max {
				if !p.Reluctant {
					greedy = true
				} else if reluctant == nil {
					reluctant = p
				}
			}
			l.quantifier(p)
		case semantics.OpAlternate:
			l.alternation(p)
		case semantics.OpConcat:
			l.neighbours(p)
		case semantics.OpExclude:
			l.add(Remark{Pos: p.Pos, Kind: Refusal, Rule: "PAT-8", Engines: []string{"Databricks", "Flink", "BigQuery", "RisingWave"}, Text: "exclusion {- -} is not known there"})
		case semantics.OpPermute:
			text := fmt.Sprintf("PERMUTE of %d elements", len(p.Sub))
			engines := []string{"PostgreSQL", "Flink", "BigQuery"}
			if len(p.Sub) > 6 {
				engines = append(engines, "DuckDB (at most 6)")
			}
			if len(p.Sub) > 7 {
				engines = append(engines, "Oracle (at most 7)")
			}
			l.add(Remark{Pos: p.Pos, Kind: Refusal, Rule: "PAT-7", Engines: engines, Text: text})
		case semantics.OpPartitionStart, semantics.OpPartitionEnd:
			l.add(Remark{Pos: p.Pos, Kind: Refusal, Rule: "ANCH-1", Engines: []string{"PostgreSQL", "Flink", "RisingWave"}, Text: "anchors are not known there; Databricks takes them only at the ends of the pattern"})
		case semantics.OpEmpty:
			l.add(Remark{Pos: p.Pos, Kind: Refusal, Rule: "PAT-6", Engines: []string{"PostgreSQL", "Flink", "RisingWave"}, Text: "the empty pattern () is not known there"})
		}
	})
	if greedy && reluctant != nil {
		l.add(Remark{Pos: reluctant.Pos, Kind: Silent, Rule: "PREF-4", Engines: []string{"streaming engines with one greed for a whole pattern"},
			Text: "greedy and reluctant quantifiers are mixed: each has its own kind by the rules"})
	}
	if reluctant != nil {
		l.add(Remark{Pos: reluctant.Pos, Kind: Refusal, Rule: "PAT-3", Engines: []string{"Databricks", "Flink (only ??)"}, Text: "reluctant quantifiers are not known there"})
	}
}

// quantifier remarks on one quantifier.
func (l *linter) quantifier(p *semantics.Pattern) {
	body := bare(p.Sub[0])
	if body.CanBeEmpty() {
		m := Remark{Pos: p.Pos, Kind: Silent, Rule: "PREF-8", Engines: []string{"Trino", "DuckDB"},
			Text: "the body of this quantifier can be empty: by the rules an empty iteration ends the quantifier once its lower bound is met; these engines discard it and go on to less preferred branches"}
		if m.Rewrite, m.Instead = withoutEmptyIterations(p), p.String(); m.Rewrite == "" {
			m.Meant = withoutNothing(p)
		}
		l.add(m)
		l.add(Remark{Pos: p.Pos, Kind: Refusal, Rule: "PREF-8", Engines: []string{"Oracle (ORA-62513)"}, Text: "a quantified part that can be empty is refused", Rewrite: m.Rewrite, Instead: m.Instead})
	}
	if body.Op == semantics.OpQuantified && p.Min != p.Max && !fixedRows(body.Sub[0]) {
		l.add(Remark{Pos: p.Pos, Kind: Silent, Rule: "PREF-11", Engines: []string{"optimizers that flatten nested quantifiers"},
			Text: "nested quantifiers over a body of varying length must not be flattened to one"})
	} else if body.Op == semantics.OpQuantified && body.Min > 1 {
		l.add(Remark{Pos: p.Pos, Kind: Silent, Rule: "PREF-11", Engines: []string{"optimizers that flatten nested quantifiers"},
			Text: "a quantifier over " + body.String() + " is not one quantifier with multiplied bounds: the first iteration takes as much as it can"})
	}
	if top := max(p.Min, p.Max); top > 200 {
		l.add(Remark{Pos: p.BoundPos, Kind: Refusal, Rule: "PAT-4", Engines: []string{"Oracle (at most 200)"}, Text: fmt.Sprintf("the bound %d", top)})
	}
	if top := max(p.Min, p.Max); top > 1000 {
		l.add(Remark{Pos: p.BoundPos, Kind: Refusal, Rule: "PAT-4", Engines: []string{"Trino"}, Text: fmt.Sprintf("bounds are written out: %d copies take memory, and a large bound can end the server", top)})
	}
}

// alternation remarks on branches of which one is preferred though another is
// longer.
func (l *linter) alternation(p *semantics.Pattern) {
	for i := 1; i < len(p.Sub); i++ {
		if firstOf(p.Sub[i-1]) != "" && firstOf(p.Sub[i-1]) == firstOf(p.Sub[i]) {
			l.add(Remark{Pos: p.Sub[i].Pos, Kind: Silent, Rule: "PREF-2", Engines: []string{"YDB", "BigQuery (use_longest_match)"},
				Text: "two branches begin alike: by the rules the left one wins, whatever the lengths; these engines take the longest match"})
			return
		}
	}
}

// neighbours remarks on equal bodies side by side.
func (l *linter) neighbours(p *semantics.Pattern) {
	for i := 1; i < len(p.Sub); i++ {
		a, b := p.Sub[i-1], p.Sub[i]
		if a.Op == semantics.OpQuantified && b.Op == semantics.OpQuantified && bare(a.Sub[0]).Equal(bare(b.Sub[0])) && !fixedRows(a.Sub[0]) {
			l.add(Remark{Pos: b.Pos, Kind: Silent, Rule: "PREF-11", Engines: []string{"optimizers that merge neighbours (PostgreSQL's first patches)"},
				Text: "equal groups of varying length side by side must not be merged to one quantifier"})
		}
	}
}

func bare(p *semantics.Pattern) *semantics.Pattern {
	for p.Op == semantics.OpGroup {
		p = p.Sub[0]
	}
	return p
}

// firstOf names the variable that a pattern begins with; "" if there are several.
func firstOf(p *semantics.Pattern) string {
	switch p.Op {
	case semantics.OpVariable:
		return p.Name.Text
	case semantics.OpGroup, semantics.OpExclude, semantics.OpConcat:
		return firstOf(p.Sub[0])
	case semantics.OpQuantified:
		if p.Min > 0 {
			return firstOf(p.Sub[0])
		}
	}
	return ""
}

// fixedRows reports that all candidates of a pattern have equally many rows.
func fixedRows(p *semantics.Pattern) bool {
	_, ok := rowsOf(p)
	return ok
}

func rowsOf(p *semantics.Pattern) (n int, fixed bool) {
	switch p.Op {
	case semantics.OpVariable:
		return 1, true
	case semantics.OpEmpty, semantics.OpPartitionStart, semantics.OpPartitionEnd:
		return 0, true
	case semantics.OpQuantified:
		n, fixed = rowsOf(p.Sub[0])
		return n * p.Min, fixed && p.Min == p.Max
	case semantics.OpAlternate:
		for i, sub := range p.Sub {
			m, ok := rowsOf(sub)
			if !ok || i > 0 && m != n {
				return 0, false
			}
			n = m
		}
		return n, true
	}
	for _, sub := range p.Sub { // group, exclusion, permutation, concatenation
		m, ok := rowsOf(sub)
		if !ok {
			return 0, false
		}
		n += m
	}
	return n, true
}
