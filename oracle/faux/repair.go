package faux

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// forgive changes the statement so that an error is gone which the mutant does
// not see; false if the mutant reports it.
func (m *Mutant) forgive(s *script, e *diag.Error) bool {
	if e.Stage != diag.Syntax && e.Stage != diag.Semantic || !e.Pos.IsValid() {
		return false
	}
	list := lex(s.text)
	i := at(list, e.Pos.Offset)
	if m.lie == patternDropped {
		return e.Stage == diag.Syntax && dropPattern(s, list, e.Pos.Offset)
	}
	repair, ok := repairs[m.lie]
	if !ok || i < 0 || e.Rule != repair.rule {
		return false
	}
	return repair.change(s, list, i, e)
}

// repairs are the rules that mutants do not know, and how a statement is
// changed that breaks them: change gets the lexeme at the error's place.
var repairs = map[lie]struct {
	rule   string
	change func(s *script, list []lexeme, i int, e *diag.Error) bool
}{
	secondQuantifier:      {"PAT-5", ignoreSecond},
	quantifiersMultiplied: {"PAT-5", multiply},
	zeroBoundAccepted:     {"PAT-4", acceptZero},
	crossedBoundsAccepted: {"PAT-4", exchangeBounds},
	strangerDefined:       {"DEF-2", dropDefinition},
	definedTwice:          {"DEF-3", dropDefinition},
	unionDefined:          {"DEF-4", dropDefinition},
	finalInDefine:         {"DEF-7", dropFinal},
	mixedNavigation:       {"COL-2", func(s *script, list []lexeme, i int, e *diag.Error) bool { return useFirst(s, list, i, e, true) }},
	mixedAggregate:        {"COL-2", func(s *script, list []lexeme, i int, e *diag.Error) bool { return useFirst(s, list, i, e, false) }},
	nestedNavigation:      {"NAV-3", dropOuter},
	nestedAggregate:       {"AGG-5", dropOuter},
	measureTwice:          {"GRAM-6", renameMeasure},
	skipTargetUnknown:     {"SKIP-1", skipPast},
	unionOfUnions:         {"SUB-1", dropMember},
	framesAccepted:        {"WIN-1", allowFrame},
	anchorsAccepted:       {"WIN-9", dropAnchor},
	exclusionUnmatched:    {"OUT-7", showEmpty},
}

// blank puts blanks in place of lexemes, so that nothing else moves.
func blank(s *script, from, to lexeme) bool {
	text := []byte(s.text[from.from:to.to])
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
	s.replace(from.from, to.to, string(text))
	return true
}

// dropPattern puts a pattern of the defined variables in place of one with a
// syntax error.
func dropPattern(s *script, list []lexeme, offset int) bool {
	for i, l := range list {
		if !l.is("PATTERN") || i+1 >= len(list) || !list[i+1].op("(") {
			continue
		}
		end := i + 2
		for end < len(list) && !list[end].is("SUBSET", "DEFINE") {
			end++
		}
		if end == len(list) || offset < l.from || offset > list[end].from {
			continue
		}
		var names []string
		for k := end; k+1 < len(list); k++ {
			if list[k+1].is("AS") && (list[k].kind == 'w' || list[k].kind == 'q') && (list[k-1].is("DEFINE") || list[k-1].op(",")) {
				names = append(names, s.text[list[k].from:list[k].to])
			}
			if list[k].op(")") && opening(list, k) < i { // the clause's own bracket
				break
			}
		}
		if len(names) == 0 {
			return false
		}
		pattern := "(" + strings.Join(names, " ") + ") "
		if strings.TrimSpace(s.text[list[i+1].from:list[end].from]) == strings.TrimSpace(pattern) {
			return false // the error is not the pattern's
		}
		s.replace(list[i+1].from, list[end].from, pattern)
		return true
	}
	return false
}

// quantifierFrom returns the index of the last lexeme of the quantifier that
// begins at i, -1 if none does.
func quantifierFrom(list []lexeme, i int) int {
	switch {
	case i >= len(list) || !list[i].op("*", "+", "?", "{"):
		return -1
	case list[i].op("{"):
		if i = closing(list, i); i < 0 {
			return -1
		}
	}
	if i+1 < len(list) && list[i+1].op("?") {
		i++
	}
	return i
}

// ignoreSecond takes a second quantifier away.
func ignoreSecond(s *script, list []lexeme, i int, e *diag.Error) bool {
	end := quantifierFrom(list, i)
	if end < 0 || !strings.Contains(e.Message, "follows another quantifier") {
		return false
	}
	return blank(s, list[i], list[end])
}

// multiply joins two quantifiers into one.
func multiply(s *script, list []lexeme, i int, e *diag.Error) bool {
	end := quantifierFrom(list, i)
	if end < 0 || i == 0 || !strings.Contains(e.Message, "follows another quantifier") {
		return false
	}
	first := i - 1
	if list[first].op("?") && first > 0 && list[first-1].op("*", "+", "?", "}") {
		first--
	}
	if list[first].op("}") {
		if first = opening(list, first); first < 0 {
			return false
		}
	}
	low1, high1 := bounds(list, first)
	low2, high2 := bounds(list, i)
	text := "{" + strconv.Itoa(low1*low2) + ","
	if high1 >= 0 && high2 >= 0 {
		text += strconv.Itoa(high1 * high2)
	}
	s.replace(list[first].from, list[end].to, text+"}")
	return true
}

// bounds reads the bounds of the quantifier at i; an upper bound of -1 is none.
func bounds(list []lexeme, i int) (low, high int) {
	switch {
	case list[i].op("*"):
		return 0, -1
	case list[i].op("+"):
		return 1, -1
	case list[i].op("?"):
		return 0, 1
	}
	high = -1
	comma := false
	for i++; i < len(list) && !list[i].op("}"); i++ {
		n, err := strconv.Atoi(list[i].text)
		switch {
		case list[i].op(","):
			comma = true
		case err != nil:
		case comma:
			high = n
		default:
			low = n
		}
	}
	if !comma {
		high = low
	}
	return low, high
}

// acceptZero reads an upper bound of 0 as 1, with a lower bound of 0.
func acceptZero(s *script, list []lexeme, i int, e *diag.Error) bool {
	end := quantifierFrom(list, i)
	if end < 0 || e.Stage != diag.Semantic {
		return false
	}
	if _, high := bounds(list, i); high != 0 {
		return false
	}
	s.replace(list[i].from, list[end].to, "{0,1}")
	return true
}

// exchangeBounds exchanges bounds that are crossed.
func exchangeBounds(s *script, list []lexeme, i int, e *diag.Error) bool {
	end := quantifierFrom(list, i)
	if end < 0 || e.Stage != diag.Semantic {
		return false
	}
	low, high := bounds(list, i)
	if high <= 0 || low <= high {
		return false
	}
	s.replace(list[i].from, list[end].to, "{"+strconv.Itoa(high)+","+strconv.Itoa(low)+"}")
	return true
}

// dropDefinition takes the definition of the variable at i away. The only one
// is replaced by one that a variable of the pattern has anyway.
func dropDefinition(s *script, list []lexeme, i int, _ *diag.Error) bool {
	end := i
	for depth := 0; end < len(list); end++ {
		if list[end].op("(") {
			depth++
		}
		if list[end].op(")") {
			depth--
		}
		if depth < 0 || depth == 0 && list[end].op(",") {
			break
		}
	}
	switch {
	case end < len(list) && list[end].op(","):
		return blank(s, list[i], list[end])
	case list[i-1].op(","):
		return blank(s, list[i-1], list[end-1])
	}
	p := before(list, i, "PATTERN")
	if p < 0 || p+1 >= len(list) {
		return false
	}
	close := closing(list, p+1)
	for k := p + 2; k < close; k++ {
		if l := list[k]; (l.kind == 'w' || l.kind == 'q') && !(l.is("PERMUTE") && list[k+1].op("(")) {
			s.replace(list[i].from, list[end-1].to, s.text[l.from:l.to]+" AS TRUE")
			return true
		}
	}
	if close < 0 {
		return false
	}
	// A pattern without variables gets the one defined, where it can never take a row.
	s.replace(list[close].from, list[close].from, " | $ "+s.text[list[i].from:list[i].to])
	return true
}

// dropFinal takes FINAL away, which stands at i or before it.
func dropFinal(s *script, list []lexeme, i int, _ *diag.Error) bool {
	for ; i >= 0; i-- {
		if list[i].is("FINAL") {
			return blank(s, list[i], list[i])
		}
		if list[i].op("(", ",") {
			break
		}
	}
	return false
}

// conflict reads the message of COL-2: which call refers to what, and to what else.
var conflict = regexp.MustCompile(`^(\S+) refers to (.+) and to (.+)$`)

// useFirst gives the reference at i the qualifier of the first one in its call.
func useFirst(s *script, list []lexeme, i int, e *diag.Error, navigation bool) bool {
	parts := conflict.FindStringSubmatch(e.Message)
	if parts == nil || isNavigation(parts[1]) != navigation {
		return false
	}
	first := parts[2]
	universal := strings.HasPrefix(first, "all rows")
	switch {
	case list[i].is("CLASSIFIER") && i+1 < len(list) && list[i+1].op("("):
		end := closing(list, i+1)
		if end < 0 {
			return false
		}
		if universal {
			first = ""
		}
		s.replace(list[i+1].to, list[end].from, first)
	case i+1 < len(list) && list[i+1].op("."):
		if universal {
			return blank(s, list[i], list[i+1])
		}
		s.replace(list[i].from, list[i].to, first)
	default:
		s.replace(list[i].from, list[i].from, first+".")
	}
	return true
}

func isNavigation(name string) bool {
	return name == "FIRST" || name == "LAST" || name == "PREV" || name == "NEXT"
}

// dropOuter takes the call away in which the call at i must not stand, and
// leaves its first argument.
func dropOuter(s *script, list []lexeme, i int, e *diag.Error) bool {
	words := strings.Fields(e.Message)
	outer := words[len(words)-1]
	for open := opening(list, i); open > 0; open = opening(list, open) {
		head := list[open-1]
		end := closing(list, open)
		switch {
		case end < 0:
			return false
		case head.is("FILTER"):
			return blank(s, head, list[end])
		case !head.is(outer):
			continue
		}
		begin := open - 1
		if begin > 0 && list[begin-1].is("FINAL", "RUNNING") {
			begin--
		}
		tail := open + 1
		for depth := 0; tail < end && (depth > 0 || !list[tail].op(",") && !list[tail].is("ORDER")); tail++ {
			switch {
			case list[tail].op("("):
				depth++
			case list[tail].op(")"):
				depth--
			}
		}
		blank(s, list[tail], list[end])
		s.replace(list[end].to-1, list[end].to, ")")
		blank(s, list[begin], list[open])
		s.replace(list[open].from, list[open].to, "(")
		if list[open+1].is("DISTINCT", "ALL") {
			blank(s, list[open+1], list[open+1])
		}
		if end+1 < len(list) && list[end+1].is("FILTER") {
			if close := closing(list, end+2); close > 0 {
				blank(s, list[end+1], list[close])
			}
		}
		return true
	}
	return false
}

// renameMeasure gives the second of two measures another name.
func renameMeasure(s *script, list []lexeme, i int, e *diag.Error) bool {
	if !strings.Contains(e.Message, "two measures") {
		return false
	}
	s.replace(list[i].from, list[i].to, `"`+strings.ReplaceAll(list[i].text, `"`, `""`)+" "+strconv.Itoa(i)+`"`)
	return true
}

// skipPast replaces the skip target at i.
func skipPast(s *script, list []lexeme, i int, _ *diag.Error) bool {
	to := i - 1
	if list[to].is("FIRST", "LAST") {
		to--
	}
	if to < 0 || !list[to].is("TO") {
		return false
	}
	s.replace(list[to].from, list[i].to, "PAST LAST ROW")
	return true
}

// dropMember takes a union out of the members of another, or puts its own first
// member in its place.
func dropMember(s *script, list []lexeme, i int, _ *diag.Error) bool {
	open := opening(list, i)
	if open < 0 {
		return false
	}
	for k := 2; k+1 < len(list); k++ {
		if !list[k].op("(") || k == open || !list[k-1].op("=") || list[k-2].text != list[i].text || list[k-2].kind != list[i].kind && list[k-2].kind != 'w' {
			continue
		}
		switch {
		case list[i+1].op(","):
			return blank(s, list[i], list[i+1])
		case list[i-1].op(","):
			return blank(s, list[i-1], list[i])
		}
		s.replace(list[i].from, list[i].to, s.text[list[k+1].from:list[k+1].to])
		return true
	}
	return false
}

const allowedFrame = "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"

// allowFrame puts an allowed frame in place of the one around i, takes EXCLUDE
// away, or adds a frame where there is none.
func allowFrame(s *script, list []lexeme, i int, _ *diag.Error) bool {
	if e := before(list, i, "EXCLUDE", "OVER", "AS"); e >= 0 && list[e].is("EXCLUDE") {
		return blank(s, list[e], list[after(list, e, "AFTER", "INITIAL", "SEEK", "PATTERN")-1])
	}
	open := opening(list, i)
	frame := -1
	for k := open + 1; k <= i; k++ {
		if list[k].is("ROWS", "RANGE", "GROUPS") && opening(list, k) == open {
			frame = k
		}
	}
	if frame >= 0 {
		end := after(list, frame, "EXCLUDE", "AFTER", "INITIAL", "SEEK", "PATTERN")
		if end >= len(list) {
			return false
		}
		s.replace(list[frame].from, list[end].from, allowedFrame+" ")
		return true
	}
	from := after(list, open+1, "AFTER", "INITIAL", "SEEK", "PATTERN")
	if from >= len(list) {
		return false
	}
	s.replace(list[from].from, list[from].from, allowedFrame+" ")
	return true
}

// dropAnchor puts an empty pattern in place of an anchor.
func dropAnchor(s *script, list []lexeme, i int, _ *diag.Error) bool {
	if !list[i].op("^", "$") {
		return false
	}
	s.replace(list[i].from, list[i].to, "()")
	return true
}

// showEmpty puts SHOW EMPTY MATCHES in place of WITH UNMATCHED ROWS.
func showEmpty(s *script, list []lexeme, i int, _ *diag.Error) bool {
	for k := i; k >= 0; k-- {
		if list[k].is("WITH") && k+2 < len(list) && list[k+1].is("UNMATCHED") {
			s.replace(list[k].from, list[k+2].to, "SHOW EMPTY MATCHES")
			return true
		}
	}
	return false
}
