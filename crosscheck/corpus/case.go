package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// The kinds of cases.
const (
	Labels    = "labels"
	Match     = "match"
	Prefer    = "prefer"
	Recognize = "recognize"
	Window    = "window"
	Refuse    = "refuse"
	Plan      = "plan"
)

// Unexplained stands in a case file, and in reports, in place of the rule of a
// case of which none is known: an input that was generated. The suite has none.
const Unexplained = "unexplained"

// RuleText writes the rules of a case.
func RuleText(rules []string) string {
	if len(rules) == 0 {
		return Unexplained
	}
	return strings.Join(rules, ", ")
}

// Case is one case of a file, decoded.
type Case struct {
	Name     string // theme/topic#id
	ID       string
	Kind     string
	Rules    []string // rule ids; none: unexplained
	Clause   string   // of TR 19075-5, or with "iso " of ISO/IEC 9075-2
	By       string   // hand, or an engine of a named version; empty: confirmed by other opinions only
	Readings readings.Set
	Reading  []string // as written
	Comment  string
	File     string
	Line     int

	Pattern string     // labels, prefer, plan: the text between the parentheses
	Subset  string     // labels
	Rows    []string   // labels: the rows as written, repetitions written out
	Starts  []int      // labels: the starting rows that are answered, from 1 and ascending; nil: all
	MaxRows int        // prefer
	SQL     string     // match, recognize, window, refuse: a statement, or a clause beginning with MATCH_RECOGNIZE
	Over    string     // match, refuse: the table of a clause
	Tables  []Table    // visible to the case
	Params  []Param    // host variables: recognize, window, refuse
	Steps   int64      // hostile: budget of condition tests; 0: the default
	Answer  []string   // expected text by lines
	Item    *Item      // as written
	Near    bool       // a near miss: what the rule says narrowly does not happen
	Limit   bool       // the answer is a limit error: hostile inputs that no budget can settle
	order   []orderKey // match
	part    []string   // match
}

type orderKey struct {
	column     string
	descending bool
}

// Table is a named table of a case file.
type Table struct {
	Name string // folded
	Data *table.Table
}

// Param is the value of a host variable, param=(n=3).
type Param struct {
	Name  string // folded
	Value Literal
}

// IsPattern reports the kinds that two other opinions can confirm.
func (c *Case) IsPattern() bool { return c.Kind == Labels || c.Kind == Match || c.Kind == Prefer }

// IsHostile reports a case that is made to exhaust engines: of the theme hostile.
func (c *Case) IsHostile() bool { return c.Theme() == "hostile" }

// Theme returns the folder of the case's file.
func (c *Case) Theme() string { t, _, _ := strings.Cut(c.Name, "/"); return t }

// Table returns a table by its folded name.
func (c *Case) Table(name string) (*table.Table, bool) {
	for i := len(c.Tables) - 1; i >= 0; i-- {
		if c.Tables[i].Name == name {
			return c.Tables[i].Data, true
		}
	}
	return nil, false
}

// arguments that each kind takes besides those of every case.
var kindArgs = map[string][]string{
	"table": {"name", "cols"}, Labels: {"starts"}, Match: {"over", "order", "partition"}, Prefer: {"rows"},
	Recognize: {"param"}, Window: {"param"}, Refuse: {"over", "param"}, Plan: nil,
}

var commonArgs = []string{"id", "rule", "tr", "iso", "by", "reading", "steps", "limit", "near"}

// Decode turns the directives of a file into cases. Errors name file and line;
// the cases without errors are returned as well.
func Decode(f *File) ([]*Case, []error) {
	var cases []*Case
	var errs []error
	var tables []Table
	seen := map[string]int{}
	for _, it := range f.Items {
		fail := func(format string, args ...any) {
			errs = append(errs, fileError(f.Path, it.Line, format, args...))
		}
		if _, ok := kindArgs[it.Kind]; !ok {
			fail("there is no directive %s", it.Kind)
			continue
		}
		if it.Kind == "table" {
			t, err := decodeTable(it)
			if err != nil {
				fail("%v", err)
				continue
			}
			tables = append(tables, t)
			continue
		}
		c, err := decodeCase(f, it)
		if err != nil {
			fail("%v", err)
			continue
		}
		if at, ok := seen[c.ID]; ok {
			fail("the id %s is used in line %d already", c.ID, at)
			continue
		}
		seen[c.ID] = it.Line
		c.Tables = slices.Clip(tables)
		cases = append(cases, c)
	}
	return cases, errs
}

func decodeCase(f *File, it *Item) (*Case, error) {
	for _, a := range it.Args {
		if !slices.Contains(commonArgs, a.Key) && !slices.Contains(kindArgs[it.Kind], a.Key) {
			return nil, fmt.Errorf("%s takes no argument %s", it.Kind, a.Key)
		}
	}
	c := &Case{ID: it.One("id"), Kind: it.Kind, By: it.One("by"), Comment: it.Comment, File: f.Path, Line: it.Line, Item: it}
	if c.ID == "" || strings.ContainsAny(c.ID, "#/ ") {
		return nil, fmt.Errorf("the case has no id, or one with blanks, # or /")
	}
	c.Name = f.Name + "#" + c.ID
	c.Rules = it.Get("rule")
	if len(c.Rules) == 0 {
		return nil, fmt.Errorf("the case %s names no rule", c.ID)
	}
	if len(c.Rules) == 1 && c.Rules[0] == Unexplained {
		c.Rules = nil
	}
	for _, r := range c.Rules {
		if _, ok := rulebook.Lookup(r); !ok {
			return nil, fmt.Errorf("the rulebook has no rule %s", r)
		}
	}
	switch {
	case it.One("tr") != "":
		c.Clause = it.One("tr")
	case it.One("iso") != "":
		c.Clause = "iso " + it.One("iso")
	case len(c.Rules) > 0:
		rule, _ := rulebook.Lookup(c.Rules[0])
		c.Clause = rule.Clause
	}
	c.Reading = it.Get("reading")
	for _, r := range c.Reading {
		if err := c.Readings.Apply(r); err != nil {
			return nil, fmt.Errorf("%s", diag.From(err).Message)
		}
	}
	if s := it.One("steps"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("steps is no positive number")
		}
		c.Steps = n
	}
	c.Answer = splitLines(it.Expected)
	for _, a := range it.Args {
		c.Limit = c.Limit || a.Key == "limit"
		c.Near = c.Near || a.Key == "near"
	}
	return c, c.body(it)
}

func splitLines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return lines
}

// body decodes the input of a case.
func (c *Case) body(it *Item) error {
	switch c.Kind {
	case Labels, Prefer, Plan:
		parts, err := sections(it.Input, "PATTERN", "SUBSET", "ROWS")
		if err != nil {
			return err
		}
		p := strings.TrimSpace(parts["PATTERN"])
		if !strings.HasPrefix(p, "(") || !strings.HasSuffix(p, ")") {
			return fmt.Errorf("PATTERN stands in parentheses")
		}
		c.Pattern, c.Subset = p[1:len(p)-1], parts["SUBSET"]
		if c.Rows, err = repeatedRows(parts["ROWS"]); err != nil {
			return err
		}
		if c.Starts, err = startingRows(it.Get("starts"), len(c.Rows)); err != nil {
			return err
		}
		if c.Kind == Prefer {
			if c.MaxRows, err = strconv.Atoi(it.One("rows")); err != nil || c.MaxRows < 0 {
				return fmt.Errorf("prefer needs rows=, the largest number of rows of a candidate")
			}
		}
	case Match:
		c.Over, c.part = it.One("over"), it.Get("partition")
		if c.Over == "" {
			return fmt.Errorf("match needs over=, the name of a table")
		}
		for _, k := range it.Get("order") {
			c.order = append(c.order, orderKey{strings.TrimPrefix(k, "-"), strings.HasPrefix(k, "-")})
		}
		c.SQL = c.clause(it.Input)
	default:
		c.SQL, c.Over = it.Input, it.One("over")
		for _, p := range it.Get("param") {
			name, text, _ := strings.Cut(p, "=")
			lits, err := Literals(text)
			if err != nil || len(lits) != 1 {
				return fmt.Errorf("param=(name=literal) cannot be read: %q", p)
			}
			c.Params = append(c.Params, Param{Name: table.FoldName(name), Value: lits[0]})
		}
	}
	return nil
}

// maxLabelRows bounds the rows of a labels case, repetitions written out.
const maxLabelRows = 100_000

// repeatedRows splits the rows of a labels case. A field A*600 stands for 600
// rows A.
func repeatedRows(text string) ([]string, error) {
	var rows []string
	for _, field := range strings.Fields(text) {
		row, times, repeated := strings.Cut(field, "*")
		n := 1
		if repeated {
			var err error
			if n, err = strconv.Atoi(times); err != nil || n < 1 || row == "" {
				return nil, fmt.Errorf("%q is no row and number of times, such as A*600", field)
			}
		}
		if n > maxLabelRows-len(rows) {
			return nil, fmt.Errorf("the case has more than %d rows", maxLabelRows)
		}
		rows = slices.Grow(rows, n)
		for range n {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// startingRows reads starts=: ascending numbers of rows, of which there are n.
func startingRows(vals []string, n int) ([]int, error) {
	var starts []int
	last := 0
	for _, v := range vals {
		s, err := strconv.Atoi(v)
		if err != nil || s <= last || s > n {
			return nil, fmt.Errorf("starts=(%s) are no ascending numbers of rows from 1 to %d", strings.Join(vals, ", "), n)
		}
		starts = append(starts, s)
		last = s
	}
	return starts, nil
}

// clause makes a whole clause of the input of a match case.
func (c *Case) clause(input string) string {
	var b strings.Builder
	b.WriteString("MATCH_RECOGNIZE (\n")
	if len(c.part) > 0 {
		b.WriteString("PARTITION BY " + strings.Join(c.part, ", ") + "\n")
	}
	for i, k := range c.order {
		if i == 0 {
			b.WriteString("ORDER BY ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(k.column)
		if k.descending {
			b.WriteString(" DESC")
		}
	}
	if len(c.order) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("MEASURES CLASSIFIER() AS c\nALL ROWS PER MATCH\nAFTER MATCH SKIP TO NEXT ROW\n" + input + ")")
	return b.String()
}

// sections splits an input into parts that begin with a word at the start of a line.
func sections(input string, words ...string) (map[string]string, error) {
	parts := map[string]string{}
	current := ""
	for _, line := range strings.Split(input, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case slices.Contains(words, word):
			if _, ok := parts[word]; ok {
				return nil, fmt.Errorf("%s stands twice", word)
			}
			current = word
			parts[current] = rest
		case current == "":
			return nil, fmt.Errorf("expected %s, found %q", strings.Join(words, ", "), line)
		default:
			parts[current] += "\n" + line
		}
	}
	return parts, nil
}
