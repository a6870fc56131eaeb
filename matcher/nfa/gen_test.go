package nfa

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
)

// generator makes random patterns and rows. Its patterns are rich in bodies
// that can be empty, followed by something (chapter 2 says that others hardly
// ever reach PREF-8), in variables that overlap, and in all quantifiers.
type generator struct {
	*rand.Rand
	vars      int      // variables A, B, ...
	anchors   bool     // ^ and $ may occur
	big       bool     // quantifiers of one variable may have large bounds
	windows   bool     // conditions are windows often
	size      int      // of most of these windows
	registers bool     // conditions read what failures are remembered by
	overlap   bool     // matches overlap, and measures are of the kinds that T2n carries
	names     []string // of the pattern whose conditions are made
}

func newGenerator(seed uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 20160)), vars: 3, anchors: true}
}

func node(op semantics.Op, sub ...*semantics.Pattern) *semantics.Pattern {
	return &semantics.Pattern{Op: op, Sub: sub}
}

func (g *generator) variable() *semantics.Pattern {
	v := node(semantics.OpVariable)
	v.Name.Text = string(rune('A' + g.IntN(g.vars)))
	return v
}

// pattern makes a pattern of about size leaves.
func (g *generator) pattern(size int) *semantics.Pattern {
	if size <= 1 {
		switch k := g.IntN(20); {
		case k == 0 && g.anchors:
			return node(semantics.OpPartitionStart)
		case k == 1 && g.anchors:
			return node(semantics.OpPartitionEnd)
		case k <= 3:
			return node(semantics.OpEmpty)
		case k <= 7:
			return g.quantified(g.variable())
		}
		return g.variable()
	}
	split := func(n int) (parts []*semantics.Pattern) {
		left := size
		for i := range n {
			s := left - (n - i - 1)
			if i < n-1 && s > 1 {
				s = 1 + g.IntN(s)
			}
			s = max(s, 1)
			left -= s
			parts = append(parts, g.pattern(s))
		}
		return parts
	}
	switch k := g.IntN(14); {
	case k <= 3:
		return node(semantics.OpGroup, node(semantics.OpConcat, split(2+g.IntN(2))...))
	case k <= 6:
		return node(semantics.OpGroup, node(semantics.OpAlternate, split(2+g.IntN(2))...))
	case k == 7:
		return node(semantics.OpExclude, g.pattern(size-1))
	case k == 8:
		return node(semantics.OpPermute, split(1+g.IntN(3))...)
	}
	return g.quantified(node(semantics.OpGroup, g.pattern(size-1)))
}

func (g *generator) quantified(body *semantics.Pattern) *semantics.Pattern {
	bounds := [][2]int{{0, 1}, {0, -1}, {1, -1}, {0, 1}, {0, -1}, {1, -1}, {2, 2}, {1, 2}, {2, -1}, {0, 2}, {0, 3}, {2, 3}, {3, 4}, {1, 3}, {3, -1}, {1, 1}}
	q := node(semantics.OpQuantified, body)
	b := bounds[g.IntN(len(bounds))]
	if g.big && body.Op == semantics.OpVariable && g.IntN(2) == 0 {
		bigs := [][2]int{{2, 70}, {3, 1000000}, {0, 100}, {1, 2000000000}, {9, 12}, {0, 9}, {11, -1}, {4, 200}, {10, 10}, {2, 9}}
		b = bigs[g.IntN(len(bigs))]
	}
	q.Min, q.Max, q.Reluctant = b[0], b[1], g.IntN(3) == 0
	return q
}

// rows makes n random label sets. Sometimes rows repeat, so that there are runs.
func (g *generator) rows(n int) [][]string {
	density := 1 + g.IntN(3)
	repeat := g.IntN(4)
	out := make([][]string, n)
	for i := range out {
		if i > 0 && g.IntN(4) < repeat {
			out[i] = out[i-1]
			continue
		}
		for v := range g.vars {
			if g.IntN(4) < density {
				out[i] = append(out[i], string(rune('A'+v)))
			}
		}
	}
	return out
}

// rowsText writes rows as "AB, -".
func rowsText(rows [][]string) string {
	var out []string
	for _, r := range rows {
		if s := strings.Join(r, ""); s != "" {
			out = append(out, s)
		} else {
			out = append(out, "-")
		}
	}
	return strings.Join(out, ", ")
}

// mappingText writes a mapping as "1A 2{B}", rows counted from 1.
func mappingText(c *semantics.Clause, m semantics.Mapping, found bool) string {
	if !found {
		return "none"
	}
	if m.IsEmpty() {
		return fmt.Sprintf("empty@%d", m.Start+1)
	}
	var out []string
	for i, v := range m.Vars {
		name := c.Name(v)
		if m.IsExcluded(i) {
			name = "{" + name + "}"
		}
		out = append(out, fmt.Sprintf("%d%s", m.Start+i+1, name))
	}
	return strings.Join(out, " ")
}
