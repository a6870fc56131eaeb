package gen

import (
	"strconv"
	"strings"
)

// Conditions says what random conditions of DEFINE are like: the shares of
// what they read, in parts of their sum. A part of 0 is never drawn.
type Conditions struct {
	Local       int // columns of the row under test
	Physical    int // PREV and NEXT (NAV-2, NAV-3)
	Logical     int // FIRST, LAST and columns of other variables (NAV-1, COL-4)
	Aggregate   int // aggregates (AGG)
	Classifier  int // CLASSIFIER (MEA-4)
	MatchNumber int // MATCH_NUMBER (MEA-5)
	Errors      int // expressions that may be run-time errors (DEF-15)
	Typed       int // what the readings of chapter 17 change, and values of wide tables
	Depth       int // nesting of AND, OR and NOT
}

// DefaultConditions read everything.
var DefaultConditions = Conditions{Local: 40, Physical: 18, Logical: 14, Aggregate: 12, Classifier: 9, MatchNumber: 5, Errors: 2, Depth: 2}

// Condition is a condition as a tree: AND, OR, NOT or a text without operands.
type Condition struct {
	Op   string // AND, OR, NOT; "": Text
	Sub  []*Condition
	Text string
}

// String writes the condition as SQL.
func (c *Condition) String() string {
	switch c.Op {
	case "":
		return c.Text
	case "NOT":
		return "NOT (" + c.Sub[0].String() + ")"
	}
	return "(" + c.Sub[0].String() + " " + c.Op + " " + c.Sub[1].String() + ")"
}

// Scope is what a condition or measure may name.
type Scope struct {
	Own    string   // the variable defined; "" in a measure
	Vars   []string // primary variables
	Unions []string // union variables
	// Lenient: the input's name may stand before a column (GRAM-12). Wide: the
	// table is wide.
	Lenient, Wide bool
}

// Draw draws a condition.
func (o Conditions) Draw(r *Rand, s Scope) *Condition {
	return o.draw(r, s, o.Depth)
}

func (o Conditions) draw(r *Rand, s Scope, depth int) *Condition {
	if depth > 0 {
		switch n := r.IntN(10); {
		case n < 2:
			return &Condition{Op: "AND", Sub: []*Condition{o.draw(r, s, depth-1), o.draw(r, s, depth-1)}}
		case n < 4:
			return &Condition{Op: "OR", Sub: []*Condition{o.draw(r, s, depth-1), o.draw(r, s, depth-1)}}
		case n < 5:
			return &Condition{Op: "NOT", Sub: []*Condition{o.draw(r, s, depth-1)}}
		}
	}
	kinds := [...][]string{local, physical, logical, aggregate, classifier, matchNumber, errors, typed}
	k := r.weighted(o.Local, o.Physical, o.Logical, o.Aggregate, o.Classifier, o.MatchNumber, o.Errors, o.Typed)
	return &Condition{Text: fill(r, s, Pick(r, kinds[k]))}
}

// The templates below have these places:
//
//	#    a small number              @    a column of numbers
//	%    the variable's own name and a point, or nothing
//	^    a name of a variable        ~    that and a point, or nothing
//	?    a comparison                $    a name of a variable in quotes
//
// Within a template ~ and ^ stand for the same variable each (COL-2).
var (
	local = []string{"%@ ? #", "%@ ? #", "@ ? #", "%@ IS NULL", "%@ IS NOT NULL", "%@ BETWEEN 0 AND #", "%@ IN (1, 2, NULL)",
		"%S = 'a'", "%S LIKE 'a%'", "%S || 'b' = 'ab'", "%D >= DATE '2024-10-06'", "@ + X ? #", "TRUE", "COALESCE(%@, 1) ? #",
		"CASE WHEN %@ > 1 THEN X ELSE Y END ? #", "%X IS DISTINCT FROM X", "%P = 'A'"}
	physical = []string{"%@ ? PREV(%@)", "@ ? PREV(@)", "@ ? NEXT(@)", "%@ ? NEXT(%@, 2)", "PREV(%@, 2) ? #", "PREV(%@, 0) ? #",
		"@ ? PREV(FIRST(~@, 1), 1)", "NEXT(LAST(~@), 2) ? #", "PREV(LAST(~@, 1)) IS NULL", "PREV(~@ + ~X) ? #", "PREV(~S) = S",
		"NEXT(FIRST(~@), 1) ? @", "PREV(COALESCE(~@, -1)) ? #"}
	logical = []string{"@ ? ~@", "@ ? FIRST(~@)", "@ ? LAST(~@, 1)", "FIRST(~@, 1) IS NULL", "LAST(~@ * 2) ? #", "~@ IS NULL",
		"%@ ? LAST(%@, 1)", "FIRST(~@) ? LAST(~@)", "RUNNING LAST(~@) ? #", "LAST(~S) = 'a'"}
	aggregate = []string{"COUNT(*) ? #", "SUM(%@) ? #", "AVG(~@) ? #", "MIN(~@) ? #", "MAX(~@) - MIN(~@) ? #", "COUNT(^.*) ? #",
		"COUNT(~@) ? #", "@ ? AVG(%@)", "COUNT(DISTINCT ~@) ? #", "SUM(~X + 1) ? #", "MAX(~S) = 'b'", "COUNT(CLASSIFIER()) ? #",
		"SUM(@) FILTER (WHERE @ > 1) ? #", "RUNNING COUNT(~S) ? #"}
	classifier = []string{"CLASSIFIER() = $", "PREV(CLASSIFIER()) = $", "PREV(CLASSIFIER()) IS NULL", "LAST(CLASSIFIER(), 1) = $",
		"FIRST(CLASSIFIER()) <> $", "CLASSIFIER(^) = $", "NEXT(CLASSIFIER()) IS NULL", "PREV(CLASSIFIER(), 2) IS DISTINCT FROM $"}
	matchNumber = []string{"MATCH_NUMBER() ? #", "MOD(MATCH_NUMBER(), 2) = 1", "MATCH_NUMBER() = COUNT(*)"}
	errors      = []string{"4 / %X ? #", "1 / COUNT(^.*) > 0", "CAST(%S AS integer) = 1", "X / (X - PREV(X)) ? #"}

	typed = []string{"%S = 'a'", "%S = PREV(%S)", "%S IN ('a', 'b ')", "%S <= 'a'", "MAX(~S) = 'b'", "MIN(~S) || 'x' = 'a x'", "COUNT(DISTINCT ~S) ? #",
		"~S = S", "LAST(~S, 1) < S", "X / 2 ? #", "X / 2 * 2 = X", "SUM(~X) / COUNT(*) ? #", "AVG(~X) ? #", "AVG(~X) * 2 ? COUNT(*)", "AVG(~Y) ? #",
		"Y / 3 ? 1", "AVG(~X) / 2 = 1", "%Z = Z", "%Z > 1", "MAX(~Z) ? #", "MIN(~Z) < Z", "SUM(~Z) ? #", "Z - ~Z = 0", "E >= TIMESTAMP '2024-10-06 00:00:01.5'",
		"E - PREV(E) <= INTERVAL '1' SECOND", "E <= FIRST(E) + INTERVAL '2' SECOND", "E - ~E < INTERVAL '1' SECOND", "MAX(~E) = E", "LAST(~E, 1) < E",
		"4 / %X ? #", "X / (X - PREV(X)) ? #", "CAST(%S AS integer) = 1", "10 / X * X ? #", "PREV(@) IS NULL", "NEXT(@) ? #"}

	wideMeasures = []string{"AVG(~X)", "X / 2", "MAX(~S)", "MIN(~S)", "COUNT(DISTINCT ~S)", "MAX(~Z)", "MIN(~Z)", "SUM(~Z)", "AVG(~Z)", "AVG(~Y)", "Y / 3",
		"SUM(~X) / COUNT(*)", "~E", "LAST(~E) - FIRST(~E)", "FIRST(~S)", "S || 'x'", "MAX(~E)", "X / (X - 1)", "SUM(~Y)"}
	measures = []string{"CLASSIFIER()", "FIRST(~@)", "LAST(~@, 1)", "~@", "@ + 1", "COUNT(*)", "SUM(~@)", "AVG(~@)", "MIN(~S)",
		"PREV(~@)", "NEXT(~@)", "COUNT(^.*)", "CLASSIFIER(^)", "'c'", "COALESCE(~X, 7)", "LAST(CLASSIFIER(), 1)", "COUNT(DISTINCT ~@)",
		"PREV(FIRST(~@, 1), 2)", "NEXT(CLASSIFIER())", "~X + X", "MAX(~D)", "FIRST(~S, 1)"}
	bothKinds = []string{"FINAL LAST(~@)", "FINAL COUNT(*)", "RUNNING COUNT(*)", "FINAL SUM(~@)", "RUNNING LAST(~@)",
		"NEXT(FINAL FIRST(~@), 1)", "FINAL LAST(CLASSIFIER())", "FINAL COUNT(^.*)", "FINAL FIRST(~@, 1)", "FINAL AVG(@)"}
)

// DrawMeasure draws the expression of a measure. Without a match number there
// is no MATCH_NUMBER (WIN-9).
func DrawMeasure(r *Rand, s Scope, matchNumber bool) string {
	if matchNumber && r.Chance(12) {
		return Pick(r, []string{"MATCH_NUMBER()", "MATCH_NUMBER() + COUNT(*)"})
	}
	if s.Wide && r.Chance(50) {
		return fill(r, s, Pick(r, wideMeasures))
	}
	if r.Chance(30) {
		return fill(r, s, Pick(r, bothKinds))
	}
	return fill(r, s, Pick(r, measures))
}

var compare = []string{"<", "<=", ">", ">=", "=", "<>"}

// fill fills the places of a template.
func fill(r *Rand, s Scope, template string) string {
	own := ""
	if s.Own != "" && r.Chance(70) {
		own = s.Own + "."
	}
	named := Pick(r, s.Vars)
	if len(s.Unions) > 0 && r.Chance(25) {
		named = Pick(r, s.Unions)
	}
	maybe := ""
	if r.Chance(75) {
		maybe = named + "."
	}
	if s.Lenient && r.Chance(10) {
		own, maybe = "T.", "T."
	}
	column := Pick(r, []string{"X", "X", "X", "Y", "Z"})
	var b strings.Builder
	for i := range len(template) {
		switch c := template[i]; c {
		case '#':
			b.WriteString(strconv.Itoa(r.Between(0, 4)))
		case '@':
			b.WriteString(column)
		case '%':
			if i+1 < len(template) && template[i+1] == '\'' {
				b.WriteByte(c) // of a LIKE pattern
				continue
			}
			b.WriteString(own)
		case '^':
			b.WriteString(named)
		case '~':
			b.WriteString(maybe)
		case '?':
			b.WriteString(Pick(r, compare))
		case '$':
			b.WriteString("'" + Pick(r, s.Vars) + "'")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
