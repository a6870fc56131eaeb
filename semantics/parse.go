package semantics

import (
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

var sectionNames = [...]string{secPartition: "PARTITION BY", secOrder: "ORDER BY", secMeasures: "MEASURES",
	secRows: "ROWS PER MATCH", secFrame: "the frame", secExclude: "EXCLUDE", secAfter: "AFTER MATCH",
	secSeek: "INITIAL or SEEK", secPattern: "PATTERN", secSubset: "SUBSET", secDefine: "DEFINE"}

const (
	clauseOrder = "the order is PARTITION BY, ORDER BY, MEASURES, ONE ROW or ALL ROWS PER MATCH, AFTER MATCH SKIP, PATTERN, SUBSET, DEFINE, each at most once"
	windowOrder = "the order is PARTITION BY, ORDER BY, MEASURES, frame, EXCLUDE, AFTER MATCH SKIP, INITIAL or SEEK, PATTERN, SUBSET, DEFINE, each at most once"
)

// clauseParser parses a recognition from the tokens of a statement. Syntax
// errors end it at once, so that the first in the source is the one reported.
type clauseParser struct {
	s        *token.Stream
	readings readings.Set
	out      *Syntax
}

// ParseRecognition parses MATCH_RECOGNIZE ( ... ) with the output name and
// column list behind it. The stream stands at MATCH_RECOGNIZE.
func ParseRecognition(s *token.Stream, r readings.Set) (*Syntax, error) {
	p := newClauseParser(s, r, false)
	s.Next() // MATCH_RECOGNIZE
	if err := s.ExpectOp("("); err != nil {
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
		w, err := s.Word()
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
	order := clauseOrder
	if p.out.Window {
		order = windowOrder
	}
	last := noSection
	for !p.s.AtOp(")") {
		sec := p.at()
		switch {
		case sec == noSection:
			return p.unexpected(order)
		case sec == last:
			return p.s.Errorf("GRAM-1", "%s stands twice", sectionNames[sec]).WithHint("%s", order)
		case sec < last:
			return p.s.Errorf("GRAM-1", "%s stands behind %s", sectionNames[sec], sectionNames[last]).WithHint("%s", order)
		}
		last = sec
		if err := p.section(sec); err != nil {
			return err
		}
	}
	p.out.End = p.s.Pos()
	switch {
	case p.out.Pattern == nil && !p.out.Window:
		return p.s.Errorf("GRAM-2", "PATTERN is missing").
			WithHint("write PATTERN (...) and DEFINE behind it; both are mandatory")
	case p.out.Pattern != nil && len(p.out.Define) == 0:
		return p.s.Errorf("GRAM-2", "DEFINE is missing").
			WithHint("DEFINE with at least one definition is mandatory, although some products let it be left out; DEFINE %s AS TRUE keeps the meaning", p.anyVariable())
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

// foreign are clauses that other products have and the standard has not.
var foreign = map[string]string{
	"WITHIN":       "WITHIN, a time bound of Flink and RisingWave, is not in the standard; put the bound into a condition, such as B.ts <= FIRST(A.ts) + INTERVAL '5' MINUTE",
	"OPTIONS":      "OPTIONS, of BigQuery, is not in the standard; preference is written with greedy and reluctant quantifiers",
	"LIMIT":        "LIMIT DURATION, of Azure Stream Analytics, is not in the standard; put the bound into a condition, such as B.ts <= FIRST(A.ts) + INTERVAL '5' MINUTE",
	"INTERVAL":     "a clause INTERVAL, of Esper, is not in the standard; put the bound into a condition",
	"USE":          "options of this kind are not in the standard",
	"MATCH_NUMBER": "a column list of this kind is not in the standard; write MEASURES MATCH_NUMBER() AS name",
}

func (p *clauseParser) unexpected(order string) error {
	t := p.s.Peek(0)
	switch {
	case t.Kind == token.Ident && !t.Quoted && foreign[t.Text] != "":
		return p.s.Errorf("GRAM-1", "%s does not belong here", t.Text).WithHint("%s", foreign[t.Text])
	case p.out.Window && (p.s.AtSeq("ONE", "ROW") || p.s.AtSeq("ALL", "ROWS")):
		return p.s.Errorf("GRAM-14", "a window has no ROWS PER MATCH").WithHint("leave it out: a window function gives one value for each row")
	case p.s.AtSeq("SHOW", "EMPTY"), p.s.AtSeq("OMIT", "EMPTY"), p.s.AtSeq("WITH", "UNMATCHED"):
		return p.s.Errorf("GRAM-7", "%s stands only behind ALL ROWS PER MATCH", t.Text).
			WithHint("write ALL ROWS PER MATCH, or leave the option out")
	case t.Kind == token.EOF:
		return p.s.Errorf("GRAM-1", "the closing parenthesis of the clause is missing").WithHint("add ) behind the last definition")
	}
	return p.s.Expected("GRAM-1", "a sub-clause, or ) at the end").WithHint("%s", order)
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
			w, err := p.s.Word()
			if err != nil {
				return err
			}
			name := Name(w)
			col.Collate = &name
			p.out.late.Add(collationError(pos).In(p.s.Source()))
		}
		if !ok || !p.s.AtOp(",") && !p.s.AtOp(")") && p.at() == noSection {
			if p.foreignAhead() {
				return p.unexpected(clauseOrder)
			}
			p.s.Reset(start)
			return p.s.Errorf("GRAM-4", "PARTITION BY takes columns, not expressions").
				WithHint("compute the value in a derived table: FROM (SELECT ..., expression AS p FROM t) MATCH_RECOGNIZE (PARTITION BY p ...)")
		}
		p.out.PartitionBy = append(p.out.PartitionBy, col)
		if !p.s.AcceptOp(",") {
			return nil
		}
	}
}

func (p *clauseParser) foreignAhead() bool {
	t := p.s.Peek(0)
	return t.Kind == token.Error || t.Kind == token.Ident && !t.Quoted && foreign[t.Text] != ""
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
		node, err := p.expression()
		if err != nil {
			return err
		}
		if node.Kind != sqlexpr.Name && !p.readings.Is(readings.GRAM5) {
			return diag.New(diag.Syntax, "GRAM-5", pos, "ORDER BY takes columns here, not expressions").In(p.s.Source()).
				WithHint("compute the value in a derived table and order by its column")
		}
		item := sqlexpr.SortItem{Expr: node}
		if p.s.At("COLLATE") {
			pos := p.s.Pos()
			p.s.Next()
			if _, err := p.s.Word(); err != nil {
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
				return p.s.Expected("GRAM-5", "FIRST or LAST")
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
		node, err := p.expression()
		if err != nil {
			return err
		}
		if err := checkShape(node, p.s.Source()); err != nil {
			return err
		}
		if !p.s.Accept("AS") {
			return p.s.Errorf("GRAM-6", "the measure has no name").
				WithHint("write AS name behind the expression; Oracle and Snowflake let AS be left out, the standard does not")
		}
		w, err := p.s.Word()
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
		if err := p.s.ExpectSeq("PER", "MATCH"); err != nil {
			return err
		}
		p.out.Rows = OneRow
		return nil
	}
	if err := p.s.ExpectSeq("ALL", "ROWS", "PER", "MATCH"); err != nil {
		return err
	}
	switch {
	case p.s.Accept("SHOW"):
		p.out.Rows = ShowEmpty
		return p.s.ExpectSeq("EMPTY", "MATCHES")
	case p.s.Accept("OMIT"):
		p.out.Rows = OmitEmpty
		return p.s.ExpectSeq("EMPTY", "MATCHES")
	case p.s.Accept("WITH"):
		p.out.Rows = WithUnmatched
		return p.s.ExpectSeq("UNMATCHED", "ROWS")
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
	if err := p.s.Expect("SKIP"); err != nil {
		return err
	}
	skip := &p.out.Skip
	if p.s.Accept("PAST") {
		skip.To = PastLastRow
		return p.s.ExpectSeq("LAST", "ROW")
	}
	if err := p.s.Expect("TO"); err != nil {
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
	w, err := p.s.Word()
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
	if err := p.s.ExpectOp("("); err != nil {
		return err
	}
	pp := patternParser{s: p.s, readings: p.readings}
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
		w, err := p.s.Word()
		if err != nil {
			return err
		}
		item := subsetSyntax{Name: Name(w)}
		if err := p.s.ExpectOp("="); err != nil {
			return err
		}
		if err := p.s.ExpectOp("("); err != nil {
			return err
		}
		for {
			m, err := p.s.Word()
			if err != nil {
				return err
			}
			item.Members = append(item.Members, Name(m))
			if !p.s.AcceptOp(",") {
				break
			}
		}
		if err := p.s.ExpectOp(")"); err != nil {
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
			WithHint("at least one definition is mandatory; DEFINE %s AS TRUE keeps the meaning", p.anyVariable())
	}
	for {
		w, err := p.s.Word()
		if err != nil {
			return err
		}
		if err := p.s.Expect("AS"); err != nil {
			return err
		}
		node, err := p.expression()
		if err != nil {
			return err
		}
		if err := checkShape(node, p.s.Source()); err != nil {
			return err
		}
		p.out.Define = append(p.out.Define, defineSyntax{Name: Name(w), Cond: node})
		if !p.s.AcceptOp(",") {
			return p.endOfCondition()
		}
	}
}

// endOfCondition checks what follows the last definition.
func (p *clauseParser) endOfCondition() error {
	t := p.s.Peek(0)
	if t.IsOp(")") || t.Kind == token.EOF || p.at() != noSection || t.Kind == token.Ident && !t.Quoted && foreign[t.Text] != "" {
		return nil
	}
	return p.s.Expected("SQL-1", "an operator, a comma, or ) at the end of the condition").
		WithHint("definitions are separated by commas, conditions joined by AND or OR")
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
	if err := p.s.Expect("AND"); err != nil {
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
		if b.N, err = p.expression(); err != nil {
			return b, err
		}
	}
	for _, dir := range []string{"PRECEDING", "FOLLOWING"} {
		if p.s.Accept(dir) {
			b.Kind = prefix + dir
			return b, nil
		}
	}
	return b, p.s.Expected("WIN-1", "PRECEDING or FOLLOWING")
}

func (p *clauseParser) exclude() error {
	p.out.ExcludePos = p.s.Pos()
	p.s.Next()
	for _, words := range [][]string{{"NO", "OTHERS"}, {"CURRENT", "ROW"}, {"GROUP"}, {"TIES"}} {
		if p.s.AcceptSeq(words...) {
			p.out.Exclude = words[0]
			return nil
		}
	}
	return p.s.Expected("WIN-1", "NO OTHERS")
}

// outputName parses [[AS] name [(column, ...)]] behind the clause (GRAM-12).
func (p *clauseParser) outputName() error {
	as := p.s.Accept("AS")
	if !as && !p.s.AtName() {
		return nil
	}
	p.out.OutputPos = p.s.Pos()
	w, err := p.s.Word()
	if err != nil {
		return err
	}
	name := Name(w)
	p.out.OutputName = &name
	if !p.s.AcceptOp("(") {
		return nil
	}
	for {
		c, err := p.s.Word()
		if err != nil {
			return err
		}
		p.out.OutputColumns = append(p.out.OutputColumns, Name(c))
		if !p.s.AcceptOp(",") {
			return p.s.ExpectOp(")")
		}
	}
}
