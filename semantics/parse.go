package semantics

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// section is a sub-clause of a recognition, in the order in which they stand (GRAM-1).
type section int

const (
	noSection section = iota
	secPartition
	secOrder
	secMeasures
	secRows    // ROWS PER MATCH
	secFrame   // windows: ROWS ..., RANGE ..., GROUPS ...
	secExclude // windows: EXCLUDE ...
	secAfter
	secSeek
	secPattern
	secSubset
	secDefine
)

// clauseParser parses a recognition from the tokens of a statement. Syntax
// errors end it at once, so that the first in the source is the one reported.
type clauseParser struct {
	s        *token.Stream
	readings readings.Set
	out      *Syntax
	last     section // the sub-clause that was begun last
	seen     [secDefine + 1]bool
}

// ParseRecognition parses MATCH_RECOGNIZE ( ... ) with the output name and
// column list behind it. The stream stands at MATCH_RECOGNIZE.
func ParseRecognition(s *token.Stream, r readings.Set) (*Syntax, error) {
	p := newClauseParser(s, r, false)
	s.Next() // MATCH_RECOGNIZE
	if err := s.ExpectOp("(", "write MATCH_RECOGNIZE (... PATTERN (...) DEFINE ...)"); err != nil {
		return nil, err
	}
	if err := p.sections(); err != nil {
		return nil, err
	}
	if err := p.outputName(); err != nil {
		return nil, err
	}
	return p.out, nil
}

// ParseWindow parses a window specification up to its closing parenthesis; the
// stream stands behind the opening one, and is left behind the closing one.
func ParseWindow(s *token.Stream, r readings.Set) (*Syntax, error) {
	p := newClauseParser(s, r, true)
	if s.AtName() && p.at() == noSection {
		w, err := s.Word("the name of a window")
		if err != nil {
			return nil, err
		}
		name := Name(w)
		p.out.Base = &name
	}
	return p.out, p.sections()
}

func newClauseParser(s *token.Stream, r readings.Set, window bool) *clauseParser {
	return &clauseParser{s: s, readings: r, out: &Syntax{Source: s.Source(), Pos: s.Pos(), Window: window}}
}

// sections parses the sub-clauses and the closing parenthesis (GRAM-1, GRAM-2, GRAM-14).
func (p *clauseParser) sections() error {
	outer := p.s.Rule
	p.s.Rule = "GRAM-1"
	defer func() { p.s.Rule = outer }()
	for !p.s.AtOp(")") {
		sec := p.at()
		switch {
		case sec == noSection:
			return p.unexpected()
		case p.seen[sec]:
			return p.twice(sec)
		case sec < p.last:
			return p.outOfOrder(sec)
		}
		p.last, p.seen[sec] = sec, true
		if err := p.section(sec); err != nil {
			return err
		}
	}
	p.out.End = p.s.Pos()
	switch {
	case p.out.Pattern == nil && !p.out.Window:
		return p.s.Errorf("GRAM-2", "PATTERN is missing").
			WithHint("write PATTERN and DEFINE, which are both mandatory, for example PATTERN (A B+) DEFINE B AS B.x > PREV(B.x)")
	case p.out.Pattern != nil && len(p.out.Define) == 0:
		return p.s.Errorf("GRAM-2", "DEFINE is missing").
			WithHint("DEFINE with at least one definition is mandatory in the standard, though DuckDB and others let it be left out: DEFINE %s AS TRUE keeps the meaning", p.anyVariable())
	}
	p.s.Next()
	return nil
}

func (p *clauseParser) anyVariable() string {
	name := "A"
	if p.out.Pattern == nil {
		return name
	}
	p.out.Pattern.Walk(func(n *Pattern) {
		if n.Op == OpVariable {
			name = n.Name.String()
		}
	})
	return name
}

// at tells which sub-clause begins at the current token.
func (p *clauseParser) at() section {
	s := p.s
	switch {
	case s.AtSeq("PARTITION", "BY"):
		return secPartition
	case s.AtSeq("ORDER", "BY"):
		return secOrder
	case s.At("MEASURES"):
		return secMeasures
	case s.AtSeq("ONE", "ROW"), s.AtSeq("ALL", "ROWS"):
		if !p.out.Window {
			return secRows
		}
	case s.At("ROWS", "RANGE", "GROUPS"):
		if p.out.Window {
			return secFrame
		}
	case s.At("EXCLUDE"):
		if p.out.Window {
			return secExclude
		}
	case s.AtSeq("AFTER", "MATCH"):
		return secAfter
	case s.At("INITIAL", "SEEK"):
		return secSeek
	case s.At("PATTERN"):
		return secPattern
	case s.At("SUBSET"):
		return secSubset
	case s.At("DEFINE"):
		return secDefine
	}
	return noSection
}

func (p *clauseParser) section(sec section) error {
	switch sec {
	case secPartition:
		return p.partitionBy()
	case secOrder:
		return p.orderBy()
	case secMeasures:
		return p.measures()
	case secRows:
		return p.rowsPerMatch()
	case secFrame:
		return p.frame()
	case secExclude:
		return p.exclude()
	case secAfter:
		return p.afterMatch()
	case secSeek:
		t := p.s.Next()
		p.out.Seek = seekSyntax{Word: t.Text, Pos: t.Pos}
		return nil
	case secPattern:
		return p.pattern()
	case secSubset:
		return p.subset()
	}
	return p.define()
}

// partitionBy parses PARTITION BY column, ... (GRAM-4).
func (p *clauseParser) partitionBy() error {
	p.s.Next()
	p.s.Next()
	for {
		start := p.s.Mark()
		col, ok := p.columnName()
		if pos := p.s.Pos(); ok && p.s.Accept("COLLATE") {
			w, err := p.s.Word("the name of a collation")
			if err != nil {
				return err
			}
			name := Name(w)
			col.Collate = &name
			p.out.late.Add(collationError(pos).In(p.s.Source()))
		}
		if !ok || !p.s.AtOp(",") && !p.s.AtOp(")") && p.at() == noSection {
			if p.foreignAhead() || ok && p.beginsSection(p.s.Peek(0)) {
				return p.unexpected()
			}
			return p.noColumn(start)
		}
		p.out.PartitionBy = append(p.out.PartitionBy, col)
		if !p.s.AcceptOp(",") {
			return nil
		}
	}
}

// columnName parses a possibly qualified name.
func (p *clauseParser) columnName() (columnSyntax, bool) {
	var c columnSyntax
	for {
		if !p.s.AtName() {
			return c, false
		}
		c.Parts = append(c.Parts, Name(p.s.Next().Word()))
		if !p.s.AcceptOp(".") {
			return c, true
		}
	}
}

// orderBy parses a sort specification list (GRAM-5).
func (p *clauseParser) orderBy() error {
	p.s.Next()
	p.s.Next()
	for {
		pos := p.s.Pos()
		node, err := p.expression("name a column to order by")
		if err != nil {
			return err
		}
		if node.Kind != sqlexpr.Name && !p.readings.Is(readings.GRAM5) {
			return diag.New(diag.Syntax, "GRAM-5", pos, "ORDER BY takes columns here, not expressions").In(p.s.Source()).
				WithHint("DuckDB takes expressions; in the standard compute the value in a derived table and order by its column")
		}
		item := sqlexpr.SortItem{Expr: node}
		if p.s.At("COLLATE") {
			pos := p.s.Pos()
			p.s.Next()
			if _, err := p.s.Word("the name of a collation"); err != nil {
				return err
			}
			p.out.late.Add(collationError(pos).In(p.s.Source()))
		}
		switch {
		case p.s.Accept("DESC"):
			item.Descending = true
		case p.s.Accept("ASC"):
		}
		if p.s.Accept("NULLS") {
			first := p.s.Accept("FIRST")
			if !first && !p.s.Accept("LAST") {
				return p.s.Expected("GRAM-5", "FIRST or LAST", "write NULLS FIRST or NULLS LAST")
			}
			item.NullsFirst = &first
		}
		p.out.OrderBy = append(p.out.OrderBy, item)
		if !p.s.AcceptOp(",") {
			return nil
		}
	}
}

func collationError(pos diag.Pos) *diag.Error {
	return diag.New(diag.Unsupported, "IMP-STRINGS", pos, "collations are not supported").
		WithHint("strings compare by code point, or with --reading IMP-STRINGS=padspace with blank padding; leave COLLATE out")
}

// measures parses expression AS name, ... (GRAM-6).
func (p *clauseParser) measures() error {
	p.s.Next()
	for {
		node, err := p.expression("write a measure with its name, for example LAST(A.x) AS name")
		if err != nil {
			return err
		}
		if err := checkShape(node, p.s.Source()); err != nil {
			return err
		}
		if !p.s.Accept("AS") {
			return p.unnamed(node)
		}
		w, err := p.s.Word("the name of a measure")
		if err != nil {
			return err
		}
		p.out.Measures = append(p.out.Measures, measureSyntax{Expr: node, Name: Name(w)})
		if !p.s.AcceptOp(",") {
			return nil
		}
	}
}

// rowsPerMatch parses ONE ROW PER MATCH or ALL ROWS PER MATCH with its option (GRAM-7).
func (p *clauseParser) rowsPerMatch() error {
	if p.s.AcceptSeq("ONE", "ROW") {
		if err := p.s.ExpectSeq("write ONE ROW PER MATCH", "PER", "MATCH"); err != nil {
			return err
		}
		p.out.Rows = OneRow
		return nil
	}
	if err := p.s.ExpectSeq("write ALL ROWS PER MATCH", "ALL", "ROWS", "PER", "MATCH"); err != nil {
		return err
	}
	switch {
	case p.s.Accept("SHOW"):
		p.out.Rows = ShowEmpty
		return p.s.ExpectSeq("write ALL ROWS PER MATCH SHOW EMPTY MATCHES", "EMPTY", "MATCHES")
	case p.s.Accept("OMIT"):
		p.out.Rows = OmitEmpty
		return p.s.ExpectSeq("write ALL ROWS PER MATCH OMIT EMPTY MATCHES", "EMPTY", "MATCHES")
	case p.s.Accept("WITH"):
		p.out.Rows = WithUnmatched
		return p.s.ExpectSeq("write WITH UNMATCHED ROWS, or for empty matches SHOW EMPTY MATCHES or OMIT EMPTY MATCHES", "UNMATCHED", "ROWS")
	}
	p.out.Rows = ShowEmpty
	return nil
}

// afterMatch parses AFTER MATCH SKIP ...; FIRST, LAST and NEXT are names where
// nothing that they could govern follows (GRAM-11).
func (p *clauseParser) afterMatch() error {
	p.out.Skip = skipSyntax{Written: true, Pos: p.s.Pos()}
	p.s.Next()
	p.s.Next()
	if err := p.s.Expect("SKIP", skipForms); err != nil {
		return err
	}
	skip := &p.out.Skip
	if p.s.Accept("PAST") {
		skip.To = PastLastRow
		return p.s.ExpectSeq("write AFTER MATCH SKIP PAST LAST ROW", "LAST", "ROW")
	}
	if err := p.s.Expect("TO", skipForms); err != nil {
		return err
	}
	if p.s.AcceptSeq("NEXT", "ROW") {
		skip.To = ToNextRow
		return nil
	}
	skip.To = ToLast
	if p.s.At("FIRST", "LAST") && !p.endsSkip(p.s.Peek(1)) {
		if p.s.Next().Text == "FIRST" {
			skip.To = ToFirst
		}
	}
	w, err := p.s.Word("a row pattern variable")
	if err != nil {
		return err
	}
	skip.Target = Name(w)
	return nil
}

func (p *clauseParser) endsSkip(t token.Token) bool {
	return t.Is("PATTERN") || t.Is("INITIAL") || t.Is("SEEK") || t.Kind != token.Ident
}

// pattern parses PATTERN ( row_pattern ).
func (p *clauseParser) pattern() error {
	p.out.PatternPos = p.s.Pos()
	p.s.Next()
	if err := p.s.ExpectOp("(", "the pattern stands in parentheses: PATTERN (A B+)"); err != nil {
		return err
	}
	pp := patternParser{s: p.s, readings: p.readings, clause: true}
	tree, err := pp.rowPattern(0)
	if err != nil {
		return err
	}
	if !p.s.AcceptOp(")") {
		return pp.unexpected()
	}
	p.out.Pattern = tree
	for _, e := range pp.bounds.All() {
		p.out.late.Add(e)
	}
	return nil
}

// subset parses SUBSET U = (A, B), ... (GRAM-9).
func (p *clauseParser) subset() error {
	p.s.Next()
	return p.subsetItems()
}

func (p *clauseParser) subsetItems() error {
	for {
		w, err := p.s.Word("the name of a union variable")
		if err != nil {
			return err
		}
		item := subsetSyntax{Name: Name(w)}
		form := "write " + item.Name.String() + " = (A, B) with variables of the pattern"
		if err := p.s.ExpectOp("=", form); err != nil {
			return err
		}
		if err := p.s.ExpectOp("(", form); err != nil {
			return err
		}
		for {
			m, err := p.s.Word("a row pattern variable")
			if err != nil {
				return err
			}
			item.Members = append(item.Members, Name(m))
			if !p.s.AcceptOp(",") {
				break
			}
		}
		if err := p.s.ExpectOp(")", "separate the members of the union by commas and close the list with )"); err != nil {
			return err
		}
		p.out.Subset = append(p.out.Subset, item)
		if !p.s.AcceptOp(",") {
			return nil
		}
	}
}

// define parses variable AS condition, ...
func (p *clauseParser) define() error {
	p.s.Next()
	if p.s.AtOp(")") {
		return p.s.Errorf("GRAM-2", "DEFINE has no definition").
			WithHint("write at least one definition: DEFINE %s AS TRUE keeps the meaning", p.anyVariable())
	}
	for {
		w, err := p.s.Word("a row pattern variable to define")
		if err != nil {
			return err
		}
		name := Name(w)
		if !p.s.Accept("AS") {
			return p.undefined(name)
		}
		node, err := p.expression("write the condition of " + name.String() + " behind AS; TRUE holds on every row")
		if err != nil {
			return err
		}
		if err := checkShape(node, p.s.Source()); err != nil {
			return err
		}
		p.out.Define = append(p.out.Define, defineSyntax{Name: name, Cond: node})
		if !p.s.AcceptOp(",") {
			return p.endOfCondition()
		}
	}
}

// frame parses a frame clause of a window (WIN-1).
func (p *clauseParser) frame() error {
	t := p.s.Next()
	f := &frameSyntax{Pos: t.Pos, Unit: t.Text}
	p.out.Frame = f
	var err error
	if f.Between = p.s.Accept("BETWEEN"); !f.Between {
		f.Start, err = p.frameBound()
		return err
	}
	if f.Start, err = p.frameBound(); err != nil {
		return err
	}
	if err := p.s.Expect("AND", frameForm); err != nil {
		return err
	}
	f.End, err = p.frameBound()
	return err
}

func (p *clauseParser) frameBound() (frameBound, error) {
	b := frameBound{Pos: p.s.Pos()}
	if p.s.AcceptSeq("CURRENT", "ROW") {
		b.Kind = "CURRENT ROW"
		return b, nil
	}
	prefix := ""
	if p.s.Accept("UNBOUNDED") {
		prefix = "UNBOUNDED "
	} else {
		var err error
		if b.N, err = p.expression(frameForm); err != nil {
			return b, err
		}
	}
	for _, dir := range []string{"PRECEDING", "FOLLOWING"} {
		if p.s.Accept(dir) {
			b.Kind = prefix + dir
			return b, nil
		}
	}
	return b, p.s.Expected("WIN-1", "PRECEDING or FOLLOWING", frameForm)
}

func (p *clauseParser) exclude() error {
	p.out.ExcludePos = p.s.Pos()
	p.s.Next()
	for _, words := range [][]string{{"NO", "OTHERS"}, {"CURRENT", "ROW"}, {"GROUP"}, {"TIES"}} {
		if p.s.AcceptSeq(words...) {
			p.out.Exclude = strings.Join(words, " ")
			return nil
		}
	}
	return p.s.Expected("WIN-1", "NO OTHERS", "write EXCLUDE NO OTHERS, or leave EXCLUDE out")
}

// outputName parses [[AS] name [(column, ...)]] behind the clause (GRAM-12).
func (p *clauseParser) outputName() error {
	as := p.s.Accept("AS")
	if !as && !p.s.AtName() {
		return nil
	}
	p.out.OutputPos = p.s.Pos()
	w, err := p.s.Word("a name for the output")
	if err != nil {
		return err
	}
	name := Name(w)
	p.out.OutputName = &name
	if !p.s.AcceptOp("(") {
		return nil
	}
	for {
		c, err := p.s.Word("the name of an output column")
		if err != nil {
			return err
		}
		p.out.OutputColumns = append(p.out.OutputColumns, Name(c))
		if !p.s.AcceptOp(",") {
			return p.s.ExpectOp(")", "separate the names of the output columns by commas and close the list with )")
		}
	}
}
