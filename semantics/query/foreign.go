package query

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// This file refuses by name what is no query that we run: other statements,
// clauses that only other products have, and clauses out of their place.

// statements are the words that begin other statements than queries, with
// what to do instead.
var statements = map[string]string{
	"CREATE": "give tables with --table name=path; a view is written as an item of WITH",
	"INSERT": "put the rows into a file, or write VALUES", "UPDATE": "compute the values in a query",
	"DELETE": "select the rows that are to stay", "MERGE": "compute the rows in a query", "TRUNCATE": "nothing is stored",
	"DROP": "nothing is stored", "ALTER": "nothing is stored", "GRANT": "nothing is stored", "REVOKE": "nothing is stored",
	"EXPLAIN": "write the query alone, for rprcheck explain", "DESCRIBE": "write SELECT * FROM the table", "DESC": "write SELECT * FROM the table",
	"SHOW": "write a query", "SET": "give readings with --reading RULE=VALUE and host variables with --param name=value",
	"USE": "leave it out", "CALL": "write a query", "EXEC": "write a query", "EXECUTE": "write the query itself", "PREPARE": "write the query itself",
	"BEGIN": "leave it out", "START": "leave it out", "COMMIT": "leave it out", "ROLLBACK": "leave it out", "DECLARE": "write a query",
	"COPY": "give tables with --table name=path", "LOAD": "give tables with --table name=path", "PRAGMA": "leave it out",
	"ANALYZE": "leave it out", "REPLACE": "write a query", "REFRESH": "write a query", "LOCK": "leave it out", "VACUUM": "leave it out",
}

// foreignStatement refuses a statement that is no query, by its first word.
func (p *parser) foreignStatement() error {
	t := p.s.Peek(0)
	hint, ok := statements[t.Text]
	if t.Kind != token.Ident || t.Quoted || !ok {
		return nil
	}
	return p.unsupported("%s is no query: rprcheck runs queries only", t.Text).WithHint("%s", hint)
}

// notAQuery is the error of a text that does not begin like a query.
func (p *parser) notAQuery() error {
	t := p.s.Peek(0)
	if t.Kind == token.EOF && p.s.Index() == 0 {
		return p.s.Errorf("SQL-1", "the statement is empty").WithHint("write SELECT ... FROM table MATCH_RECOGNIZE (...)")
	}
	return p.s.Expected("SQL-1", "a query: SELECT, WITH or VALUES", p.queryHint(t))
}

// queryHint tells what to write where t stands in the place of a query.
func (p *parser) queryHint(t token.Token) string {
	before := token.Token{}
	if i := p.s.Index(); i > 0 {
		before = p.toks[i-1]
	}
	switch {
	case t.IsOp(";"):
		return "write one statement with at most one semicolon, at its end"
	case t.Is("MATCH_RECOGNIZE"), t.Is("PATTERN"), t.Is("MEASURES"), t.Is("DEFINE"), t.Is("PARTITION"):
		return "the clause alone is no statement: write SELECT * FROM table MATCH_RECOGNIZE (...)"
	case t.Is("FROM"):
		return "FROM before SELECT is DuckDB's form: write SELECT * FROM ..."
	case t.Is("RECURSIVE"), t.Is("AS"):
		return "WITH is written WITH name AS (query) SELECT ..."
	case before.Is("ALL"), before.Is("UNION"):
		return "write one more query behind UNION ALL, or remove UNION ALL"
	case before.IsOp("(") && t.IsOp(")"):
		return "write a query between the parentheses"
	case before.IsOp(")"), before.IsOp(","):
		return "write SELECT behind the items of WITH, or one more item: WITH a AS (query), b AS (query) SELECT ..."
	}
	if near := nearKeyword(t); near != "" {
		return "did you mean " + near + "?"
	}
	return "begin with SELECT, WITH or VALUES, for example SELECT * FROM table MATCH_RECOGNIZE (...)"
}

// nearKeyword returns the keyword of a query that a word most likely means, ""
// if none is near.
func nearKeyword(t token.Token) string {
	if t.Kind != token.Ident || t.Quoted || len(t.Text) < 4 {
		return ""
	}
	if diag.Distance(t.Text, "MATCH_RECOGNIZE") <= 4 {
		return "MATCH_RECOGNIZE"
	}
	for _, w := range []string{"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "VALUES", "OFFSET"} {
		if d := diag.Distance(t.Text, w); d == 1 || d == 2 && len(w) == len(t.Text) && swapped(t.Text, w) {
			return w
		}
	}
	return ""
}

// swapped reports that two neighbouring letters of a are exchanged in b.
func swapped(a, b string) bool {
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// clauseWords are unreserved words that begin something behind a table or an
// item, in other products or for us; they are taken as an alias only where
// nothing follows that they could begin.
func (p *parser) clauseWord() bool {
	next := p.s.Peek(1)
	switch {
	case p.s.At("QUALIFY", "MINUS"):
		return next.Kind == token.Ident && !next.Is("AS") && !closesItem(next) || next.Kind == token.Number || next.IsOp("(")
	case p.s.At("FOR"):
		return next.Is("UPDATE") || next.Is("SHARE") || next.Is("SYSTEM_TIME") || next.Is("READ") || next.Is("FETCH")
	case p.s.At("MEASURES", "PARTITION"):
		return next.Kind == token.Ident && !closesItem(next)
	case p.s.At("AFTER"):
		return next.Is("MATCH")
	}
	return false
}

// closesItem reports a word that may stand behind an alias.
func closesItem(t token.Token) bool {
	return t.Is("FROM") || t.Is("WHERE") || t.Is("GROUP") || t.Is("HAVING") || t.Is("WINDOW") || t.Is("ORDER") ||
		t.Is("LIMIT") || t.Is("OFFSET") || t.Is("FETCH") || t.Is("UNION") || t.Is("MATCH_RECOGNIZE")
}

// foreignFactor refuses what may stand for a table elsewhere.
func (p *parser) foreignFactor() error {
	t, next := p.s.Peek(0), p.s.Peek(1)
	switch {
	case t.Kind != token.Ident || t.Quoted:
		if t.Kind == token.Str {
			return p.s.Errorf("SQL-1", "a string stands for a table").WithHint("write a file's name in double quotes: %s", token.Quote(t.Text))
		}
	case t.Is("LATERAL") && (next.IsOp("(") || next.Kind == token.Ident && !closesItem(next) && !next.Is("AS")):
		return p.unsupported("LATERAL is not supported").WithHint("prepare the rows in a derived table or a file")
	case t.Is("VALUES"):
		return p.s.Errorf("SQL-1", "VALUES in FROM is not in parentheses").WithHint("write FROM (VALUES (1, 'a'), (2, 'b')) AS t (id, name)")
	case t.Is("SELECT"), t.Is("WITH"):
		return p.s.Errorf("SQL-1", "a query in FROM is not in parentheses").WithHint("write FROM (SELECT ...) AS t")
	case t.Is("MATCH_RECOGNIZE"):
		return p.s.Errorf("SQL-1", "MATCH_RECOGNIZE has no table before it").WithHint("write its input there: FROM table MATCH_RECOGNIZE (...)")
	case t.Is("ONLY") && next.IsOp("("), t.Is("FINAL") && next.Is("TABLE"), t.Is("OLD") && next.Is("TABLE"), t.Is("NEW") && next.Is("TABLE"):
		return p.unsupported("%s (...) in FROM is not supported", t.Text).WithHint("name the table alone")
	case next.IsOp("(") && p.s.AtName():
		return p.unsupported("the table function %s is not supported", t.Text).WithHint("prepare its rows in a derived table or a file")
	}
	return nil
}

// afterFactor refuses what other products, or the standard, have behind a
// table and we have not.
func (p *parser) afterFactor() error {
	t, next := p.s.Peek(0), p.s.Peek(1)
	if t.Kind != token.Ident || t.Quoted {
		return nil
	}
	switch {
	case t.Is("TABLESAMPLE") && (next.Kind == token.Ident || next.IsOp("(")), t.Is("SAMPLE") && next.IsOp("("):
		return p.unsupported("%s is not supported", t.Text).WithHint("prepare the sample in a file: a result must be determined by its input")
	case t.Is("FOR") && (next.Is("SYSTEM_TIME") || next.Is("VERSION") || next.Is("TIMESTAMP") || next.Is("PORTION")):
		return p.unsupported("FOR %s is not supported", next.Text).WithHint("prepare the rows in a file")
	case (t.Is("PIVOT") || t.Is("UNPIVOT")) && next.IsOp("("):
		return p.s.Errorf("SQL-1", "%s is not in the standard", t.Text).WithHint("write CASE in aggregates, or UNION ALL")
	case t.Is("LATERAL") && next.Is("VIEW"):
		return p.s.Errorf("SQL-1", "LATERAL VIEW is Hive's, not in the standard").WithHint("prepare the rows in a file")
	case (t.Is("ASOF") || t.Is("SEMI") || t.Is("ANTI") || t.Is("POSITIONAL") || t.Is("STRAIGHT_JOIN")) && next.Kind == token.Ident:
		return p.s.Errorf("SQL-1", "%s joins are not in the standard", t.Text).WithHint("join the tables before, into one file")
	case (t.Is("USE") || t.Is("FORCE") || t.Is("IGNORE")) && (next.Is("INDEX") || next.Is("KEY")):
		return p.s.Errorf("SQL-1", "index hints are MySQL's, not in the standard").WithHint("leave them out")
	case t.Is("WITH") && next.IsOp("("):
		return p.s.Errorf("SQL-1", "table hints are SQL Server's, not in the standard").WithHint("leave WITH (...) out")
	case t.Is("CONNECT") && next.Is("BY"), t.Is("START") && next.Is("WITH"):
		return p.s.Errorf("SQL-1", "CONNECT BY is Oracle's, not in the standard").WithHint("recursive queries are not run; prepare their result in a file")
	}
	return nil
}

// afterQuery refuses clauses of other products at the end of a query.
func (p *parser) afterQuery(q *queryNode) error {
	t, next := p.s.Peek(0), p.s.Peek(1)
	if t.Kind != token.Ident || t.Quoted {
		return nil
	}
	switch {
	case t.Is("QUALIFY"):
		return p.qualify()
	case t.Is("FOR") && next.Kind == token.Ident:
		return p.unsupported("FOR %s is not supported", next.Text).WithHint("leave it out: nothing is changed or locked")
	case t.Is("UNION"), t.Is("INTERSECT"), t.Is("EXCEPT"):
		if q.orderBy != nil || q.limit != nil || q.offset != nil {
			return p.s.Errorf("SQL-1", "%s follows ORDER BY, OFFSET or LIMIT", t.Text).
				WithHint("put the query before it in parentheses, or order the whole at the end")
		}
	case t.Is("OPTION") && next.IsOp("("), t.Is("SETTINGS"), t.Is("FORMAT") && next.Kind == token.Ident:
		return p.s.Errorf("SQL-1", "%s is not in the standard", t.Text).WithHint("leave it out")
	}
	return nil
}

func (p *parser) qualify() error {
	return p.s.Errorf("SQL-1", "QUALIFY is Teradata's, Snowflake's and DuckDB's, not the standard's").
		WithHint("compute the window function in a derived table and filter with WHERE around it")
}

// order is the order of the clauses of a query.
const order = "move it to its place: the order is SELECT, FROM, WHERE, GROUP BY, HAVING, WINDOW, UNION ALL, ORDER BY, OFFSET, LIMIT or FETCH FIRST, each at most once"

// unexpected is the syntax error of the current token where want should stand.
func (p *parser) unexpected(want string) *diag.Error {
	t := p.s.Peek(0)
	rule := "SQL-1"
	hint := p.strayHint(t, want)
	switch {
	case t.Kind == token.Error:
	case t.Is("WHERE"), t.Is("GROUP"), t.Is("HAVING"), t.Is("WINDOW"), t.Is("ORDER"), t.Is("FROM"), t.Is("OFFSET"), t.Is("LIMIT"), t.Is("FETCH"):
		hint = order
	case t.Is("MATCH_RECOGNIZE"):
		rule = "GRAM-13"
		hint = "MATCH_RECOGNIZE stands directly behind its table in FROM; filter or join the input in a derived table: FROM (SELECT ...) MATCH_RECOGNIZE (...)"
	case t.Is("PATTERN"), t.Is("DEFINE"), t.Is("SUBSET"), t.Is("MEASURES"), t.Is("AFTER"), t.Is("PARTITION"):
		rule = "GRAM-1"
		hint = "this belongs inside the parentheses of MATCH_RECOGNIZE (...), or of a window"
	case t.Is("SELECT"), t.Is("VALUES"), t.Is("WITH"):
		hint = "one statement is run at a time; queries are joined with UNION ALL"
	case t.IsOp(")"):
		hint = "remove it: there is one closing parenthesis too many"
	case t.Is("JOIN"), t.Is("ON"), t.Is("USING"):
		hint = "joins are not supported: join the tables before, into one file"
	case t.Kind == token.Str:
		hint = "a name is written in double quotes, a string stands in an expression"
	}
	return p.s.Expected(rule, want, hint)
}

// strayHint tells what to do with a token that cannot stand where it stands.
func (p *parser) strayHint(t token.Token, want string) string {
	before := token.Token{}
	if i := p.s.Index(); i > 0 {
		before = p.toks[i-1]
	}
	if near := nearKeyword(t); near != "" {
		return "did you mean " + near + "?"
	}
	if near := nearKeyword(before); near != "" {
		return "did you mean " + near + " for " + token.Describe(p.src, before) + "?"
	}
	switch {
	case t.Kind == token.EOF:
		return "add the missing closing parenthesis"
	case t.Is("RECOGNIZE") && before.Is("MATCH"):
		return "write MATCH_RECOGNIZE as one word, with an underscore"
	case before.Is("ORDERBY"), before.Is("GROUPBY"):
		return "write " + strings.TrimSuffix(before.Text, "BY") + " BY as two words"
	case t.Kind == token.Ident && before.Kind == token.Ident:
		return "remove it, or write a comma or a keyword before it; a name of several words stands in double quotes"
	case t.Kind == token.Ident, t.Kind == token.Number, t.Kind == token.HostVar:
		return "remove it, or write an operator, a comma or a keyword before it"
	case t.IsOp(","):
		return "remove the comma: it separates nothing here"
	case t.IsOp(";"):
		return "close the parenthesis before the semicolon, which ends the statement"
	case t.IsOp("("):
		return "remove the parenthesis, or write what it belongs to before it"
	}
	return "remove it, or complete what stands before it"
}
