package query_test

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

const threePartitions = "(VALUES ('b', 1, 5), ('a', 2, 4), (NULL, 3, 3), ('b', 4, 2), ('a', 5, 9), (NULL, 6, 1), ('b', 7, 1)) AS t(p, i, x) "

// MAT-2: the pieces of a result are the result, in its order; a statement whose
// rows do not stand for themselves comes in one piece.
func TestPieces(t *testing.T) {
	const recognition = "MATCH_RECOGNIZE (PARTITION BY p ORDER BY i MEASURES MATCH_NUMBER() AS n, CLASSIFIER() AS c, SUM(x) AS s " +
		"ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A B*) DEFINE A AS x > 2, B AS x < PREV(x)) AS m"
	for _, tt := range []struct {
		sql    string
		pieces int
	}{
		{"SELECT * FROM " + threePartitions + recognition, 3},
		{"SELECT m.c, s + 1 AS s1 FROM " + threePartitions + recognition + " WHERE n = 1", 3},
		{"SELECT * FROM " + threePartitions + recognition + " ORDER BY i", 1},
		{"SELECT * FROM " + threePartitions + recognition + " LIMIT 2", 1},
		{"SELECT DISTINCT c FROM " + threePartitions + recognition, 1},
		{"SELECT COUNT(*) AS k FROM " + threePartitions + recognition, 1},
		{"SELECT * FROM " + threePartitions + strings.Replace(recognition, "ALL ROWS PER MATCH WITH UNMATCHED ROWS", "", 1), 1},
		{"SELECT * FROM " + threePartitions + strings.Replace(recognition, "PARTITION BY p ", "", 1), 1},
		{"SELECT p, i FROM " + threePartitions, 1},
	} {
		o := query.Options{Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{})}
		whole, err := query.Run(t.Context(), tt.sql, o)
		if err != nil {
			t.Fatalf("%s: %v", tt.sql, err)
		}
		st, err := query.Parse(tt.sql, readings.Set{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := query.Bind(st, o)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		n := 0
		err = b.Pieces(t.Context(), 1, func(piece *table.Table) error {
			n++
			return piece.WriteJSONLines(&got)
		})
		var want strings.Builder
		if errW := whole.Table.WriteJSONLines(&want); err != nil || errW != nil {
			t.Fatalf("%s: %v, %v", tt.sql, err, errW)
		}
		if n != tt.pieces || got.String() != want.String() {
			t.Errorf("%s: %d pieces, not %d\n got %s\nwant %s", tt.sql, n, tt.pieces, &got, &want)
		}
	}
}

// An error in a later partition comes after the pieces before it.
func TestPiecesThatFail(t *testing.T) {
	st, err := query.Parse("SELECT * FROM (VALUES (1, 1), (2, 0)) AS t(p, x) MATCH_RECOGNIZE (PARTITION BY p ALL ROWS PER MATCH PATTERN (A) DEFINE A AS 1 / x = 1) AS m", readings.Set{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := query.Bind(st, query.Options{Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{})})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = b.Pieces(t.Context(), 1, func(*table.Table) error { n++; return nil })
	if n != 1 || err == nil || !strings.Contains(err.Error(), "22012") {
		t.Errorf("%d pieces, %v", n, err)
	}
}
