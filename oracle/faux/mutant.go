package faux

import (
	"context"
	"slices"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Mutant is an engine with one fault. It answers every kind of question:
//
//	Compile (with matcher.Map)  labels and match cases
//	Candidates                  prefer cases
//	Run                         statements with their result
//	Check, Clause               statements and clauses to be accepted or refused
//
// It is safe for concurrent use.
type Mutant struct {
	lie   lie
	fault Fault
}

// New returns the mutant of a fault, by its id or name; "" is the engine
// without a fault. The error says that there is no such fault, or why no mutant
// can have it.
func New(id string) (*Mutant, error) {
	if id == "" {
		return &Mutant{}, nil
	}
	f, ok := Lookup(id)
	switch {
	case !ok:
		return nil, diag.New(diag.Semantic, "DATA-1", diag.Pos{}, "there is no fault %s", id).WithHint("corpus lint lists the mutants")
	case f.Inexpressible != "":
		return nil, diag.New(diag.Unsupported, "DATA-1", diag.Pos{}, "the fault %s has no mutant: %s", f.ID, f.Inexpressible).
			WithHint("choose another fault")
	}
	return &Mutant{lie: lie(f.ID), fault: f}, nil
}

// Mutants returns a mutant for every fault that has one, in the order of the list.
func Mutants() []*Mutant {
	var out []*Mutant
	for _, f := range All() {
		if f.Inexpressible == "" {
			out = append(out, &Mutant{lie: lie(f.ID), fault: f})
		}
	}
	return out
}

// Fault returns the mutant's fault; the zero Fault if it has none.
func (m *Mutant) Fault() Fault { return m.fault }

// Name is "faux" for the honest engine, and for a mutant the id and name of its
// fault, such as "faux-31b-empty-tries-again".
func (m *Mutant) Name() string {
	if m.lie == honest {
		return "faux"
	}
	return "faux-" + m.fault.ID + "-" + m.fault.Name
}

// Budgets of one attempt: mutants are for small cases.
const (
	mostTests = 300_000
	mostSteps = 3_000_000
	deepest   = 20_000 // nested nodes of a path
	// fewSteps is the budget that a mutant takes for the end of the search space.
	fewSteps = 30_000
)

// Compile prepares a bound clause. It is an error of stage limit if a PERMUTE
// has too many elements.
func (m *Mutant) Compile(c *semantics.Clause, lim matcher.Limits) (matcher.Program, error) {
	if m.lie == undefinedIsError {
		if err := m.refusal(c); err != nil {
			return nil, err
		}
	}
	return m.compile(c, lim)
}

// program is a clause as a mutant sees it.
type program struct {
	lie    lie
	clause *semantics.Clause
	root   *node
	exprs  exprs
	lim    matcher.Limits
	hides  bool  // the pattern has an exclusion
	lead   *node // the leading loop of one variable, under the fault of absorbed attempts
}

func (m *Mutant) compile(c *semantics.Clause, lim matcher.Limits) (*program, error) {
	p := &program{lie: m.lie, clause: c, lim: lim.WithDefaults()}
	p.lim.Steps = min(p.lim.Steps, mostTests)
	seen := rewrite(c.Pattern, m.lie, c.Source)
	tree := planter{permute: p.lim.Permute, undefined: func(v semantics.VarID) bool { return c.Vars[v].Define == nil }}
	p.root = tree.node(seen, true)
	if tree.err != nil {
		return nil, diag.From(tree.err).In(c.Source)
	}
	p.hides = seen.Has(semantics.OpExclude)
	if m.lie == absorbed {
		p.lead = leadingLoop(p.root)
	}
	p.exprs = m.compileExprs(c)
	return p, nil
}

// leadingLoop is the first branch of an alternation, if it is a loop of one
// variable that must take several rows.
func leadingLoop(n *node) *node {
	if n.op != semantics.OpAlternate || len(n.sub) == 0 {
		return nil
	}
	q := n.sub[0]
	if q.op == semantics.OpQuantified && q.max < 0 && q.min > 1 && q.sub[0].op == semantics.OpVariable {
		return q.sub[0]
	}
	return nil
}

// Partition prepares the search in one partition.
func (p *program) Partition(part *semantics.Partition) (matcher.Finder, error) {
	var following []int32
	if p.lie == fillerReadsOn {
		parts, err := p.partitions(part.Table)
		if err != nil {
			return nil, err
		}
		for i, q := range parts {
			if i+1 < len(parts) && slices.Equal(q.Rows, part.Rows) {
				following = parts[i+1].Rows
			}
		}
	}
	return p.finder(part, following), nil
}

// finder finds the matches of one partition.
type finder struct {
	p      *program
	length int // rows of the partition
	rows   *semantics.Partition
	first  int // where ^ holds besides the first row
	reach  int // the furthest row that the last attempt looked at
	// more asks for a match that takes rows.
	more bool
}

func (p *program) finder(part *semantics.Partition, following []int32) *finder {
	return &finder{p: p, length: part.Len(), first: -1,
		rows: &semantics.Partition{Table: part.Table, Rows: append(slices.Clone(part.Rows), following...)}}
}

// Find returns the match that starts at a.Start.
func (f *finder) Find(ctx context.Context, a matcher.Attempt) (semantics.Mapping, bool, error) {
	cells, ok, err := f.find(ctx, a)
	if err != nil || !ok {
		return semantics.Mapping{}, false, err
	}
	return mapping(a.Start, cells), true, nil
}

func mapping(start int, cells []cell) semantics.Mapping {
	m := semantics.Mapping{Start: start, Vars: make([]semantics.VarID, len(cells))}
	for i, c := range cells {
		m.Vars[i] = c.v
		if c.hidden {
			if m.Excluded == nil {
				m.Excluded = make([]bool, len(cells))
			}
			m.Excluded[i] = true
		}
	}
	return m
}

func (f *finder) find(ctx context.Context, a matcher.Attempt) ([]cell, bool, error) {
	p := f.p
	tester := f.tester(a)
	s := &search{lie: p.lie, root: p.root, start: a.Start, end: a.End, length: f.length, first: f.first, beyond: len(f.rows.Rows) - f.length,
		test: tester.holds, undone: tester.giveBack, reach: a.Start, ctx: ctx, maxSteps: mostSteps, maxTests: p.lim.Steps, maxDepth: deepest,
		pos: p.clause.Pattern.Pos, source: p.clause.Source}
	if p.lie == anchorAtAttempt {
		s.first = a.Start
	}
	if p.lie == budgetIsNoMatch {
		s.maxSteps = fewSteps
	}
	var ok bool
	var err error
	switch {
	case p.lie == threadsMerged:
		ok, err = s.breadth()
	case p.lie == longestWins, p.lie == lastDerivation && p.hides, f.more:
		ok, err = s.all(f.more)
	default:
		ok, err = s.run()
	}
	f.reach = s.reach
	if err != nil && p.lie == budgetIsNoMatch && ctx.Err() == nil && diag.From(err).Stage == diag.Limit {
		return nil, false, nil
	}
	if ok && err == nil && p.lead != nil && f.isAbsorbed(a, s.taken) {
		return nil, false, nil
	}
	return s.taken, ok, err
}

// all goes through all feasible candidates. It takes the first that has rows,
// or the longest, or the last that maps the same rows alike as the first.
func (s *search) all(more bool) (bool, error) {
	found := false
	s.found = func(pos int) bool {
		n := pos - s.start
		switch {
		case more:
			if n == 0 {
				return false
			}
			found = true
			return s.keep(pos)
		case !found, s.lie == longestWins && n > len(s.taken), s.lie == lastDerivation && sameVars(s.taken, s.cells[:n]):
			found = true
			s.keep(pos)
		}
		return false
	}
	_, err := s.run()
	if found && s.lie == lastDerivation {
		err = nil // the first derivations are as good as any
	}
	return found, err
}

func sameVars(a, b []cell) bool {
	return slices.EqualFunc(a, b, func(x, y cell) bool { return x.v == y.v })
}

// isAbsorbed reports that the attempt at the row before is in the leading loop,
// as this one is, while this one's match is of another branch.
func (f *finder) isAbsorbed(a matcher.Attempt, taken []cell) bool {
	if a.Start == 0 || len(taken) > 0 && taken[0].v == f.p.lead.v {
		return false
	}
	for _, start := range []int{a.Start - 1, a.Start} {
		b := a
		b.Start = start
		if ok, err := f.tester(b).holds(start, []cell{{v: f.p.lead.v}}); err != nil || !ok {
			return false
		}
	}
	return true
}
