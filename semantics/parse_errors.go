package semantics

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// This file words the syntax errors of a recognition: what stands there, who
// else has it, and how the standard writes it.

const (
	clauseOrder = "PARTITION BY, ORDER BY, MEASURES, ONE ROW or ALL ROWS PER MATCH, AFTER MATCH SKIP, PATTERN, SUBSET, DEFINE, each at most once"
	windowOrder = "PARTITION BY, ORDER BY, MEASURES, frame, EXCLUDE, AFTER MATCH SKIP, INITIAL or SEEK, PATTERN, SUBSET, DEFINE, each at most once"
	skipForms   = "write AFTER MATCH SKIP PAST LAST ROW, SKIP TO NEXT ROW, SKIP TO FIRST v, SKIP TO LAST v or SKIP TO v"
	frameForm   = "write ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING, or ROWS BETWEEN CURRENT ROW AND n FOLLOWING"
)

var sectionNames = [...]string{secPartition: "PARTITION BY", secOrder: "ORDER BY", secMeasures: "MEASURES",
	secRows: "ROWS PER MATCH", secFrame: "the frame", secExclude: "EXCLUDE", secAfter: "AFTER MATCH",
	secSeek: "INITIAL or SEEK", secPattern: "PATTERN", secSubset: "SUBSET", secDefine: "DEFINE"}

// name returns the sub-clause as it is called at the current token.
func (p *clauseParser) name(sec section) string {
	switch {
	case sec == secSeek && p.s.At("INITIAL", "SEEK"):
		return p.s.Peek(0).Text
	case sec == secRows && p.s.At("ONE"):
		return "ONE ROW PER MATCH"
	case sec == secRows && p.s.At("ALL"):
		return "ALL ROWS PER MATCH"
	}
	return sectionNames[sec]
}

func (p *clauseParser) order() string {
	if p.out.Window {
		return "the order is " + windowOrder
	}
	return "the order is " + clauseOrder
}

// twice is the error of a sub-clause that was there before (GRAM-1).
func (p *clauseParser) twice(sec section) error {
	e := p.s.Errorf("GRAM-1", "%s stands twice", sectionNames[sec])
	if sec == secSeek && p.out.Seek.Word != p.s.Peek(0).Text {
		e = p.s.Errorf("GRAM-1", "INITIAL and SEEK stand together")
	}
	switch sec {
	case secPartition, secOrder:
		return e.WithHint("write %s once, with its columns separated by commas", sectionNames[sec])
	case secMeasures:
		return e.WithHint("write MEASURES once, with the measures separated by commas")
	case secSubset:
		return e.WithHint("write SUBSET once, with the unions separated by commas: SUBSET U = (A, B), V = (B, C)")
	case secDefine:
		return e.WithHint("write DEFINE once, with the definitions separated by commas: DEFINE A AS ..., B AS ...")
	case secPattern:
		return e.WithHint("write one pattern, with its alternatives separated by |")
	case secSeek:
		return e.WithHint("keep one of the two")
	}
	return e.WithHint("keep one of them")
}

// outOfOrder is the error of a sub-clause that stands too late (GRAM-1).
func (p *clauseParser) outOfOrder(sec section) error {
	before := sec + 1
	for !p.seen[before] {
		before++
	}
	return p.s.Errorf("GRAM-1", "%s stands behind %s", p.name(sec), sectionNames[p.last]).
		WithHint("move %s before %s: only DuckDB takes any order, in the standard %s", p.name(sec), sectionNames[before], p.order())
}

// foreignClause says what a clause is that other products have and the
// standard has not, and what to write instead.
type foreignClause struct{ what, write string }

const timeBound = "put the bound into a condition, such as B.ts <= FIRST(A.ts) + INTERVAL '5' MINUTE"

var foreign = map[string]foreignClause{
	"WITHIN":   {"WITHIN is a time bound of Flink and RisingWave, not in the standard", timeBound},
	"OPTIONS":  {"OPTIONS is BigQuery's, not in the standard", "leave it out: which match is preferred is written with greedy (*) and reluctant (*?) quantifiers"},
	"LIMIT":    {"LIMIT DURATION is a time bound of Azure Stream Analytics, not in the standard", timeBound},
	"INTERVAL": {"a clause INTERVAL is Esper's, not in the standard", timeBound},
	"USE":      {"a clause USE is not in the standard", "leave it out: which match is preferred is written with greedy (*) and reluctant (*?) quantifiers"},
	"MATCH_NUMBER": {"MATCH_NUMBER stands outside of MEASURES and DEFINE",
		"write MEASURES MATCH_NUMBER() AS name, before ROWS PER MATCH"},
	"CLASSIFIER": {"CLASSIFIER stands outside of MEASURES and DEFINE",
		"write MEASURES CLASSIFIER() AS name, before ROWS PER MATCH"},
}

// foreignAt returns the clause of another product that begins at t.
func (p *clauseParser) foreignAt(t token.Token) (foreignClause, bool) {
	if t.Kind != token.Ident || t.Quoted {
		return foreignClause{}, false
	}
	f, ok := foreign[t.Text]
	return f, ok
}

func (p *clauseParser) foreignAhead() bool {
	t := p.s.Peek(0)
	_, ok := p.foreignAt(t)
	return ok || t.Kind == token.Error
}

// unexpected is the error of a token that begins no sub-clause.
func (p *clauseParser) unexpected() error {
	t := p.s.Peek(0)
	f, isForeign := p.foreignAt(t)
	switch {
	case t.Is("LIMIT") && !p.s.Peek(1).Is("DURATION"):
		return p.s.Errorf("GRAM-1", "LIMIT stands inside MATCH_RECOGNIZE").WithHint("write LIMIT or FETCH FIRST at the end of the query")
	case isForeign:
		return p.s.Errorf("GRAM-1", "%s", f.what).WithHint("%s", f.write)
	case p.s.AtSeq("ALL", "MATCHES"):
		return p.s.Errorf("GRAM-1", "ALL MATCHES is Esper's and the 2007 proposal's, not in the standard").
			WithHint("write AFTER MATCH SKIP TO NEXT ROW for matches that overlap, ALL ROWS PER MATCH for the rows of each match")
	case p.out.Window && (p.s.AtSeq("ONE", "ROW") || p.s.AtSeq("ALL", "ROWS")):
		return p.s.Errorf("GRAM-14", "a window has no ROWS PER MATCH").WithHint("leave it out: a window function gives one value for each row")
	case p.s.AtSeq("SHOW", "EMPTY"), p.s.AtSeq("OMIT", "EMPTY"), p.s.AtSeq("WITH", "UNMATCHED"):
		return p.rowsOption()
	case t.Kind == token.EOF:
		return p.s.Errorf("GRAM-1", "the closing parenthesis of the clause is missing").WithHint("add ) behind the last definition")
	}
	return p.s.Expected("GRAM-1", p.mayFollow(), p.strayHint(t))
}

// rowsOption is the error of an option that does not follow ALL ROWS PER MATCH (GRAM-7).
func (p *clauseParser) rowsOption() error {
	option := map[string]string{"SHOW": "SHOW EMPTY MATCHES", "OMIT": "OMIT EMPTY MATCHES", "WITH": "WITH UNMATCHED ROWS"}[p.s.Peek(0).Text]
	if p.last == secRows && p.out.Rows.IsAll() {
		return p.s.Errorf("GRAM-7", "%s is a second option of ALL ROWS PER MATCH", option).
			WithHint("write one of SHOW EMPTY MATCHES, OMIT EMPTY MATCHES and WITH UNMATCHED ROWS; the last one shows empty matches too")
	}
	e := p.s.Errorf("GRAM-7", "%s stands only directly behind ALL ROWS PER MATCH", option)
	if p.seen[secRows] && !p.out.Rows.IsAll() {
		return e.WithHint("write ALL ROWS PER MATCH in place of ONE ROW PER MATCH, or leave the option out")
	}
	return e.WithHint("write ALL ROWS PER MATCH %s, or leave the option out", option)
}

// mayFollow lists what may stand at the current token.
func (p *clauseParser) mayFollow() string {
	var words []string
	switch p.last {
	case secPartition, secOrder, secMeasures, secSubset, secDefine:
		words = append(words, "a comma")
	}
	for sec := p.last + 1; sec <= secDefine; sec++ {
		word := sectionNames[sec]
		switch sec {
		case secRows:
			word = "ONE ROW or ALL ROWS PER MATCH"
			if p.out.Window {
				continue
			}
		case secFrame:
			word = "ROWS BETWEEN"
			fallthrough
		case secExclude, secSeek:
			if !p.out.Window {
				continue
			}
		}
		words = append(words, word)
		if sec == secPattern {
			break
		}
	}
	switch p.last {
	case noSection, secPartition, secOrder, secFrame, secExclude:
		if p.out.Window && len(p.out.Measures) == 0 {
			words = append(words, ")")
		}
	case secDefine:
		words = append(words, ")")
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return words[0]
}

// misspelt returns the sub-clause that a word most likely means, "" if none is near.
func (p *clauseParser) misspelt(t token.Token) string {
	if t.Kind != token.Ident || t.Quoted || len(t.Text) < 4 {
		return ""
	}
	for _, w := range []string{"PARTITION", "ORDER", "MEASURES", "AFTER", "PATTERN", "SUBSET", "DEFINE"} {
		if d := diag.Distance(t.Text, w); d <= 2 && d < len(w)/2 {
			return w
		}
	}
	return ""
}

// beginsSection reports a word that is meant to begin a sub-clause, though what
// follows it or its spelling is wrong.
func (p *clauseParser) beginsSection(t token.Token) bool {
	return t.Is("ONE") || t.Is("ALL") || p.misspelt(t) != ""
}

// strayHint tells what to change where t begins no sub-clause.
func (p *clauseParser) strayHint(t token.Token) string {
	next := p.s.Peek(1)
	name := p.s.AtName()
	switch word := p.misspelt(t); {
	case t.Is("PARTITION"), t.Is("ORDER"):
		return "write " + t.Text + " BY and the columns"
	case t.Is("ONE"), t.Is("ALL"):
		return "write ONE ROW PER MATCH or ALL ROWS PER MATCH"
	case t.Is("AFTER"):
		return skipForms
	case t.Is("WHERE"), t.Is("HAVING"), t.Is("GROUP"), t.Is("QUALIFY"), t.Is("SELECT"), t.Is("FROM"):
		return t.Text + " stands outside: filter the input in a derived table, FROM (SELECT ... WHERE ...) MATCH_RECOGNIZE (...), or the result behind the clause"
	case word != "":
		return "did you mean " + word + "?"
	case t.IsOp(";"):
		return "remove the semicolon: there is at most one, at the end of the statement"
	}
	switch {
	case p.last == secAfter:
		return p.skipHint(t)
	case p.last == secSubset && name && next.IsOp("="):
		return "a comma is missing before " + token.Describe(p.s.Source(), t) + ": SUBSET U = (A, B), V = (B, C)"
	case p.last == secMeasures && name:
		return "a comma is missing before " + token.Describe(p.s.Source(), t) + ": measures are separated by commas"
	case p.last == secOrder && name:
		return "a comma is missing before " + token.Describe(p.s.Source(), t) + ": the columns of ORDER BY are separated by commas"
	case p.last == secPattern && name && next.Is("AS"):
		return "write DEFINE before the definitions"
	case p.last == secPattern && (t.IsOp("*") || t.IsOp("+") || t.IsOp("?") || t.IsOp("{")):
		return "put the quantifier inside the parentheses of PATTERN: PATTERN ((A B)+)"
	}
	return p.order()
}

// skipHint tells what to change behind AFTER MATCH SKIP TO v.
func (p *clauseParser) skipHint(t token.Token) string {
	target := p.out.Skip.Target
	switch {
	case target.Text == "PAST" && !target.Quoted:
		return "write AFTER MATCH SKIP PAST LAST ROW, without TO"
	case t.IsOp(","):
		return "name one variable; a union variable of SUBSET stands for several"
	case t.IsOp("."):
		return "name the variable alone, without a column: SKIP TO LAST " + target.String()
	case t.Is("ROW"), t.Is("ROWS"):
		return skipForms
	}
	return p.order()
}

// noColumn is the error of an item of PARTITION BY that is no column (GRAM-4).
func (p *clauseParser) noColumn(start int) error {
	next := p.s.Peek(0)
	missing := p.s.Mark() == start && (p.at() != noSection || next.Kind == token.EOF || next.IsOp(")") || next.IsOp(","))
	oneWord := p.s.Mark() == start+1
	p.s.Reset(start)
	if missing {
		if len(p.out.PartitionBy) > 0 {
			return p.s.Errorf("GRAM-4", "a comma of PARTITION BY is followed by no column").WithHint("remove the comma, or write one more column")
		}
		return p.s.Errorf("GRAM-4", "PARTITION BY names no column").WithHint("write the columns that divide the rows, or leave PARTITION BY out for one partition")
	}
	e := p.s.Errorf("GRAM-4", "PARTITION BY takes columns, not expressions")
	first := p.s.Peek(0)
	switch {
	case oneWord && (next.Is("ASC") || next.Is("DESC") || next.Is("NULLS")):
		return e.WithHint("leave %s out: partitions have no order; rows are ordered by ORDER BY", next.Text)
	case oneWord && next.Kind == token.Ident:
		return e.WithHint("separate the columns by commas: PARTITION BY %s, %s", token.Describe(p.s.Source(), first), token.Describe(p.s.Source(), next))
	case first.IsOp("(") && p.s.Peek(1).Kind == token.Ident && (p.s.Peek(2).IsOp(")") || p.s.Peek(2).IsOp(",")):
		return e.WithHint("write the columns without parentheses: PARTITION BY %s", token.Describe(p.s.Source(), p.s.Peek(1)))
	}
	return e.WithHint("DuckDB, Snowflake and BigQuery take expressions; in the standard compute the value in a derived table: FROM (SELECT ..., expression AS p FROM t) MATCH_RECOGNIZE (PARTITION BY p ...)")
}

// unnamed is the error of a measure without AS (GRAM-6).
func (p *clauseParser) unnamed(n *sqlexpr.Node) error {
	text := p.text(n)
	t := p.s.Peek(0)
	found := token.Describe(p.s.Source(), t)
	if p.nameAhead() {
		return p.s.Errorf("GRAM-6", "AS is missing between the measure %s and its name %s", text, found).
			WithHint("write %s AS %s; Oracle and Snowflake let AS be left out, the standard does not", text, found)
	}
	e := p.s.Errorf("GRAM-6", "the measure %s has no name", text)
	switch {
	case t.IsOp(")"):
		return e.WithHint("remove the parenthesis if it is one too many, and write AS and a name behind the measure: %s AS name", text)
	case p.at() == noSection && (p.s.AtName() || t.Kind == token.Number || t.Kind == token.Str):
		return e.WithHint("write AS, a name and a comma before %s, or an operator if it belongs to the measure", found)
	}
	if n.Kind == sqlexpr.Binary && n.Text == "=" && n.Args[0].Kind == sqlexpr.Name {
		return e.WithHint("if %s is the name, write %s AS %s; a comparison as measure needs AS and a name too", p.text(n.Args[0]), p.text(n.Args[1]), p.text(n.Args[0]))
	}
	return e.WithHint("write AS and a name behind it: %s AS name", text)
}

// nameAhead reports a name with nothing behind it that would make it an operand.
func (p *clauseParser) nameAhead() bool {
	if !p.s.AtName() || p.at() != noSection {
		return false
	}
	mark := p.s.Mark()
	defer p.s.Reset(mark)
	next := p.s.Peek(1)
	p.s.Next()
	return next.IsOp(",") || next.IsOp(")") || next.Kind == token.EOF || p.at() != noSection
}

// text returns an expression as it was written, cut for a message.
func (p *clauseParser) text(n *sqlexpr.Node) string { return shortText(p.s.Source(), n) }

// shortText returns an expression as it was written, cut for a message.
func shortText(src string, n *sqlexpr.Node) string {
	text := []rune(sourceText(src, n))
	const most = 60
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// sourceText returns an expression as it was written, on one line.
func sourceText(src string, n *sqlexpr.Node) string {
	if n.Pos.Offset < n.End && n.End <= len(src) {
		return token.Written(src[n.Pos.Offset:n.End])
	}
	return n.SQL()
}

// undefined is the error of a definition without AS.
func (p *clauseParser) undefined(name Name) error {
	t := p.s.Peek(0)
	if name.Text == "AUTO" && !name.Quoted && (t.IsOp(")") || t.IsOp(",")) {
		return p.s.Errorf("GRAM-1", "DEFINE AUTO is DuckDB's, not in the standard: a definition has AS and a condition").
			WithHint("write out the definitions, DEFINE A AS condition, B AS condition; a variable without a definition takes any row")
	}
	hint := "write " + name.String() + " AS and its condition"
	switch {
	case t.IsOp("="):
		hint = "write " + name.String() + " AS condition, with AS instead of ="
	case t.IsOp("."):
		hint = "define the variable alone: " + name.String() + " AS condition; its columns are written " + name.String() + ".column in the condition"
	case t.Kind == token.Ident && p.s.Peek(1).Is("AS"):
		hint = "write one variable before AS: " + name.String() + " AS condition"
	case t.Kind == token.Op && len(p.out.Define) > 0 && !t.IsOp(",") && !t.IsOp(")"):
		hint = "write AND or OR instead of the comma if the condition goes on, else " + name.String() + " AS and its condition"
	case t.IsOp(","), t.IsOp(")"):
		hint = "write " + name.String() + " AS and its condition, or leave " + name.String() + " out: a variable without a definition takes any row"
	}
	return p.s.Expected(p.s.Rule, "AS", hint)
}

// endOfCondition checks what follows the last definition.
func (p *clauseParser) endOfCondition() error {
	t := p.s.Peek(0)
	if _, isForeign := p.foreignAt(t); isForeign || t.IsOp(")") || t.Kind == token.EOF || p.at() != noSection {
		return nil
	}
	const separated = "definitions are separated by commas, conditions joined by AND or OR"
	hint := separated
	at := p.s.Index()
	switch {
	case t.Is("AS") && at > 1:
		before := p.s.Slice(at-2, at)
		if name := before[1]; before[0].Is("AND") || before[0].Is("OR") {
			hint = "write a comma instead of " + before[0].Text + " before " + name.Word().String() + " AS: " + separated
		}
	case t.Kind == token.Ident && p.s.Peek(1).Is("AS"):
		hint = "a comma is missing before " + token.Describe(p.s.Source(), t) + " AS: " + separated
	case t.IsOp(";"):
		hint = "write a comma instead of the semicolon: " + separated
	case p.misspelt(t) != "":
		hint = p.strayHint(t)
	case t.Kind == token.Ident || t.Kind == token.Number || t.Kind == token.Str || t.Kind == token.HostVar:
		hint = "an operator is missing before " + token.Describe(p.s.Source(), t) + "; " + separated
	}
	return p.s.Expected("SQL-1", "an operator, a comma, or ) at the end of the condition", hint)
}
