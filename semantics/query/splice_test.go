package query_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// spliceWords are what statements are made of; splicing them at random reaches
// combinations that no byte-wise mutation finds.
var spliceWords = strings.Fields(`SELECT SELECT FROM FROM t s g nosuch WHERE GROUP BY HAVING WINDOW w AS ( ( ( ) ) ) , , . * ORDER BY LIMIT 1 2 OFFSET
FETCH FIRST ROWS ONLY UNION ALL WITH a b x id k v DISTINCT COUNT(*) SUM( FILTER OVER OVER w MATCH_RECOGNIZE ( MEASURES PATTERN ( A B+ ) DEFINE A AS
x > 1 = <> + 'a' NULL IN EXISTS (SELECT CASE WHEN THEN END CAST( PREV( LAST( CLASSIFIER() FINAL RUNNING AFTER MATCH SKIP TO NEXT ROW PARTITION
ALL ROWS PER MATCH ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING SEEK SUBSET U = VALUES (1) RECURSIVE JOIN :n ; QUALIFY TABLE DESC NULLS`)

// TestSplices runs texts made of seed statements by deleting, doubling,
// exchanging and inserting words: no panic, no internal error, every error
// placed inside the text.
func TestSplices(t *testing.T) {
	seeds := []string{
		"WITH a ( b ) AS ( VALUES ( 1 ) , ( 2.5 ) ) SELECT DISTINCT b + 1 AS c FROM a WHERE b > 0 ORDER BY c DESC NULLS LAST OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY",
		"SELECT k , SUM( v ) FILTER ( WHERE v > 1 ) AS s FROM g GROUP BY k HAVING COUNT(*) > 1 ORDER BY SUM( v )",
		"SELECT COUNT(*) OVER w , m OVER w , FIRST_VALUE( x ) OVER ( p ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING PATTERN ( A B ) DEFINE A AS x > 1 ) FROM t WINDOW p AS ( ORDER BY id ) , w AS ( p MEASURES LAST( x ) AS m ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN ( A B+ ) DEFINE B AS x < PREV( x ) )",
		"SELECT * FROM ( SELECT * FROM t AS i MATCH_RECOGNIZE ( ORDER BY id MEASURES A.x AS m , ( SELECT MAX( x ) FROM s ) AS n ALL ROWS PER MATCH PATTERN ( A B * ) SUBSET U = ( A , B ) DEFINE A AS x > ( SELECT MIN( x ) FROM s WHERE s.id > 1 ) ) AS o ) AS d WHERE m IN ( SELECT id FROM s ) AND EXISTS ( SELECT 1 )",
		"SELECT id FROM t UNION ALL ( SELECT v FROM g ORDER BY w LIMIT 1 ) UNION ALL VALUES ( 3 ) ORDER BY 1",
	}
	rng := rand.New(rand.NewPCG(7, 11))
	n, bad := 20_000, 0
	if testing.Short() {
		n = 2_000
	}
	for range n {
		words := strings.Fields(seeds[rng.IntN(len(seeds))])
		for range 1 + rng.IntN(4) {
			if len(words) == 0 {
				break
			}
			i := rng.IntN(len(words))
			switch rng.IntN(4) {
			case 0:
				words = append(words[:i:i], words[i+1:]...)
			case 1:
				j := min(len(words), i+1+rng.IntN(6))
				words = append(words[:j:j], words[i:]...)
			case 2:
				words[i] = spliceWords[rng.IntN(len(spliceWords))]
			default:
				words = append(words[:i:i], append([]string{spliceWords[rng.IntN(len(spliceWords))]}, words[i:]...)...)
			}
		}
		sql := strings.Join(words, " ")
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		_, err := query.Run(ctx, sql, options(t))
		cancel()
		if err == nil {
			continue
		}
		bad++
		var e *diag.Error
		if !errors.As(err, &e) || e.Stage == 0 || e.Stage == diag.Internal || e.Rule == "" || e.Message == "" ||
			!e.Pos.IsValid() || e.Pos.Offset > len(sql) || e.Source != sql {
			t.Fatalf("%s\n%T %v", sql, err, err)
		}
	}
	if bad == 0 || bad == n {
		t.Errorf("%d of %d statements are in error", bad, n)
	}
}
