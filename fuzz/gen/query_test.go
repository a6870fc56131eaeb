package gen_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// runQuery runs a query with the reference.
func runQuery(q *gen.Query) (*query.Result, error) {
	in, err := q.MakeTable()
	if err != nil {
		return nil, err
	}
	return query.Run(context.Background(), q.SQL(), query.Options{
		Tables:     func(name string, _ bool) (*table.Table, bool, error) { return in, name == "T", nil },
		Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{Steps: 20_000}),
	})
}

// TestDrawnQueriesAreLegal: they are accepted, and run to a result or to one of
// the errors that the data can bring about.
func TestDrawnQueriesAreLegal(t *testing.T) {
	const n = 1500
	count := map[string]int{}
	rows := 0
	for i := range n {
		q := gen.DefaultQueries.Draw(gen.Case(1, i))
		st, err := query.Parse(q.SQL(), readings.Set{})
		if err == nil {
			in, _ := q.MakeTable()
			_, err = query.Bind(st, query.Options{Tables: func(string, bool) (*table.Table, bool, error) { return in, true, nil }})
		}
		if err != nil {
			t.Fatalf("case %d is refused: %v\n%s", i, err, q)
		}
		count["mode "+q.Mode]++
		skip := q.Skip
		if words := strings.Fields(skip); len(words) > 1 {
			skip = strings.Join(words[:len(words)-1], " ")
		}
		count["skip "+skip]++
		switch {
		case q.Window:
			count["window "+q.Seek]++
		default:
			count["from"]++
		}
		res, err := runQuery(q)
		switch {
		case err == nil:
			count["result"]++
			if res.Table.NumRows() > 0 {
				rows++
			}
		case diag.From(err).Stage == diag.Runtime:
			count["error "+diag.From(err).SQLSTATE]++
		case diag.From(err).Stage == diag.Limit:
			count["limit"]++
		default:
			t.Fatalf("case %d fails: %v\n%s", i, err, q)
		}
	}
	t.Log(count)
	for _, want := range []string{"mode ONE ROW PER MATCH", "mode ALL ROWS PER MATCH WITH UNMATCHED ROWS", "mode ALL ROWS PER MATCH OMIT EMPTY MATCHES",
		"skip TO NEXT", "skip PAST LAST", "skip TO FIRST", "skip TO LAST", "window SEEK", "window INITIAL", "window ", "from",
		"error 2202K", "error 2202L", "error 22012"} {
		if count[want] < n/200 {
			t.Errorf("%s: %d of %d", want, count[want], n)
		}
	}
	if rows < n/2 || count["limit"] > n/100 {
		t.Errorf("%d results with rows, %d limits, of %d", rows, count["limit"], n)
	}
}

// TestShapesAreLegal: so are the queries that are drawn for engines and for
// readings. Each has what it is drawn for.
func TestShapesAreLegal(t *testing.T) {
	lenient, err := readings.Parse("GRAM-5=alternative, GRAM-12=alternative, SUB-1=alternative, WIN-1=alternative")
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	for _, tc := range []struct {
		name    string
		queries gen.Queries
		r       readings.Set
		want    []string
	}{
		{"engine", gen.EngineQueries, readings.Set{}, []string{"00}", ",70}?", "- FIRST(K) <", "COUNT(*) <= ", "INTERVAL"}},
		{"reading", gen.ReadingQueries, lenient, []string{"'a ' ", "NaN", "TIMESTAMP", "E - PREV(E)", "X / 2", "T.X", "ORDER BY K + X", "AND CURRENT ROW"}},
	} {
		seen := map[string]int{}
		for i := range n {
			q := tc.queries.Draw(gen.Case(5, i))
			st, err := query.Parse(q.SQL(), tc.r)
			if err == nil {
				in, _ := q.MakeTable()
				_, err = query.Bind(st, query.Options{Readings: tc.r, Tables: func(string, bool) (*table.Table, bool, error) { return in, true, nil }})
			}
			if err != nil {
				t.Fatalf("%s, case %d is refused: %v\n%s", tc.name, i, err, q)
			}
			for _, part := range tc.want {
				if strings.Contains(q.String(), part) {
					seen[part]++
				}
			}
		}
		for _, part := range tc.want {
			if seen[part] < n/200 {
				t.Errorf("%s: %q is in %d of %d queries", tc.name, part, seen[part], n)
			}
		}
	}
}

// TestSharesOfConditions: a share of 0 is never drawn.
func TestSharesOfConditions(t *testing.T) {
	o := gen.DefaultQueries
	o.Conditions = gen.Conditions{Local: 1, Depth: 2}
	o.Windows = 0
	for i := range 1000 {
		q := o.Draw(gen.Case(2, i))
		for _, d := range q.Define {
			for _, word := range []string{"PREV(", "NEXT(", "FIRST(", "LAST(", "COUNT(", "SUM(", "CLASSIFIER", "MATCH_NUMBER", "/"} {
				if strings.Contains(d.Cond.String(), word) {
					t.Fatalf("case %d: %s", i, d.Cond)
				}
			}
		}
	}
}

// TestMinimizeQuery: what fails is found again in a query without anything else.
func TestMinimizeQuery(t *testing.T) {
	legal := func(q *gen.Query) bool {
		_, err := runQuery(q)
		return err == nil || diag.From(err).Stage == diag.Runtime
	}
	done := 0
	for i := 0; done < 10; i++ {
		q := gen.DefaultQueries.Draw(gen.Case(3, i))
		fails := func(q *gen.Query) bool {
			return !q.Window && q.Mode == "ALL ROWS PER MATCH" && len(q.Table) >= 2 && legal(q)
		}
		if !fails(q) {
			continue
		}
		done++
		small := gen.MinimizeQuery(q, func(list []*gen.Query) int {
			for i, q := range list {
				if fails(q) {
					return i
				}
			}
			return -1
		})
		const want = "-- T (P, K, X, Y, Z, S, D):\n"
		if len(small.Table) != 2 || len(small.Measures) != 1 || len(small.Unions) != 0 || small.Skip != "" || len(small.PartitionBy) != 0 ||
			small.Pattern.String() != "A" && small.Pattern.String() != "B" && small.Pattern.String() != "C" ||
			small.Define[0].Cond.String() != "TRUE" || small.Measures[0] != "1" || !strings.HasPrefix(small.String(), want) {
			t.Errorf("%s\nbecomes\n%s", q, small)
		}
	}
}

// TestSettledQueries: with unique keys the rows have one order.
func TestSettledQueries(t *testing.T) {
	o := gen.DefaultQueries
	o.Tables.Unique = true
	unsettled := 0
	for i := range 500 {
		if q := o.Draw(gen.Case(4, i)); !q.IsSettled() {
			t.Fatalf("case %d:\n%s", i, q)
		}
		if !gen.DefaultQueries.Draw(gen.Case(4, i)).IsSettled() {
			unsettled++
		}
	}
	if unsettled < 100 {
		t.Errorf("only %d of 500 queries have ties", unsettled)
	}
}
