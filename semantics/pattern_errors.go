package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// This file words the syntax errors of a row pattern.

// missing is the error of an empty branch, element or bracket (PAT-6), or of a
// token that cannot begin a primary.
func (p *patternParser) missing() error {
	t := p.s.Peek(0)
	if !t.IsOp("|") && !t.IsOp(")") && !t.IsOp("-}") && !t.IsOp(",") && t.Kind != token.EOF {
		return p.unexpected()
	}
	before := token.Token{}
	if i := p.s.Index(); i > 0 {
		before = p.s.Slice(i-1, i)[0]
	}
	const empty = "() stands for a pattern that matches no rows"
	hint := "write a pattern here; " + empty
	switch {
	case t.Kind == token.EOF:
		hint = "go on with the pattern, or close its parentheses; " + empty
	case before.IsOp("|"):
		hint = "write a branch behind |, or remove the bar; " + empty
	case t.IsOp("|"):
		hint = "write a branch before |, or remove the bar; " + empty
	case before.IsOp("{-"):
		hint = "write between {- and -} what is excluded, or remove both"
	case p.inPermute():
		hint = "write the elements of PERMUTE separated by commas: PERMUTE(A, B); " + empty
	case before.IsOp("(") && p.clause && len(p.open) == 0:
		hint = "write a pattern between the parentheses of PATTERN; " + empty
	}
	return p.s.Expected("PAT-6", "a pattern", hint)
}

// inPermute reports that the innermost open bracket is that of PERMUTE.
func (p *patternParser) inPermute() bool {
	return len(p.open) > 0 && p.open[len(p.open)-1].Is("PERMUTE")
}

// unexpected is the error of a token that cannot stand here in a pattern.
func (p *patternParser) unexpected() error {
	t := p.s.Peek(0)
	switch {
	case t.IsOp("||"):
		return p.s.Errorf("PAT-2", "|| is the concatenation operator, not an empty branch between two bars").
			WithHint("write A | B for two branches, A | () | B for one more that matches no rows")
	case t.IsOp("*"), t.IsOp("+"), t.IsOp("?"), t.IsOp("{"):
		return p.s.Errorf("PAT-5", "the quantifier %s follows nothing that it could quantify", t.Text).
			WithHint("a quantifier stands behind a variable, an anchor, ( ), {- -} or PERMUTE( )")
	case t.Kind == token.Ident && !t.Quoted && !p.s.AtName():
		return p.reservedWord(t)
	case t.Kind == token.Number:
		return p.s.Errorf("PAT-2", "the number %s cannot stand in a pattern", t.Text).
			WithHint("the bounds of a quantifier are unsigned, as in {1,2}; {- opens an exclusion")
	case t.IsOp("}"):
		e := p.s.Errorf("PAT-2", "} closes nothing")
		if len(p.open) > 0 && p.open[len(p.open)-1].IsOp("{-") {
			return e.WithHint("close the exclusion {- with -}")
		}
		return e.WithHint("a quantifier is written {n,m}, an exclusion {- ... -}")
	case t.IsOp("-}"):
		return p.strayExclusionEnd()
	}
	return p.s.Expected("PAT-1", p.wanted(t), p.strayHint(t))
}

// strayExclusionEnd is the error of -} where no exclusion can end.
func (p *patternParser) strayExclusionEnd() error {
	for _, b := range p.open {
		if b.IsOp("{-") {
			return p.s.Errorf("PAT-2", "-} closes the exclusion before the parenthesis inside it is closed").WithHint("write ) before -}")
		}
	}
	return p.s.Errorf("PAT-2", "-} closes nothing").WithHint("an exclusion is written {- ... -}: write {- where it begins, or remove -}")
}

// wanted says what should stand at the current token.
func (p *patternParser) wanted(t token.Token) string {
	if t.IsOp(")") && len(p.open) > 0 && p.open[len(p.open)-1].IsOp("{-") {
		return "-} at the end of the exclusion"
	}
	if t.Kind == token.EOF && (p.clause || len(p.open) > 0) {
		return ") at the end of the pattern"
	}
	return "a row pattern"
}

// strayHint tells what to change where t cannot stand in a pattern.
func (p *patternParser) strayHint(t token.Token) string {
	switch {
	case t.IsOp(")"):
		if len(p.open) > 0 {
			return "the exclusion is not closed: write {- ... -}"
		}
		return "remove it: there is one closing parenthesis too many"
	case t.IsOp(","), t.IsOp(";"):
		if p.inPermute() {
			return "separate the elements of PERMUTE by commas: PERMUTE(A, B)"
		}
		return "variables follow one another without a sign: A B; commas stand only between the elements of PERMUTE"
	case t.IsOp("."):
		return "name the variable alone; columns are compared in its condition in DEFINE"
	case t.Kind == token.Str:
		return "a variable is a name, without single quotes: " + nameOf(t.Text).String()
	case t.IsOp("-"):
		return "write the brackets of an exclusion without a space: {- A -}"
	case t.Kind == token.EOF && (p.clause || len(p.open) > 0):
		return "close every parenthesis of the pattern, and that of PATTERN itself"
	case t.IsOp("["), t.IsOp("]"):
		return "group with ( ), and write the numbers of repetitions as {n,m}"
	}
	return "a pattern has variables, ( ), |, the quantifiers * + ? {n,m}, ^, $, {- -} and PERMUTE; conditions on rows stand in DEFINE"
}

// nameOf makes a name of a text: unquoted if it can be written so.
func nameOf(text string) Name {
	if token.IsRegular(text) && !token.Reserved(token.Fold(text)) {
		return Name{Text: token.Fold(text)}
	}
	return Name{Text: text, Quoted: true}
}

// reservedWord is the error of a reserved word in a pattern (GRAM-15): most
// often a parenthesis is not closed before the next part of the clause.
func (p *patternParser) reservedWord(t token.Token) error {
	if p.clause && (t.Is("DEFINE") || t.Is("SUBSET") || t.Is("PATTERN")) {
		return p.s.Errorf("GRAM-15", "the pattern is not closed before %s", t.Text).
			WithHint("a closing parenthesis is missing before %s: one for each ( of the pattern, and one for PATTERN itself", t.Text)
	}
	e := p.s.ReservedError("a row pattern variable")
	switch t.Text {
	case "OR":
		e.Hint = "separate branches by |, as in A | B"
	case "AND":
		e.Hint = "write variables one after the other, as in A B"
	case "NOT":
		e.Hint = "a pattern has no negation: define a variable with the opposite condition"
	}
	return e
}

// boundHint tells what is wrong with the bounds of a quantifier.
func (p *patternParser) boundHint() string {
	t := p.s.Peek(0)
	switch {
	case t.IsOp("-"):
		return "bounds are unsigned; an exclusion begins with {- written without a space"
	case t.Kind == token.HostVar, t.IsOp("?"):
		return "write the number itself: only BigQuery takes parameters as bounds"
	case t.Kind == token.EOF:
		return "close the quantifier with }"
	}
	return "write unsigned integers: {2} for exactly, {2,} for at least, {,3} for at most, {2,3} for from and to"
}
