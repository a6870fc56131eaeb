package scalar

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// FuzzBind binds, evaluates and prints any expression: no panic, no internal
// error, and the printed text means the same.
func FuzzBind(f *testing.F) {
	for _, seed := range []string{
		"I + 1 < B AND NOT (D = 1.5 OR V LIKE 'a%' ESCAPE '#')", "CASE I WHEN 1 THEN 'a' ELSE V || C END", "COALESCE(N, ROUND(D, -1), 7)",
		"TRIM(BOTH 'x' FROM LPAD(V, 9, 'xy'))", "EXTRACT(DAY FROM DT + INTERVAL '1' DAY)", "CAST(CAST(D AS varchar(9)) AS decimal(3,1))",
		"I NOT IN (1, NULL, S) IS UNKNOWN", "ARRAY[1, D, 2e0] || A", "SUBSTRING(V FROM -BMAX FOR BMAX)", "MOD(BMAX, -I) IS DISTINCT FROM -X",
		"ELEMENT_AT(A, SMAX) BETWEEN FLOOR(E) AND POWER(X, 2)", "IF(T, TS, NULL) - TS", "GREATEST(C, V, 'z')", "LEAST(1, 2.5, 1e0)", "-(-(-D))",
		"NULLIF(X, 2.5) * NULL", "DATE_TRUNC('week', DT)", "POSITION('b' IN REVERSE(V)) / 0", "COUNT(*) + CLASSIFIER() || RAND()",
	} {
		f.Add(seed)
	}
	fix := columns(f)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := fix.bind(text)
		if err != nil {
			expected(t, text, err)
			return
		}
		v, err := e.Eval(fix.row)
		if err != nil {
			expected(t, text, err)
		}
		printed := e.String()
		again, bindErr := fix.bind(printed)
		if bindErr != nil {
			t.Fatalf("%q prints as %q: %v", text, printed, bindErr)
		}
		w, err2 := again.Eval(fix.row)
		if (err == nil) != (err2 == nil) || value.Format(v, e.Type()) != value.Format(w, again.Type()) {
			t.Fatalf("%q is %s %v, but printed as %q it is %s %v", text, value.Format(v, e.Type()), err, printed, value.Format(w, again.Type()), err2)
		}
	})
}

// expected fails for an error that a user cannot have caused.
func expected(t *testing.T, text string, err error) {
	t.Helper()
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, err := range list {
		var e *diag.Error
		if !errors.As(err, &e) || e.Stage == diag.Internal || !e.Pos.IsValid() && e.Stage != diag.Limit {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

// likeSlowly is the definition of LIKE without an escape character.
func likeSlowly(s, pattern []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case pattern[0] == '%':
		return likeSlowly(s, pattern[1:]) || len(s) > 0 && likeSlowly(s[1:], pattern)
	}
	return len(s) > 0 && (pattern[0] == '_' || pattern[0] == s[0]) && likeSlowly(s[1:], pattern[1:])
}

// The compiled pattern agrees with the definition on random small cases.
func TestLikeAgreesWithDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(alphabet []rune, most int) []rune {
		out := make([]rune, random.IntN(most+1))
		for i := range out {
			out[i] = alphabet[random.IntN(len(alphabet))]
		}
		return out
	}
	for range 50_000 {
		s, pattern := pick([]rune("abä"), 7), pick([]rune("abä%_"), 6)
		p, err := compileLike(string(pattern), "", false)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.match(string(s)), likeSlowly(s, pattern); got != want {
			t.Fatalf("%q LIKE %q = %v, want %v", string(s), string(pattern), got, want)
		}
	}
}

// A pattern with many % signs takes no exponential time.
func TestLikeDoesNotBacktrack(t *testing.T) {
	p, err := compileLike(strings.Repeat("%a", 1000)+"%b", "", false)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if p.match(strings.Repeat("a", 100_000)) {
		t.Error("a string of a matches a pattern that ends in b")
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}
