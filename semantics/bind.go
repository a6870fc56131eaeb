package semantics

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Options are what binding needs besides the clause and its input.
type Options struct {
	Readings readings.Set
	// Params gives the host variables. A variable that is missing here has an
	// unknown type, and its evaluation is a run-time error.
	Params map[string]scalar.Param
	// Subquery binds the subqueries of DEFINE and MEASURES (DEF-13). Nil: they
	// are unsupported.
	Subquery SubqueryBinder
}

// SubqueryBinder binds an uncorrelated subquery. A name that does not resolve
// inside the subquery is put to outer, which returns the error if the name
// would be a row pattern column reference or an outer reference (DEF-13, NEST-2),
// and nil if it knows nothing of it either. Errors go to errs; the result is
// then nil.
type SubqueryBinder func(n *sqlexpr.Node, outer func(names []token.Word) *diag.Error, errs *diag.List) scalar.Query

// Parse parses and binds a clause: MATCH_RECOGNIZE ( ... ) with its output
// name, the word MATCH_RECOGNIZE included. Input is the row type of the table
// before it. The error is the one that chapter 13 puts first, as a *diag.Error.
func Parse(sql string, input *RowType, opt Options) (*Clause, error) {
	s := token.NewStream(sql, token.Lex(sql))
	s.IsReserved = opt.reserved()
	if !s.At("MATCH_RECOGNIZE") {
		return nil, s.Expected("SQL-1", "MATCH_RECOGNIZE", "write MATCH_RECOGNIZE (... PATTERN (...) DEFINE ...)")
	}
	syn, err := ParseRecognition(s, opt.Readings)
	if err != nil {
		return nil, err
	}
	s.AcceptOp(";")
	if !s.Done() {
		return nil, s.Expected("SQL-1", "the end of the clause", "end the text behind the clause: it stands alone here")
	}
	var errs diag.List
	c := Bind(syn, input, opt, &errs)
	if err := errs.First(); err != nil {
		return nil, diag.From(err).In(sql)
	}
	return c, nil
}

func (o Options) reserved() func(string) bool {
	if o.Readings.Is(readings.GRAM15) {
		return token.ISOReserved
	}
	return token.Reserved
}

// Bind checks the syntax rules of chapters 1 to 12 and resolves names and
// types. All errors go to errs; the clause is usable only if there is none,
// but its Output is filled as far as possible.
func Bind(syn *Syntax, input *RowType, opt Options, errs *diag.List) *Clause {
	if input == nil {
		input = &RowType{Untyped: true}
	}
	b := &binding{syn: syn, opt: opt, errs: errs, byName: map[string]VarID{}, input: input,
		c: &Clause{Source: syn.Source, Input: input, Rows: syn.Rows, Pattern: syn.Pattern, Readings: opt.Readings}}
	for _, e := range syn.late.All() {
		errs.Add(e)
	}
	b.variables()
	b.unions()
	b.partitioning()
	b.definitions()
	b.measures()
	b.skip()
	b.placement()
	if syn.Window {
		b.window()
	} else {
		b.output()
	}
	return b.c
}

// binding is the state of Bind.
type binding struct {
	syn    *Syntax
	opt    Options
	errs   *diag.List
	input  *RowType
	c      *Clause
	byName map[string]VarID // folded names of all variables
}

func (b *binding) fail(rule string, pos diag.Pos, format string, args ...any) *diag.Error {
	e := diag.New(diag.Semantic, rule, pos, format, args...).In(b.syn.Source)
	b.errs.Add(e)
	return e
}

// variables gives every primary variable its VarID (PAT-9). The tree is copied:
// the same syntax may be bound twice.
func (b *binding) variables() {
	b.c.Pattern = b.syn.Pattern.Clone()
	b.c.Pattern.Walk(func(n *Pattern) {
		if n.Op != OpVariable {
			return
		}
		id, ok := b.byName[n.Name.Text]
		if !ok {
			id = b.declare(Variable{Name: n.Name})
		}
		n.Var = id
	})
	b.c.Primaries = len(b.c.Vars)
}

func (b *binding) declare(v Variable) VarID {
	if len(b.c.Vars) == MaxVariables {
		b.errs.Add(diag.New(diag.Limit, "LIM-1", v.Name.Pos, "the clause has more than %d row pattern variables", MaxVariables).
			WithHint("use fewer variables: a variable may occur any number of times in the pattern"))
	}
	id := VarID(min(len(b.c.Vars), MaxVariables))
	if int(id) == len(b.c.Vars) {
		b.c.Vars = append(b.c.Vars, v)
		if v.Members == nil {
			b.c.names = append(b.c.names, v.Name.Text)
		}
	}
	b.byName[v.Name.Text] = id
	return id
}

// unions checks SUBSET (SUB-1).
func (b *binding) unions() {
	for _, item := range b.syn.Subset {
		if id, ok := b.byName[item.Name.Text]; ok {
			what := "a primary variable of PATTERN"
			if b.c.Vars[id].IsUnion() {
				what = "declared in SUBSET already"
			}
			b.fail("SUB-1", item.Name.Pos, "the union variable %s is %s", item.Name, what).
				WithHint("give the union a name of its own: it is no part of the pattern, and declared once")
			continue
		}
		v := Variable{Name: item.Name, Members: []VarID{}, member: make([]bool, b.c.Primaries)}
		for _, m := range item.Members {
			id, ok := b.byName[m.Text]
			switch {
			case !ok || int(id) >= b.c.Primaries:
				b.fail("SUB-1", m.Pos, "%s is no primary variable of PATTERN", m).
					WithHint("%s", b.memberHint(m))
			case v.member[id]:
				if !b.opt.Readings.Is(readings.SUB1) {
					b.fail("SUB-1", m.Pos, "%s stands twice in the union %s", m, item.Name).WithHint("name each variable once; Trino ignores repetitions")
				}
			default:
				v.member[id] = true
				v.Members = append(v.Members, id)
			}
		}
		b.declare(v)
	}
}

// partitioning resolves PARTITION BY and ORDER BY (GRAM-4, GRAM-5, GRAM-12).
func (b *binding) partitioning() {
	for _, col := range b.syn.PartitionBy {
		if i := b.inputColumn(col.Parts); i >= 0 {
			b.c.PartitionBy = append(b.c.PartitionBy, i)
		}
	}
	for _, item := range b.syn.OrderBy {
		key := OrderKey{Column: -1, Descending: item.Descending, NullsFirst: b.nullsFirst(item)}
		if item.Expr.Kind == sqlexpr.Name {
			parts := names(item.Expr.Names)
			if key.Column = b.inputColumn(parts); key.Column < 0 {
				continue
			}
			key.Name = parts[len(parts)-1]
		} else {
			key.Expr = b.binder(&rowLeaves{b}).Bind(item.Expr)
		}
		b.c.OrderBy = append(b.c.OrderBy, key)
	}
}

// nullsFirst resolves the place of NULLs (NUL-2, IMP-NULLS).
func (b *binding) nullsFirst(item sqlexpr.SortItem) bool {
	if item.NullsFirst != nil {
		return *item.NullsFirst
	}
	return NullsFirst(item.Descending, b.opt.Readings)
}

// NullsFirst is the place of NULLs in an ORDER BY key without NULLS clause
// (NUL-2): last in ascending and first in descending order, or always last
// under IMP-NULLS=alternative.
func NullsFirst(descending bool, r readings.Set) bool {
	return descending && !r.Is(readings.IMPNulls)
}

func names(words []token.Word) []Name {
	out := make([]Name, len(words))
	for i, w := range words {
		out[i] = Name(w)
	}
	return out
}

// inputColumn resolves a column outside MEASURES and DEFINE, where only the
// input name may qualify it (GRAM-12); -1 after an error.
func (b *binding) inputColumn(parts []Name) int {
	col := parts[len(parts)-1]
	switch {
	case len(parts) > 2:
		b.fail("GRAM-12", parts[0].Pos, "the name %s has too many parts", join(parts)).WithHint("write %s", col)
		return -1
	case len(parts) == 2 && parts[0].Text != b.input.Correlation:
		e := b.fail("GRAM-12", parts[0].Pos, "%s is not the name of the input table", parts[0])
		if _, ok := b.byName[parts[0].Text]; ok {
			e.WithHint("%s is a row pattern variable, which qualifies columns in MEASURES and DEFINE only: write %s", parts[0], col)
		} else if b.input.Correlation != "" {
			e.WithHint("the input is called %s: write %s.%s, or %s alone", listed([]string{b.input.Correlation}), listed([]string{b.input.Correlation}), col, col)
		} else {
			e.WithHint("leave the qualifier out: the input has no name")
		}
		return -1
	}
	return b.findColumn(col)
}

func join(parts []Name) string {
	text := make([]string, len(parts))
	for i, p := range parts {
		text[i] = p.String()
	}
	return strings.Join(text, ".")
}

// findColumn looks a column of the input up by its folded name; -1 after an error.
func (b *binding) findColumn(name Name) int {
	i, n := b.input.Find(name.Text)
	switch {
	case n == 1:
		return i
	case n > 1:
		b.fail("NAME-1", name.Pos, "the column %s is ambiguous: the input has %d columns of that name", name, n).
			WithHint("give the columns different names, in a derived table or with a column list behind the input: FROM t AS i (a, b, c)")
		return -1
	case b.input.Untyped:
		// The check without tables knows no columns: each name it meets becomes one.
		b.input.Fields = append(b.input.Fields, Field{Name: name.Text, Type: value.TypeUnknown})
		return len(b.input.Fields) - 1
	}
	b.fail("COL-1", name.Pos, "the input has no column %s", name).WithHint("%s", b.columnHint(name))
	return -1
}

// Find returns the index of a column by its folded name, and how many there are.
func (r *RowType) Find(name string) (index, count int) {
	index = -1
	for i, f := range r.Fields {
		if f.Name == name {
			if count++; count == 1 {
				index = i
			}
		}
	}
	return index, count
}

// binder returns a scalar binder that reports to the clause's error list.
func (b *binding) binder(leaves scalar.Leaves) *scalar.Binder {
	return &scalar.Binder{Leaves: leaves, Errors: b.errs, Options: b.opt.Readings.ValueOptions(), Params: b.opt.Params,
		NullsLast: b.opt.Readings.Is(readings.IMPNulls)}
}

// definitions binds DEFINE (DEF-2 to DEF-5).
func (b *binding) definitions() {
	seen := map[string]bool{}
	for _, d := range b.syn.Define {
		id, ok := b.byName[d.Name.Text]
		switch {
		case ok && b.c.Vars[id].IsUnion():
			b.fail("DEF-4", d.Name.Pos, "%s is a union variable and cannot be defined", d.Name).
				WithHint("define its members instead: %s holds the rows mapped to them", d.Name)
		case !ok:
			b.fail("DEF-2", d.Name.Pos, "%s is defined but does not occur in PATTERN", d.Name).
				WithHint("%s", b.defineHint(d.Name))
		case seen[d.Name.Text]:
			b.fail("DEF-3", d.Name.Pos, "%s is defined twice", d.Name).WithHint("join the conditions with AND in one definition")
		}
		seen[d.Name.Text] = true
		l := &patternLeaves{b: b, define: true}
		cond := b.binder(l).Condition(d.Cond, "DEF-5", "the condition of "+d.Name.String())
		if ok && int(id) < b.c.Primaries && b.c.Vars[id].Define == nil {
			b.c.Vars[id].Define = cond
		}
	}
}

// measures binds MEASURES (GRAM-6, MEA-8).
func (b *binding) measures() {
	seen := map[string]bool{}
	for _, m := range b.syn.Measures {
		if seen[m.Name.Text] {
			b.fail("GRAM-6", m.Name.Pos, "two measures are called %s", m.Name).WithHint("give each measure a name of its own; upper and lower case differ in double quotes only (GRAM-10)")
		}
		seen[m.Name.Text] = true
		l := &patternLeaves{b: b}
		b.c.Measures = append(b.c.Measures, Measure{Name: m.Name, Expr: b.binder(l).Bind(m.Expr)})
	}
}

// skip binds AFTER MATCH (SKIP-1).
func (b *binding) skip() {
	s := b.syn.Skip
	b.c.Skip = Skip{To: s.To, Target: Universal, Pos: s.Pos}
	if s.To != ToFirst && s.To != ToLast {
		return
	}
	id, ok := b.byName[s.Target.Text]
	if !ok {
		b.fail("SKIP-1", s.Target.Pos, "AFTER MATCH SKIP TO names %s, which is no row pattern variable", s.Target).
			WithHint("%s", b.skipHint(s.Target))
		return
	}
	b.c.Skip.Target, b.c.Skip.Pos = id, s.Target.Pos
}

// placement checks what may not stand together (GRAM-8, OUT-7).
func (b *binding) placement() {
	if !b.syn.Window && b.syn.Seek.Word != "" {
		b.fail("GRAM-8", b.syn.Seek.Pos, "%s is allowed only in windows", b.syn.Seek.Word).
			WithHint("leave it out: MATCH_RECOGNIZE looks for a match at one row after the other by itself")
	}
	if b.c.Rows == WithUnmatched {
		b.c.Pattern.Walk(func(n *Pattern) {
			if n.Op == OpExclude {
				b.fail("OUT-7", n.Pos, "an exclusion {- -} cannot stand together with ALL ROWS PER MATCH WITH UNMATCHED ROWS").
					WithHint("write ( ) in place of {- -}, or SHOW EMPTY MATCHES in place of WITH UNMATCHED ROWS")
			}
		})
	}
}
