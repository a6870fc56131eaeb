package query

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// scope is what the names of a block resolve in: the columns of its FROM, and
// the scopes around it. A scope with outer stands for the DEFINE or MEASURES of
// a recognition: it has no columns of its own for a subquery in it.
type scope struct {
	row     *semantics.RowType
	known   int  // columns known from the start; a check without tables adds more as it meets them
	noFrom  bool // there is no FROM
	aliases []string
	note    string // what an unknown column should tell the user
	hints   nameHints
	outer   func([]token.Word) *diag.Error
	parent  *scope
	with    *withItem
}

// nameHints is what a block knows of names that are no columns of it.
type nameHints struct {
	measures map[string]string // measures of the block's windows, with the window's name
	hidden   *semantics.Clause // the recognition in FROM, whose input is not in view
}

// hintsOf collects the names around a block.
func hintsOf(n *selectNode, input plan) nameHints {
	h := nameHints{measures: map[string]string{}}
	for i := range n.windows {
		for _, m := range n.windows[i].syntax.Measures {
			if _, ok := h.measures[m.Name.Text]; !ok {
				h.measures[m.Name.Text] = n.windows[i].name.String()
			}
		}
	}
	if r, ok := input.(*recognitionPlan); ok {
		h.hidden = r.clause
	}
	return h
}

// hint tells what an unknown column is, "" if the block does not know it either.
func (h nameHints) hint(col token.Word) string {
	if w, ok := h.measures[col.Text]; ok {
		return fmt.Sprintf("%s is a measure of the window %s: write %s OVER %s", col, w, col, w)
	}
	if h.hidden == nil {
		return ""
	}
	if _, n := h.hidden.Input.Find(col.Text); n > 0 && !h.hidden.Rows.IsAll() {
		return fmt.Sprintf("%s is a column of the input; ONE ROW PER MATCH gives the columns of PARTITION BY and the measures (OUT-1): add a measure such as LAST(%s) AS %s, or write ALL ROWS PER MATCH", col, col, col)
	}
	for _, v := range h.hidden.Vars {
		if v.Name.Text == col.Text {
			return fmt.Sprintf("%s is a row pattern variable, known only inside of MATCH_RECOGNIZE: give what is needed of it as a measure", col)
		}
	}
	return ""
}

// qualifier tells what an unknown qualifier is.
func (h nameHints) qualifier(q token.Word, correlation string) string {
	if h.hidden == nil {
		return ""
	}
	instead := "leave the qualifier out"
	if correlation != "" {
		instead = "write " + (token.Word{Text: correlation}).String() + " in its place"
	}
	if h.hidden.Input.Correlation == q.Text {
		return fmt.Sprintf("%s is the input of MATCH_RECOGNIZE, which is not in view outside (GRAM-12): %s", q, instead)
	}
	for _, v := range h.hidden.Vars {
		if v.Name.Text == q.Text {
			return fmt.Sprintf("%s is a row pattern variable, known only inside of MATCH_RECOGNIZE: give what is needed of it as a measure", q)
		}
	}
	return ""
}

// withItem is an item of WITH in view, the innermost first.
type withItem struct {
	name string
	rel  relation
	next *withItem
}

func (w *withItem) find(name string) (relation, bool) {
	for ; w != nil; w = w.next {
		if w.name == name {
			return w.rel, true
		}
	}
	return relation{}, false
}

// inPattern reports a scope below DEFINE or MEASURES: the query is a subquery
// of a recognition (DEF-13).
func (s *scope) inPattern() bool {
	for ; s != nil; s = s.parent {
		if s.outer != nil {
			return true
		}
	}
	return false
}

// has reports whether a name surely means a column of this scope.
func (s *scope) has(words []token.Word) bool {
	if s.row == nil || len(words) > 2 {
		return false
	}
	col := words[len(words)-1].Text
	_, n := s.row.Find(col)
	if len(words) == 2 {
		return words[0].Text == s.row.Correlation && (n > 0 || s.row.Untyped)
	}
	return n > 0
}

// outerReference returns the error of a name that does not resolve in its own
// block, if one of the scopes from s outwards has it: nil if none has. crossed
// tells that a recognition lies between.
func outerReference(s *scope, words []token.Word, crossed bool) *diag.Error {
	for ; s != nil; s = s.parent {
		if s.outer != nil {
			if e := s.outer(words); e != nil {
				return e
			}
			crossed = true
			continue
		}
		if !s.has(words) {
			continue
		}
		if crossed {
			return outerError(words)
		}
		return diag.New(diag.Unsupported, "SQL-1", words[0].Pos, "%s is a column of an outer query: correlated subqueries are not supported", join(words)).
			WithHint("compare with IN (SELECT ...), or compute the value with a window of MATCH_RECOGNIZE before")
	}
	return nil
}

// outerError is the error of NEST-2.
func outerError(words []token.Word) *diag.Error {
	return diag.New(diag.Semantic, "NEST-2", words[0].Pos, "%s is a column of an outer query: MEASURES and DEFINE cannot refer to it", join(words)).
		WithHint("make it a column of the input: FROM (SELECT ..., value AS name FROM t) MATCH_RECOGNIZE (...)")
}

// resolve finds a column of the scope; -1 after reporting an error.
func (b *binder) resolve(s *scope, words []token.Word) int {
	if i, ok := s.lookup(words); ok {
		return i
	}
	if e := outerReference(s.parent, words, false); e != nil {
		b.fail(e)
		return -1
	}
	b.fail(s.unknown(words))
	return -1
}

// lookup resolves without reporting. A check without tables makes a column of
// every name that could be one.
func (s *scope) lookup(words []token.Word) (int, bool) {
	if s.row == nil || len(words) > 2 || len(words) == 2 && words[0].Text != s.row.Correlation {
		return -1, false
	}
	col := words[len(words)-1].Text
	i, n := s.row.Find(col)
	switch {
	case n == 1:
		return i, true
	case n == 0 && s.row.Untyped:
		s.row.Fields = append(s.row.Fields, semantics.Field{Name: col})
		return len(s.row.Fields) - 1, true
	}
	return -1, false
}

// unknown is the error of a name that nothing has (NAME-1).
func (s *scope) unknown(words []token.Word) *diag.Error {
	col := words[len(words)-1]
	switch {
	case len(words) > 2:
		return nameError(words[0].Pos, "the name %s has too many parts", join(words)).WithHint("write %s", col)
	case s.noFrom:
		return nameError(words[0].Pos, "%s is no column: there is no FROM", join(words)).
			WithHint("add FROM; a string is written in single quotes")
	case len(words) == 2 && words[0].Text != s.row.Correlation:
		e := nameError(words[0].Pos, "%s is not the name of the table", words[0])
		if h := s.hints.qualifier(words[0], s.row.Correlation); h != "" {
			return e.WithHint("%s", h)
		}
		if s.row.Correlation == "" {
			return e.WithHint("leave the qualifier out, or name the table: ... AS %s", words[0])
		}
		return e.WithHint("the table is called %s: write that, or leave the qualifier out", token.Word{Text: s.row.Correlation})
	}
	if _, n := s.row.Find(col.Text); n > 1 {
		return nameError(col.Pos, "the column %s is ambiguous: there are %d of that name", col, n).
			WithHint("rename them with a column list: FROM t AS t (a, b), or MATCH_RECOGNIZE (...) AS m (a, b)")
	}
	e := nameError(col.Pos, "there is no column %s", col)
	if h := token.CaseHint(col, names(s.row.Fields)); h != "" {
		return e.WithHint("%s", h)
	}
	if s.note != "" {
		return e.WithHint("%s", s.note)
	}
	for _, a := range s.aliases {
		if a == col.Text {
			return e.WithHint("%s is an alias of the select list, which is not in view here: repeat its expression, or use a derived table", col)
		}
	}
	if h := s.hints.hint(col); h != "" {
		return e.WithHint("%s", h)
	}
	list := "the columns are: %s"
	if col.Quoted {
		list = "double quotes make a name; a string is written in single quotes, " + strings.ReplaceAll(token.QuoteString(col.Text), "%", "") + "; " + list
	}
	return e.WithHint("%s", suggestion(col.Text, names(s.row.Fields), list))
}

func names(fields []semantics.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

func nameError(pos diag.Pos, format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "NAME-1", pos, format, args...)
}

func join(words []token.Word) string {
	text := make([]string, len(words))
	for i, w := range words {
		text[i] = w.String()
	}
	return strings.Join(text, ".")
}

// suggestion proposes the candidate nearest to a name, or lists all of them.
func suggestion(name string, candidates []string, list string) string {
	const most = 12
	if best := token.Nearest(name, candidates); best != "" {
		return "did you mean " + token.Word{Text: best}.String() + "?"
	}
	var out []string
	for i, c := range candidates {
		if i == most {
			out = append(out, "...")
			break
		}
		out = append(out, token.Word{Text: c}.String())
	}
	return strings.Replace(list, "%s", strings.Join(out, ", "), 1)
}
