package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// from parses the table factor of FROM with its recognition, and refuses joins.
func (p *parser) from() (*factorNode, error) {
	f, err := p.factor()
	if err != nil {
		return nil, err
	}
	if err := p.recognition(f); err != nil {
		return nil, err
	}
	return f, p.joins(f)
}

// factor parses a table name or a derived table, with alias and column list.
func (p *parser) factor() (*factorNode, error) {
	f := &factorNode{pos: p.s.Pos()}
	if err := p.foreignFactor(); err != nil {
		return nil, err
	}
	var err error
	if p.s.AtOp("(") {
		if next := p.s.Peek(1); !startsQuery(next) && !next.IsOp("(") {
			p.s.Next()
			return nil, p.s.Expected("SQL-1", "a query after the parenthesis", "write the table without parentheses, or (SELECT ...); joins are not supported")
		}
		f.query, err = p.parenthesised()
	} else {
		f.name, err = p.tableName()
	}
	if err != nil {
		return nil, err
	}
	return f, p.factorAlias(f)
}

func startsQuery(t token.Token) bool {
	return t.Is("SELECT") || t.Is("WITH") || t.Is("VALUES") || t.Is("TABLE")
}

// tableName parses a name of one part.
func (p *parser) tableName() (semantics.Name, error) {
	w, err := p.s.Word("the name of a table")
	if err != nil {
		return semantics.Name{}, err
	}
	if p.s.AtOp(".") && p.s.Peek(1).Kind == token.Ident {
		return semantics.Name{}, diag.New(diag.Unsupported, "SQL-1", w.Pos, "table names with a schema are not supported").In(p.src).
			WithHint("write the table's name alone; tables are given by --table name=path")
	}
	return nameOf(w), nil
}

// factorAlias parses [AS] name [(column, ...)].
func (p *parser) factorAlias(f *factorNode) error {
	as := p.s.Accept("AS")
	if !as {
		if err := p.afterFactor(); err != nil {
			return err
		}
		if !p.s.AtName() || p.clauseWord() {
			return nil
		}
	}
	w, err := p.s.Word("a name for the table")
	if err != nil {
		return err
	}
	if near := nearKeyword(token.Token{Kind: token.Ident, Text: w.Text, Quoted: w.Quoted}); near == "MATCH_RECOGNIZE" && p.s.AtOp("(") {
		return diag.New(diag.Syntax, "SQL-1", w.Pos, "the word %s before a parenthesis is no keyword", w).In(p.src).WithHint("did you mean MATCH_RECOGNIZE?")
	}
	name := nameOf(w)
	f.alias = &name
	if p.s.AtOp("(") {
		if f.columns, err = p.columnList(); err != nil {
			return err
		}
	}
	return p.afterFactor()
}

// recognition parses MATCH_RECOGNIZE behind a table factor. There is at most
// one (GRAM-13).
func (p *parser) recognition(f *factorNode) error {
	if !p.s.At("MATCH_RECOGNIZE") {
		return nil
	}
	p.st.recognitions = append(p.st.recognitions, p.s.Pos())
	syn, err := semantics.ParseRecognition(p.s, p.st.readings)
	if err != nil {
		return err
	}
	f.recognition = syn
	if n := syn.OutputName; n != nil && !n.Quoted && n.Text == "QUALIFY" && syn.OutputColumns == nil {
		p.s.Reset(p.s.Index() - 1)
		if p.clauseWord() {
			return p.qualify()
		}
		p.s.Next()
	}
	if err := p.embeddedIn(syn); err != nil {
		return err
	}
	if p.s.At("MATCH_RECOGNIZE") {
		return p.s.Errorf("GRAM-13", "a table has one MATCH_RECOGNIZE, and this is a second one").
			WithHint("put the first one into a derived table (GRAM-13): FROM (SELECT * FROM t MATCH_RECOGNIZE (...)) AS m MATCH_RECOGNIZE (...)")
	}
	return p.afterFactor()
}

// joins refuses everything that makes more than one table of FROM.
func (p *parser) joins(f *factorNode) error {
	s := p.s
	joined := s.At("JOIN", "CROSS", "INNER", "LEFT", "RIGHT", "FULL", "NATURAL")
	if !joined && !s.AtOp(",") {
		return nil
	}
	e := p.unsupported("joins are not supported: FROM has one table")
	if f.recognition == nil {
		return e.WithHint("join the tables before, into one file, and query that; in the standard the join before MATCH_RECOGNIZE stands in a derived table (GRAM-13)")
	}
	return e.WithHint("join the tables before, into one file, and query that")
}
