package faux

import (
	"slices"
	"strings"
)

// The areas of faults, by what lies.
const (
	AreaOrder     = "order"     // the candidates and their order
	AreaScan      = "scan"      // scan, numbering, skipping
	AreaCondition = "condition" // conditions, navigation, partitioning and ordering of the input
	AreaAggregate = "aggregate" // aggregates
	AreaOutput    = "output"    // measures and output
	AreaWindow    = "window"    // row patterns in windows
	AreaAccept    = "accept"    // accepting and refusing statements
)

// Fault is one published fault of an engine, parser or library, in our words.
type Fault struct {
	ID            string   // number of the list's line, with a letter where the line has several: 8, 31b
	Line          int      // the number alone
	Name          string   // short, in kebab-case; unique
	What          string   // one sentence: what the engine does
	Area          string   // one of the areas
	Rules         []string // rules of the rulebook that it breaks
	Inexpressible string   // why no mutant can lie so; empty if one can
}

// lie identifies the fault that a mutant has; honest is none.
type lie string

const honest lie = ""

// All returns every fault, in the order of the list.
func All() []Fault {
	out := slices.Concat(orderFaults, scanFaults, conditionFaults, aggregateFaults, outputFaults, windowFaults, acceptFaults)
	slices.SortStableFunc(out, func(a, b Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// Lookup finds a fault by its id or its name.
func Lookup(id string) (Fault, bool) {
	for _, f := range All() {
		if f.ID == id || f.Name == id {
			return f, true
		}
	}
	return Fault{}, false
}

// fault makes an entry of the tables. The line is read from the id.
func fault(id lie, area, name, rules, what string) Fault {
	line := 0
	for _, r := range string(id) {
		if r < '0' || r > '9' {
			break
		}
		line = line*10 + int(r-'0')
	}
	return Fault{ID: string(id), Line: line, Name: name, What: what, Area: area, Rules: strings.Fields(rules)}
}

// cannot marks a fault that no mutant can have.
func (f Fault) cannot(reason string) Fault {
	f.Inexpressible = reason
	return f
}
