package dialect

import (
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
)

// features says what a product lacks (chapter 15 of the rulebook).
type features struct {
	all         string // why nothing can be asked
	fromForm    string // why the clause in FROM cannot be asked
	windowForm  string // why patterns in windows cannot be asked
	largest     int    // bound of a quantifier; 0: as large as any
	permute     int    // elements of PERMUTE; 0: as many as any
	noPermute   bool
	noExclusion bool
	noAnchors   bool
	nullable    bool // a quantified part that can be empty is refused
	subsets     bool // no SUBSET
}

// pattern says why a pattern cannot be asked; "" if it can.
func (f *features) pattern(p *Product, tree *semantics.Pattern) (reason string) {
	switch {
	case f.all != "":
		return f.all
	case f.fromForm != "":
		return f.fromForm
	}
	tree.Walk(func(x *semantics.Pattern) {
		if reason != "" {
			return
		}
		switch x.Op {
		case semantics.OpPermute:
			if f.noPermute {
				reason = p.Name + " has no PERMUTE"
			} else if f.permute > 0 && len(x.Sub) > f.permute {
				reason = p.Name + " permutes at most " + strconv.Itoa(f.permute) + " elements"
			}
		case semantics.OpExclude:
			if f.noExclusion {
				reason = p.Name + " has no exclusion {- -}"
			}
		case semantics.OpPartitionStart, semantics.OpPartitionEnd:
			if f.noAnchors {
				reason = p.Name + " has no anchors"
			}
		case semantics.OpQuantified:
			switch {
			case f.largest > 0 && max(x.Min, x.Max) > f.largest:
				reason = p.Name + " has bounds of at most " + strconv.Itoa(f.largest)
			case f.nullable && x.Sub[0].CanBeEmpty():
				reason = p.Name + " refuses a quantified part that can be empty"
			}
		}
	})
	return reason
}

// statement says by its words why a statement cannot be asked.
func (f *features) statement(p *Product, pieces []piece) string {
	if f.all != "" {
		return f.all
	}
	from, window := false, false
	for i, x := range pieces {
		if x.kind != word {
			continue
		}
		switch strings.ToUpper(x.text) {
		case "MATCH_RECOGNIZE":
			from = true
		case "PATTERN":
			k := after(pieces, i)
			window = window || !from && k >= 0 && pieces[k].text == "("
		case "SUBSET":
			if f.subsets {
				return p.Name + " has no SUBSET"
			}
		}
	}
	switch {
	case from && f.fromForm != "":
		return f.fromForm
	case window && f.windowForm != "":
		return f.windowForm
	}
	return ""
}
