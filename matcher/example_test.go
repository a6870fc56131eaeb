package matcher_test

import (
	"context"
	"fmt"
	"os"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// ticks is the input of the examples.
func ticks() *table.Table {
	t, err := table.FromRows(
		[]table.Field{{Name: "day", Type: value.TypeBigint}, {Name: "price", Type: value.TypeBigint}},
		[][]any{{1, 90}, {2, 80}, {3, 70}, {4, 100}, {5, 95}, {6, 99}})
	if err != nil {
		panic(err)
	}
	return t
}

const fall = `MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES FIRST(A.price) AS top, LAST(DOWN.price) AS bottom
  PATTERN (A DOWN+)
  DEFINE DOWN AS DOWN.price < PREV(DOWN.price))`

// Recognise a slice of rows.
func ExampleRecognize() {
	in := ticks()
	clause, err := semantics.Parse(fall, semantics.RowTypeOf(in, "ticks"), semantics.Options{})
	if err != nil {
		panic(err)
	}
	out, err := matcher.Recognize(context.Background(), reference.Engine{}, clause, in, matcher.Limits{})
	if err != nil {
		panic(err)
	}
	out.WriteCSV(os.Stdout)
	// Output:
	// TOP,BOTTOM
	// 90,70
	// 100,95
}

// Iterate over the matches, with the variable of each row.
func ExampleMatches() {
	in := ticks()
	clause, err := semantics.Parse(fall, semantics.RowTypeOf(in, "ticks"), semantics.Options{})
	if err != nil {
		panic(err)
	}
	for m, err := range matcher.Matches(context.Background(), reference.Engine{}, clause, in, matcher.Limits{}) {
		if err != nil {
			panic(err)
		}
		fmt.Printf("match %d:", m.Number)
		for i, v := range m.Vars {
			fmt.Printf(" %d%s", m.Start+i+1, clause.Name(v))
		}
		fmt.Println()
	}
	// Output:
	// match 1: 1A 2DOWN 3DOWN
	// match 2: 4A 5DOWN
}

// The preferred match at each row of a pattern over rows of labels: at row 2
// the preferred A? is empty, which stops the star (PREF-8).
func ExampleMap() {
	clause, in, err := semantics.Labelled("(A? | B)*", "", [][]string{{"A"}, {"B"}})
	if err != nil {
		panic(err)
	}
	mappings, err := matcher.Map(context.Background(), reference.Engine{}, clause, in, matcher.Limits{})
	if err != nil {
		panic(err)
	}
	for i, m := range mappings {
		fmt.Printf("row %d: %d rows\n", i+1, len(m.Vars))
	}
	// Output:
	// row 1: 1 rows
	// row 2: 0 rows
}

// Every error is a *diag.Error with stage, rule, SQLSTATE, place and a hint.
func ExampleRecognize_error() {
	in := ticks()
	_, err := semantics.Parse(`MATCH_RECOGNIZE (ORDER BY day
  MEASURES LAST(A.price + B.price) AS p
  PATTERN (A B) DEFINE A AS TRUE)`, semantics.RowTypeOf(in, "ticks"), semantics.Options{})
	e := err.(*diag.Error)
	fmt.Println(e.Stage, e.Rule, e.SQLSTATE, e.Pos.Line, e.Pos.Column)
	fmt.Print(e.Detail())
	// Output:
	// semantic COL-2 42000 2 27
	// semantic error COL-2 (SQLSTATE 42000): LAST refers to A and to B
	//   --> line 2, column 27
	//   2 |   MEASURES LAST(A.price + B.price) AS p
	//     |                           ^
	//   help: give all columns of the call one qualifier, split it into a call for each variable, or use a union variable of SUBSET
}

// Where the standard leaves a choice, a reading switches it.
func ExampleRecognize_reading() {
	in := ticks()
	for _, setting := range []string{"IMP-QUOTIENT=default", "IMP-QUOTIENT=exact"} {
		set, err := readings.Parse(setting)
		if err != nil {
			panic(err)
		}
		clause, err := semantics.Parse(`MATCH_RECOGNIZE (ORDER BY day
  MEASURES LAST(price) / 2 AS half PATTERN (A DOWN+) DEFINE DOWN AS price < PREV(price))`,
			semantics.RowTypeOf(in, "ticks"), semantics.Options{Readings: set})
		if err != nil {
			panic(err)
		}
		out, err := matcher.Recognize(context.Background(), reference.Engine{}, clause, in, matcher.Limits{})
		if err != nil {
			panic(err)
		}
		fmt.Println(setting, value.Format(out.Value(1, 0), out.Column(0).Type))
	}
	// Output:
	// IMP-QUOTIENT=default 47
	// IMP-QUOTIENT=exact 47.5
}
