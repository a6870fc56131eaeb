package diff

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Notes of answers that agree but for what the standard leaves to the
// implementation, or what says nothing about row pattern recognition. They are
// counted apart.
const (
	NoteTypes     = "agrees but for the type of a number or date"
	NotePrecision = "agrees but for an implementation-defined precision"
	NoteError     = "agrees but for the name of the error"
	NoteTies      = "agrees in one order of the rows that ORDER BY leaves tied"
	NoteReading   = "agrees under the engine's reading "
)

// Compare reports whether an engine's answer to a case is the expected one, and
// in what it is nevertheless not the same. Numbers are compared by value, also
// across types; of a double, the first digits count.
func Compare(c *corpus.Case, want, got []string) (same bool, note string) {
	if crosscheck.SameAnswer(c, want, got) {
		return true, ""
	}
	if c.Kind != corpus.Recognize && c.Kind != corpus.Window || len(want) == 0 || len(got) == 0 {
		return false, ""
	}
	if isError(want[0]) && isError(got[0]) {
		a, b := strings.Fields(want[0]), strings.Fields(got[0])
		if len(a) > 1 && len(b) > 1 && a[1] == b[1] {
			return true, NoteError
		}
		return false, ""
	}
	if isError(want[0]) || isError(got[0]) {
		return false, ""
	}
	return compareTables(want, got)
}

func isError(line string) bool { return strings.HasPrefix(line, "error ") }

// result is a table as its lines say.
type result struct {
	names   []string
	types   []value.Type
	rows    [][]corpus.Literal
	ordered bool
}

func readTable(lines []string) (*result, bool) {
	r := &result{}
	for _, col := range splitHeader(lines[0]) {
		name, typ, ok := cutName(col)
		t, err := value.ParseType(typ)
		if !ok || err != nil {
			return nil, false
		}
		r.names, r.types = append(r.names, name), append(r.types, t)
	}
	lines = lines[1:]
	if n := len(lines); n > 0 && lines[n-1] == "ordered" {
		r.ordered, lines = true, lines[:n-1]
	}
	for _, l := range lines {
		lits, err := corpus.Literals(l)
		if err != nil || len(lits) != len(r.names) {
			return nil, false
		}
		r.rows = append(r.rows, lits)
	}
	return r, true
}

// splitHeader splits at commas outside parentheses and quotes.
func splitHeader(s string) []string {
	var out []string
	depth, start, inQuote := 0, 0, false
	for i, r := range s {
		switch {
		case r == '"':
			inQuote = !inQuote
		case inQuote:
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		out = append(out, last)
	}
	return out
}

// cutName splits a column of a header into name and type.
func cutName(col string) (name, typ string, ok bool) {
	if strings.HasPrefix(col, `"`) {
		if i := strings.LastIndex(col, `"`); i > 0 {
			return strings.ReplaceAll(col[1:i], `""`, `"`), strings.TrimSpace(col[i+1:]), true
		}
		return "", "", false
	}
	return cutBlank(col)
}

func cutBlank(col string) (string, string, bool) {
	a, b, ok := strings.Cut(col, " ")
	return a, b, ok
}

func compareTables(wantLines, gotLines []string) (bool, string) {
	want, ok1 := readTable(wantLines)
	got, ok2 := readTable(gotLines)
	if !ok1 || !ok2 || len(want.names) != len(got.names) || len(want.rows) != len(got.rows) {
		return false, ""
	}
	// An engine that promises no order where there is one is compared row by
	// row all the same, and one that promises more than it must is not.
	note := ""
	for i := range want.names {
		if want.names[i] != got.names[i] {
			return false, ""
		}
		if !want.types[i].Equal(got.types[i]) {
			note = NoteTypes
		}
	}
	a, b := want.rows, got.rows
	if !want.ordered {
		a, b = sorted(a), sorted(b)
	}
	exact := true
	for r := range a {
		for i := range a[r] {
			same, precise := sameValue(a[r][i], b[r][i], got.types[i])
			if !same {
				return false, ""
			}
			exact = exact && precise
		}
	}
	if !exact {
		note = NotePrecision
	}
	return true, note
}

// sorted sorts rows so that equal bags come out alike; numbers that differ only
// in their last digits stay side by side.
func sorted(rows [][]corpus.Literal) [][]corpus.Literal {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b []corpus.Literal) int {
		for i := range a {
			if c := compareLiterals(a[i], b[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return out
}

func compareLiterals(a, b corpus.Literal) int {
	x, y := family(a), family(b)
	if x != y {
		return cmp.Compare(x, y)
	}
	if x == numbers {
		if close(a.Value, b.Value) {
			return 0
		}
		return value.Compare(a.Value, b.Value, value.Options{})
	}
	return cmp.Compare(plainText(a), plainText(b))
}

// The families of values.
const (
	nulls = iota
	numbers
	texts
)

func family(l corpus.Literal) int {
	switch {
	case l.Value.IsNull():
		return nulls
	case isNumber(l.Type):
		return numbers
	}
	return texts
}

func isNumber(t value.Type) bool { return t.IsExact() || t.IsApproximate() }

// plainText writes a value of any other type, a date as the timestamp of its
// first moment.
func plainText(l corpus.Literal) string {
	s := value.Format(l.Value, l.Type)
	switch l.Type.Kind {
	case value.Timestamp:
		return "@" + strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(s, " 00:00:00"), ""), ".000000")
	case value.Date:
		return "@" + s
	case value.Char:
		return strings.TrimRight(s, " ")
	}
	return s
}

// sameValue reports that two values are the same, and whether exactly.
func sameValue(want, got corpus.Literal, typ value.Type) (same, exact bool) {
	if family(want) != family(got) {
		return false, false
	}
	switch family(want) {
	case nulls:
		return true, true
	case numbers:
		switch {
		case value.Compare(want.Value, got.Value, value.Options{}) == 0:
			return true, true
		case close(want.Value, got.Value):
			return true, false
		}
		return typ.Kind == value.Decimal && typ.Precision > 0 && typ.Scale > 0 && rounded(want.Value, got.Value, typ.Scale), false
	}
	return plainText(want) == plainText(got), true
}

// closeness is the largest relative difference of two approximate numbers that
// count as the same.
const closeness = 1e-9

func close(a, b value.Value) bool {
	x, y := value.ToFloat(a), value.ToFloat(b)
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= closeness*max(math.Abs(x), math.Abs(y))
}

// rounded reports that b is a, rounded to a scale.
func rounded(a, b value.Value, scale int) bool {
	unit := math.Pow(10, -float64(scale))
	return math.Abs(value.ToFloat(a)-value.ToFloat(b)) <= unit/2*(1+closeness)
}

// signature says in what two answers differ: the columns, the number of rows,
// the values. It tells apart differences that no rule explains.
func signature(want, got []string) string {
	if len(want) == 0 || len(got) == 0 || isError(want[0]) || isError(got[0]) {
		if len(got) > 0 && isError(got[0]) {
			return "an error"
		}
		return "an answer"
	}
	a, ok1 := readTable(want)
	b, ok2 := readTable(got)
	switch {
	case !ok1 || !ok2 || !slices.Equal(a.names, b.names):
		return "columns"
	case len(a.rows) < len(b.rows):
		return "more rows"
	case len(a.rows) > len(b.rows):
		return "fewer rows"
	}
	return "values"
}
