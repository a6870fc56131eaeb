package gen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Queries says what random recognitions are like.
type Queries struct {
	Tables     Tables
	Patterns   Patterns
	Conditions Conditions
	Windows    int // percent: the window form (chapter 10)
	Seek       int // percent of the windows
	Unions     int // percent: SUBSET
	Undefined  int // percent of the variables: without a definition (DEF-1)
	Partition  int // percent: PARTITION BY
	// Counted and Within are percentages of shapes that plain queries hardly
	// ever have: variables repeated by large bounds, over conditions of single
	// rows, and rows bound to a window that begins at the first row of the match.
	Counted, Within int
	// Lenient uses what only some readings allow (chapter 17): order keys that
	// are expressions, the input's name before a column, repeated members of
	// unions, frames of one row.
	Lenient bool
}

// DefaultQueries have every output mode, skip form and kind of condition. Their
// patterns are small, since conditions let few of them match.
var DefaultQueries = Queries{Tables: DefaultTables,
	Patterns: Patterns{Vars: 3, Size: 4, Depth: 3, Reluctant: 25, Bounded: 35, Nullable: 25, Followed: 15, Nested: 5, Twins: 5,
		Empty: 4, Anchors: 4, Exclude: 8, Permute: 6},
	Conditions: DefaultConditions, Windows: 25, Seek: 30, Unions: 40, Undefined: 20, Partition: 60}

// EngineQueries are the default ones with the shapes for which an optimised
// engine has ways of its own.
var EngineQueries = func() Queries {
	o := DefaultQueries
	o.Counted, o.Within = 15, 15
	return o
}()

// ReadingQueries are about what the readings of chapter 17 change, with values
// of every kind.
var ReadingQueries = func() Queries {
	o := EngineQueries
	o.Tables.Wide, o.Tables.Nulls, o.Conditions.Typed, o.Lenient = true, 15, 60, true
	return o
}()

// Query is a recognition over a table T.
type Query struct {
	Table       []Row
	PartitionBy []string
	OrderBy     []string // keys as SQL
	Measures    []string // expressions; their names are M1, M2, ...
	Mode        string   // ROWS PER MATCH option; "": the default
	Skip        string   // behind AFTER MATCH SKIP; "": the default
	Window      bool
	Frame       string // rows of the frame: UNBOUNDED FOLLOWING or n FOLLOWING
	Seek        string // INITIAL, SEEK or ""
	Pattern     *semantics.Pattern
	Unions      []Union
	Define      []Definition
}

// Union is an item of SUBSET.
type Union struct {
	Name    string
	Members []string
}

// Definition is an item of DEFINE.
type Definition struct {
	Var  string
	Cond *Condition
}

// The output modes and the skip forms without a target.
var (
	modes     = []string{"", "ONE ROW PER MATCH", "ALL ROWS PER MATCH", "ALL ROWS PER MATCH SHOW EMPTY MATCHES", "ALL ROWS PER MATCH OMIT EMPTY MATCHES", "ALL ROWS PER MATCH WITH UNMATCHED ROWS"}
	skips     = []string{"", "", "PAST LAST ROW", "TO NEXT ROW", "TO NEXT ROW", "TO FIRST ", "TO LAST ", "TO "}
	orderKeys = []string{"K", "K", "K", "K DESC", "K NULLS FIRST", "K DESC NULLS LAST", "X", "S DESC", "D"}
)

const unmatchedRows = "ALL ROWS PER MATCH WITH UNMATCHED ROWS"

// Draw draws a recognition. It is legal.
func (o Queries) Draw(r *Rand) *Query {
	o, kind := o.shaped(r)
	q := &Query{Table: o.Tables.Draw(r), Window: r.Chance(o.Windows)}
	patterns := o.Patterns
	if q.Window { // WIN-9, OUT-7
		patterns.Anchors = 0
	} else if q.Mode = Pick(r, modes); q.Mode == unmatchedRows {
		patterns.Exclude = 0
	}
	for {
		if q.Pattern = patterns.Draw(r); len(Names(q.Pattern)) > 0 { // GRAM-2
			break
		}
	}
	if kind == countedShape {
		q.Pattern = o.countedIn(r, q.Pattern, patterns.Exclude > 0)
	}
	vars := Names(q.Pattern)
	scope := Scope{Vars: vars, Lenient: o.Lenient, Wide: o.Tables.Wide}
	if r.Chance(o.Unions) {
		for i := range r.Between(1, 2) {
			members := slices.DeleteFunc(slices.Clone(vars), func(string) bool { return r.Chance(40) })
			if len(members) == 0 {
				members = vars[:1]
			}
			if o.Lenient && r.Chance(20) { // SUB-1
				members = append(slices.Clone(members), Pick(r, members))
			}
			q.Unions = append(q.Unions, Union{"U" + strconv.Itoa(i+1), members})
			scope.Unions = append(scope.Unions, "U"+strconv.Itoa(i+1))
		}
	}
	conditions := o.Conditions
	if q.Window {
		conditions.MatchNumber = 0
	}
	for i, v := range vars {
		if r.Chance(o.Undefined) && (i < len(vars)-1 || len(q.Define) > 0) {
			continue
		}
		scope.Own = v
		q.Define = append(q.Define, Definition{v, conditions.Draw(r, scope)})
	}
	scope.Own = ""
	for range r.Between(1, 3) {
		q.Measures = append(q.Measures, DrawMeasure(r, scope, !q.Window))
	}
	if q.Skip = Pick(r, skips); strings.HasSuffix(q.Skip, " ") {
		q.Skip += Pick(r, append(slices.Clone(vars), scope.Unions...))
	}
	if r.Chance(o.Partition) {
		q.PartitionBy = []string{"P"}
		if r.Chance(15) {
			q.PartitionBy = append(q.PartitionBy, "S")
		}
	}
	for range r.IntN(3) {
		if key := Pick(r, orderKeys); !slices.ContainsFunc(q.OrderBy, func(k string) bool { return k[0] == key[0] }) {
			q.OrderBy = append(q.OrderBy, key)
		}
	}
	if o.Tables.Unique && !slices.ContainsFunc(q.OrderBy, isKey) {
		q.OrderBy = append(q.OrderBy, "K")
	}
	if o.Lenient && r.Chance(10) { // GRAM-5
		q.OrderBy = append([]string{Pick(r, []string{"K + X", "X / 2", "K - K DESC"})}, q.OrderBy...)
	}
	if kind == withinShape {
		o.bindWithin(r, q, vars)
	}
	if q.Window {
		q.Frame = "UNBOUNDED FOLLOWING"
		if r.Chance(40) {
			q.Frame = strconv.Itoa(r.Between(1, 3)) + " FOLLOWING"
			if kind != plainShape {
				q.Frame = strconv.Itoa(r.Between(1, 15)) + " FOLLOWING"
			}
		}
		if o.Lenient && r.Chance(10) { // WIN-1
			q.Frame = Pick(r, []string{"CURRENT ROW", "0 FOLLOWING"})
		}
		switch {
		case r.Chance(o.Seek):
			q.Seek = "SEEK"
		case r.Chance(30):
			q.Seek = "INITIAL"
		}
	}
	return q
}

func isKey(orderKey string) bool { return orderKey[0] == 'K' }

// IsSettled reports that the rows have one order only: K is among the order keys,
// differs on every row and is never NULL.
func (q *Query) IsSettled() bool {
	seen := map[int64]bool{}
	for _, row := range q.Table {
		if k := row[KeyColumn]; k.IsNull() || seen[k.Raw()] {
			return false
		}
		seen[row[KeyColumn].Raw()] = true
	}
	return slices.ContainsFunc(q.OrderBy, isKey)
}

// Clause writes the recognition: MATCH_RECOGNIZE ( ... ), or the specification
// of the window, in parentheses.
func (q *Query) Clause() string {
	var b strings.Builder
	line := func(parts ...string) {
		b.WriteString("  " + strings.Join(parts, " ") + "\n")
	}
	b.WriteString("(\n")
	if len(q.PartitionBy) > 0 {
		line("PARTITION BY", strings.Join(q.PartitionBy, ", "))
	}
	if len(q.OrderBy) > 0 {
		line("ORDER BY", strings.Join(q.OrderBy, ", "))
	}
	for i, m := range q.Measures {
		word, comma := "        ", ","
		if i == 0 {
			word = "MEASURES"
		}
		if i == len(q.Measures)-1 {
			comma = ""
		}
		line(word, m, "AS M"+strconv.Itoa(i+1)+comma)
	}
	if q.Mode != "" {
		line(q.Mode)
	}
	if q.Window {
		line("ROWS BETWEEN CURRENT ROW AND", q.Frame)
	}
	if q.Skip != "" {
		line("AFTER MATCH SKIP", q.Skip)
	}
	if q.Seek != "" {
		line(q.Seek)
	}
	line("PATTERN (" + q.Pattern.String() + ")")
	for i, u := range q.Unions {
		word, comma := "      ", ","
		if i == 0 {
			word = "SUBSET"
		}
		if i == len(q.Unions)-1 {
			comma = ""
		}
		line(word, u.Name, "= ("+strings.Join(u.Members, ", ")+")"+comma)
	}
	for i, d := range q.Define {
		word, comma := "      ", ","
		if i == 0 {
			word = "DEFINE"
		}
		if i == len(q.Define)-1 {
			comma = ""
		}
		line(word, d.Var, "AS", d.Cond.String()+comma)
	}
	b.WriteString(")")
	return b.String()
}

// SQL writes the recognition as a statement over the table T. A window is asked
// for all its measures and some aggregates over the reduced frame (WIN-6).
func (q *Query) SQL() string {
	if !q.Window {
		return "SELECT * FROM T MATCH_RECOGNIZE " + q.Clause()
	}
	items := []string{"P", "K", "X", "COUNT(*) OVER w AS N", "SUM(X) OVER w AS SX", "FIRST_VALUE(K) OVER w AS FK"}
	for i := range q.Measures {
		items = append(items, "M"+strconv.Itoa(i+1)+" OVER w AS R"+strconv.Itoa(i+1))
	}
	return "SELECT " + strings.Join(items, ", ") + "\nFROM T\nWINDOW w AS " + q.Clause()
}

// MakeTable makes the table T.
func (q *Query) MakeTable() (*table.Table, error) { return MakeTable(q.Table) }

// String writes table and statement.
func (q *Query) String() string {
	var names []string
	for _, c := range columnsOf(q.Table) {
		names = append(names, c.Name)
	}
	return "-- T (" + strings.Join(names, ", ") + "):\n" + RowsSQL(q.Table) + q.SQL()
}
