package readings

// Reading describes one choice.
type Reading struct {
	ID           ID
	Rule         string // id of the rule, for example WIN-10
	Question     string
	Default      string        // meaning of the default
	Alternatives []Alternative // one or more, in the order of Choice
	Confidence   string        // high, medium or low: how sure it is that the default is the standard's meaning
}

// Alternative is a choice other than the default.
type Alternative struct {
	Name    string // as in RULE=NAME
	Meaning string
}

// Values returns what may stand behind RULE=: default, alternative and the
// names of the alternatives.
func (r Reading) Values() []string {
	out := []string{"default", "alternative"}
	for _, a := range r.Alternatives {
		if a.Name != "alternative" {
			out = append(out, a.Name)
		}
	}
	return out
}

// Value returns how the choice is written behind RULE=.
func (r Reading) Value(c Choice) string {
	if c == Default || int(c) > len(r.Alternatives) {
		return "default"
	}
	return r.Alternatives[c-1].Name
}

// All returns the readings in the order of chapter 17.
func All() []Reading {
	out := make([]Reading, len(table))
	for i, r := range table {
		r.ID = ID(i)
		r.Alternatives = append([]Alternative(nil), r.Alternatives...)
		out[i] = r
	}
	return out
}

// Lookup returns the reading of a rule; case does not matter.
func Lookup(rule string) (Reading, bool) {
	id, ok := lookup(rule)
	if !ok {
		return Reading{}, false
	}
	return All()[id], true
}

// only is the list of a reading with one alternative that has no name.
func only(meaning string) []Alternative {
	return []Alternative{{Name: "alternative", Meaning: meaning}}
}

// table holds the readings by ID.
var table = [numIDs]Reading{
	PAT2: {Rule: "PAT-2", Confidence: "low",
		Question: "What is the trigraph ??) inside PATTERN?",
		Default:  "not recognised: a reluctant ? and a closing parenthesis",
		Alternatives: []Alternative{
			{"bracket", "a right bracket, as in the rest of the language"},
			{"error", "an error that asks for a space"},
		}},
	PAT5: {Rule: "PAT-5", Confidence: "low",
		Question:     "Is {n}? legal?",
		Default:      "accepted as {n,n}?",
		Alternatives: only("a syntax error, as the grammar has it")},
	GRAM5: {Rule: "GRAM-5", Confidence: "medium",
		Question:     "Can ORDER BY in the clause sort by expressions?",
		Default:      "an error: keys are columns",
		Alternatives: only("accepted; such a key is no output column")},
	GRAM6: {Rule: "GRAM-6", Confidence: "low",
		Question:     "May a measure be named like an input column under ALL ROWS PER MATCH?",
		Default:      "allowed; a reference to the doubled name is ambiguous",
		Alternatives: only("an error")},
	GRAM12: {Rule: "GRAM-12", Confidence: "medium",
		Question:     "Can the input's name qualify columns in MEASURES and DEFINE?",
		Default:      "an error",
		Alternatives: only("the same as an unqualified column")},
	SUB1: {Rule: "SUB-1", Confidence: "low",
		Question:     "May a SUBSET item name a member twice?",
		Default:      "an error",
		Alternatives: only("the repetition has no effect")},
	DEF15: {Rule: "DEF-15", Confidence: "low",
		Question:     "What does a run-time error in a condition do?",
		Default:      "it is raised if lazy evaluation in preference order meets it",
		Alternatives: []Alternative{{"unknown", "the condition counts as UNKNOWN"}}},
	AGG6: {Rule: "AGG-6", Confidence: "medium",
		Question:     "Does R010 include DISTINCT and FILTER in aggregates?",
		Default:      "accepted in every aggregate",
		Alternatives: only("they belong to R030: an error in COUNT, SUM, AVG, MIN and MAX")},
	OUT7: {Rule: "OUT-7", Confidence: "low",
		Question:     "Is the empty match of a pattern whose parts are all excluded output?",
		Default:      "shown like any empty match",
		Alternatives: only("not shown")},
	WIN1: {Rule: "WIN-1", Confidence: "high",
		Question:     "May the frame end at CURRENT ROW or 0 FOLLOWING?",
		Default:      "an error",
		Alternatives: only("a frame of one row")},
	WIN4: {Rule: "WIN-4", Confidence: "medium",
		Question:     "Where does SEEK with SKIP TO NEXT ROW resume after a match for row R?",
		Default:      "at R + 1",
		Alternatives: only("at the row after the first row of the match")},
	WIN6: {Rule: "WIN-6", Confidence: "medium",
		Question:     "May ROW_NUMBER, RANK, LEAD, LAG and NTILE use a window with recognition?",
		Default:      "an error: they allow no frame",
		Alternatives: only("evaluated over the window partition")},
	WIN9: {Rule: "WIN-9", Confidence: "low",
		Question:     "May the pattern of a window contain () and {- -}?",
		Default:      "accepted; exclusion has no effect",
		Alternatives: only("an error")},
	WIN10: {Rule: "WIN-10", Confidence: "low",
		Question:     "How far do PREV and NEXT reach in a window?",
		Default:      "the full window frame of the row",
		Alternatives: only("the window partition")},
	IMPQuotient: {Rule: "IMP-QUOTIENT", Confidence: "low",
		Question:     "What is the quotient of two integers?",
		Default:      "an integer, cut toward zero",
		Alternatives: []Alternative{{"exact", "an exact decimal"}}},
	IMPNulls: {Rule: "IMP-NULLS", Confidence: "low",
		Question:     "Where does ORDER BY put NULLs when it does not say so?",
		Default:      "last in ascending, first in descending order",
		Alternatives: only("last always")},
	AGG7: {Rule: "AGG-7", Confidence: "low",
		Question:     "In which order does an order-sensitive aggregate without ORDER BY take its rows?",
		Default:      "in row order",
		Alternatives: only("in none: an error")},
	IMPAvg: {Rule: "IMP-AVG", Confidence: "low",
		Question: "Which type has AVG of exact numbers?",
		Default:  "an exact decimal of 38 significant digits, rounded half up",
		Alternatives: []Alternative{
			{"double", "double precision"},
			{"argument", "the type of the argument, rounded half up"},
		}},
	IMPStrings: {Rule: "IMP-STRINGS", Confidence: "low",
		Question:     "How do character strings compare?",
		Default:      "by code point; trailing blanks of a varchar count",
		Alternatives: []Alternative{{"padspace", "by code point, the shorter one padded with blanks"}}},
	GRAM15: {Rule: "GRAM-15", Confidence: "low",
		Question:     "Which words must be quoted to be names?",
		Default:      "the fifty that rule GRAM-15 lists",
		Alternatives: only("every reserved word of 9075-2")},
	IMPInterval: {Rule: "IMP-INTERVAL", Confidence: "low",
		Question:     "What is the difference of two dates or timestamps without a qualifier?",
		Default:      "an interval day to second",
		Alternatives: []Alternative{{"error", "an error: the qualifier is mandatory"}}},
}
