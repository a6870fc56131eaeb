package crosscheck

import (
	"context"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Accepting are opinions that are wrong only about what they accept, asked
// about refuse cases alone: for every rule an engine without it, and the engines
// that refuse legal SQL, as chapter 15 of the rulebook's sources lists them.
// They show that a refusal, and the near miss beside it, is worth something.
func Accepting(cases []*corpus.Case) []Opinion {
	var out []Opinion
	seen := map[string]bool{}
	for _, c := range cases {
		if rule := refusedBy(c); rule != "" && !seen[rule] {
			seen[rule] = true
			out = append(out, &LocalOpinion{Label: "without " + rule, Answer: lenient(rule)})
		}
	}
	for _, s := range stricter {
		out = append(out, &LocalOpinion{Label: "strict: " + s.name, Answer: strict(s.refuses)})
	}
	return out
}

// refusedBy returns the rule by which a refuse case is refused.
func refusedBy(c *corpus.Case) string {
	if c.Kind != corpus.Refuse || len(c.Answer) != 1 {
		return ""
	}
	words := strings.Fields(c.Answer[0])
	if len(words) < 2 {
		return ""
	}
	return words[1]
}

// lenient is an engine that lacks a rule: what the rule refuses, it accepts.
type lenient string

// Answer accepts where the expected error is of the rule.
func (l lenient) Answer(_ context.Context, c *corpus.Case) ([]string, error) {
	if refusedBy(c) == string(l) {
		return []string{"accepted"}, nil
	}
	return c.Answer, nil
}

// strict is an engine that refuses clauses of some kind.
type strict func(*semantics.Clause) bool

// Answer refuses legal clauses of the kind.
func (s strict) Answer(_ context.Context, c *corpus.Case) ([]string, error) {
	if c.Kind != corpus.Refuse || len(c.Answer) != 1 || c.Answer[0] != "accepted" {
		return c.Answer, nil
	}
	clauses, err := boundClauses(c)
	if err != nil {
		return nil, err
	}
	for _, clause := range clauses {
		if s(clause) {
			return []string{"refused"}, nil
		}
	}
	return c.Answer, nil
}

// boundClauses binds the recognitions of a refuse case that is legal.
func boundClauses(c *corpus.Case) ([]*semantics.Clause, error) {
	if c.Over == "" {
		st, err := query.Parse(c.SQL, c.Readings)
		if err != nil {
			return nil, err
		}
		b, err := query.Bind(st, queryOptions(c, nil))
		if err != nil {
			return nil, err
		}
		return b.Recognitions(), nil
	}
	in, _ := c.Table(table.FoldName(c.Over))
	clause, err := semantics.Parse(c.SQL, semantics.RowTypeOf(in, table.FoldName(c.Over)), semantics.Options{Readings: c.Readings})
	if err != nil {
		return nil, err
	}
	return []*semantics.Clause{clause}, nil
}

// stricter are the refusals of legal SQL that engines are known for.
var stricter = []struct {
	name    string
	refuses func(*semantics.Clause) bool
}{
	{"a quantified part that can be empty (Oracle)", hasPattern(func(p *semantics.Pattern) bool {
		return p.Op == semantics.OpQuantified && p.Sub[0].CanBeEmpty()
	})},
	{"bounds above 200 (Oracle)", hasPattern(func(p *semantics.Pattern) bool { return p.Max > 200 || p.Min > 200 })},
	{"reluctant quantifiers (Databricks)", hasPattern(func(p *semantics.Pattern) bool { return p.Reluctant })},
	{"exclusion (Databricks, Flink)", hasPattern(func(p *semantics.Pattern) bool { return p.Op == semantics.OpExclude })},
	{"the empty pattern (RisingWave)", hasPattern(func(p *semantics.Pattern) bool { return p.Op == semantics.OpEmpty })},
	{"quoted variables", hasPattern(func(p *semantics.Pattern) bool { return p.Name.Quoted })},
	{"words of the language as names", func(c *semantics.Clause) bool {
		for _, v := range c.Vars {
			if !v.Name.Quoted && languageWords[v.Name.Text] {
				return true
			}
		}
		for _, f := range c.Output.Fields {
			if languageWords[f.Name] {
				return true
			}
		}
		return false
	}},
	{"{n,m} and {n,} (Azure)", hasPattern(func(p *semantics.Pattern) bool {
		return p.Op == semantics.OpQuantified && (p.Min > 1 || p.Max > 1)
	})},
	{"SUBSET (Snowflake, PostgreSQL)", func(c *semantics.Clause) bool { return len(c.Vars) > c.Primaries }},
	{"qualified columns in DEFINE (PostgreSQL)", hasDefine(func(e scalar.Expr) bool {
		r, ok := e.(*semantics.ColumnRef)
		return ok && r.Var != semantics.Universal
	})},
	{"CLASSIFIER and MATCH_NUMBER in DEFINE (Oracle)", hasDefine(func(e scalar.Expr) bool {
		_, a := e.(*semantics.Classifier)
		_, b := e.(*semantics.MatchNumber)
		return a || b
	})},
	{"aggregates in DEFINE (PostgreSQL)", hasDefine(func(e scalar.Expr) bool { _, ok := e.(*semantics.AggregateCall); return ok })},
	{"subqueries in DEFINE (DuckDB, PostgreSQL)", hasDefine(func(e scalar.Expr) bool {
		switch e.(type) {
		case *scalar.Subquery, *scalar.InSubquery, *scalar.Exists:
			return true
		}
		return false
	})},
	{"a condition that is NULL", hasDefine(func(e scalar.Expr) bool { k, ok := e.(*scalar.Const); return ok && k.Value.IsNull() })},
	{"offsets in FIRST and LAST (RisingWave)", hasAny(func(e scalar.Expr) bool { n, ok := e.(*semantics.Navigation); return ok && n.LogicalOffset != nil })},
	{"PREV and NEXT (Flink)", hasAny(func(e scalar.Expr) bool {
		n, ok := e.(*semantics.Navigation)
		return ok && n.Physical != semantics.NoStep
	})},
	{"RUNNING and FINAL (Flink, Azure)", hasAny(func(e scalar.Expr) bool {
		switch n := e.(type) {
		case *semantics.Navigation:
			return n.Final || strings.Contains(strings.ToUpper(n.String()), "RUNNING")
		case *semantics.AggregateCall:
			return n.Final || strings.Contains(strings.ToUpper(n.String()), "RUNNING")
		}
		return false
	})},
	{"DISTINCT, FILTER and ORDER BY in aggregates (Trino)", hasAny(func(e scalar.Expr) bool {
		a, ok := e.(*semantics.AggregateCall)
		return ok && (a.Distinct || a.Filter != nil || len(a.OrderBy) > 0)
	})},
	{"aggregates beyond the five (Oracle, Databricks)", hasAny(func(e scalar.Expr) bool { a, ok := e.(*semantics.AggregateCall); return ok && !a.Fn.R010 })},
	{"CLASSIFIER inside other calls (Oracle)", func(c *semantics.Clause) bool {
		found := false
		for _, m := range c.Measures {
			scalar.Walk(m.Expr, func(e scalar.Expr) bool {
				if e != m.Expr {
					_, is := e.(*semantics.Classifier)
					found = found || is
				}
				return !found
			})
		}
		return found
	}},
	{"ALL ROWS PER MATCH (Flink, Azure)", func(c *semantics.Clause) bool { return c.Rows.IsAll() }},
	{"SKIP TO a variable (PostgreSQL, BigQuery)", func(c *semantics.Clause) bool {
		return c.Skip.To == semantics.ToFirst || c.Skip.To == semantics.ToLast
	}},
	{"a clause without ORDER BY (Flink)", func(c *semantics.Clause) bool { return len(c.OrderBy) == 0 }},
	{"a clause without MEASURES (BigQuery)", func(c *semantics.Clause) bool { return len(c.Measures) == 0 }},
	{"row patterns in windows (all but Trino)", func(c *semantics.Clause) bool { return c.Window != nil }},
	{"SEEK (PostgreSQL)", func(c *semantics.Clause) bool { return c.Seek }},
}

var languageWords = map[string]bool{"FIRST": true, "LAST": true, "NEXT": true, "PREV": true, "PERMUTE": true, "MEASURES": true, "FINAL": true,
	"AFTER": true, "PAST": true, "VALUE": true, "DAY": true, "START": true, "MATCH": true, "DATE": true, "ROW": true, "ROWS": true, "INITIAL": true,
	"SEEK": true, "RUNNING": true, "SKIP": true, "ONE": true, "PER": true, "EMPTY": true, "SHOW": true, "OMIT": true, "TO": true, "KEY": true}

func hasPattern(f func(*semantics.Pattern) bool) func(*semantics.Clause) bool {
	return func(c *semantics.Clause) bool {
		found := false
		c.Pattern.Walk(func(p *semantics.Pattern) { found = found || f(p) })
		return found
	}
}

func hasDefine(f func(scalar.Expr) bool) func(*semantics.Clause) bool {
	return func(c *semantics.Clause) bool {
		for _, v := range c.Vars[:c.Primaries] {
			if v.Define != nil && hasExpr(v.Define, f) {
				return true
			}
		}
		return false
	}
}

func hasAny(f func(scalar.Expr) bool) func(*semantics.Clause) bool {
	inDefine := hasDefine(f)
	return func(c *semantics.Clause) bool {
		for _, m := range c.Measures {
			if hasExpr(m.Expr, f) {
				return true
			}
		}
		return inDefine(c)
	}
}

func hasExpr(e scalar.Expr, f func(scalar.Expr) bool) bool {
	found := false
	scalar.Walk(e, func(x scalar.Expr) bool {
		found = found || f(x)
		return !found
	})
	return found
}
