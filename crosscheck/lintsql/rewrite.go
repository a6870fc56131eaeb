package lintsql

import "github.com/rprcheck/rprcheck/semantics"

// withoutEmptyIterations writes a quantifier whose body can be empty as one whose
// body cannot, if that keeps the preferred match and its variables; "" if it is
// not known to.
//
// The body must be a quantifier over one variable, and all be greedy: then every
// candidate is a run of that variable, and the preferred one is the longest that
// the rest of the pattern leaves, before as after. What differs is the number of
// empty iterations, which no one sees.
func withoutEmptyIterations(p *semantics.Pattern) string {
	body := bare(p.Sub[0])
	if p.Reluctant || body.Op != semantics.OpQuantified || body.Reluctant || bare(body.Sub[0]).Op != semantics.OpVariable {
		return ""
	}
	v := bare(body.Sub[0]).Name.String()
	switch {
	case body.Min == 0 && body.Max == 1 && p.Max == semantics.Unbounded, // (A?)* (A?)+ (A?){2,}
		body.Min == 0 && body.Max == semantics.Unbounded: // (A*)* (A*){2,3}
		return v + "*"
	case body.Min == 0 && body.Max == 1 && p.Max >= 1: // (A?){n,m}
		out := semantics.Pattern{Op: semantics.OpQuantified, Sub: []*semantics.Pattern{bare(body.Sub[0])}, Min: 0, Max: p.Max}
		return out.String()
	}
	return ""
}

// withoutNothing writes a repeated alternation whose branches can take nothing as
// one whose branches cannot: another meaning (PREF-8), which is perhaps meant. ""
// where it is not plain what that would be.
func withoutNothing(p *semantics.Pattern) string {
	body := bare(p.Sub[0])
	if body.Op != semantics.OpAlternate || p.Max != semantics.Unbounded || p.Min > 1 {
		return ""
	}
	alt := *body
	alt.Sub = nil
	for _, branch := range body.Sub {
		if b := bare(branch); branch.CanBeEmpty() {
			if b.Op != semantics.OpQuantified || b.Reluctant || b.Min > 0 || b.Sub[0].CanBeEmpty() {
				return ""
			}
			one := *b
			if one.Min = 1; one.Max == 1 {
				branch = b.Sub[0]
			} else {
				branch = &one
			}
		}
		alt.Sub = append(alt.Sub, branch)
	}
	out := *p
	out.Sub = []*semantics.Pattern{{Op: semantics.OpGroup, Sub: []*semantics.Pattern{&alt}}}
	return out.String()
}
