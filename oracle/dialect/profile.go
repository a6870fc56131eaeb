package dialect

import (
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Profile is what a product chooses where the standard leaves a choice
// (chapters 14 and 17). It is applied before answers are compared.
type Profile struct {
	// Readings are the product's choices, as far as they are known.
	Readings readings.Set
	// Unknown lists the rules of readings whose choice by the product is not
	// known: cases that rest on them are not compared.
	Unknown []string
}

// Conflict says why a case that rests on some readings cannot be put to the
// product; "" if it reads them so.
func (p *Profile) Conflict(product string, settings []string) string {
	for _, s := range settings {
		if _, err := readings.Parse(s); err != nil {
			return "the case is in error: " + err.Error()
		}
		rule, _, _ := strings.Cut(s, "=")
		rule = strings.ToUpper(strings.TrimSpace(rule))
		for _, u := range p.Unknown {
			if u == rule {
				return "the case rests on the reading " + s + ", how " + product + " reads " + rule + " is not known"
			}
		}
		mine := p.Readings
		if err := mine.Apply(s); err != nil || mine != p.Readings {
			return "the case rests on the reading " + s + ", " + product + " reads it differently"
		}
	}
	return ""
}

// Precision is the note of answers that agree but for a precision that the
// implementation defines.
const Precision = "agrees but for an implementation-defined precision"

// Same compares two results whose rows have been found to differ as they are
// written. The answer got agrees with want if names, number of columns and rows
// are the same, and the values differ only where the implementation defines the
// precision (IMP-AVG, TYPE-3): where want has a decimal without fixed scale,
// got may have a decimal with a scale, rounded half up, or a double. The rows
// of unordered results are matched in any order.
func Same(want, got *table.Table, ordered bool) bool {
	if want.NumColumns() != got.NumColumns() || want.NumRows() != got.NumRows() {
		return false
	}
	alike := make([]func(a, b value.Value) bool, want.NumColumns())
	for i := range alike {
		a, b := want.Column(i), got.Column(i)
		if a.Name != b.Name {
			return false
		}
		if alike[i] = comparison(a.Type, b.Type); alike[i] == nil {
			return false
		}
	}
	row := func(r, s int) bool {
		for i := range alike {
			if !alike[i](want.Value(r, i), got.Value(s, i)) {
				return false
			}
		}
		return true
	}
	used := make([]bool, got.NumRows())
	for r := range want.NumRows() {
		if ordered {
			if !row(r, r) {
				return false
			}
			continue
		}
		found := false
		for s := range used {
			if !used[s] && row(r, s) {
				used[s], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// comparison returns how values of two types are compared; nil if the types
// are not the same.
func comparison(want, got value.Type) func(a, b value.Value) bool {
	o := value.Options{}
	switch {
	case want.Equal(got):
		if want.IsApproximate() {
			return nullsAlike(func(a, b value.Value) bool { return close(value.ToFloat(a), value.ToFloat(b)) })
		}
		return func(a, b value.Value) bool { return value.Identical(a, b, o) }
	case want.Kind == value.Decimal && want.Precision == 0 && got.IsApproximate():
		return nullsAlike(func(a, b value.Value) bool { return close(value.ToFloat(a), value.ToFloat(b)) })
	case want.Kind == value.Decimal && want.Precision == 0 && got.IsExact():
		return nullsAlike(func(a, b value.Value) bool { return rounds(a, b, got.Scale) })
	}
	return nil
}

func nullsAlike(same func(a, b value.Value) bool) func(a, b value.Value) bool {
	return func(a, b value.Value) bool {
		if a.IsNull() || b.IsNull() {
			return a.IsNull() && b.IsNull()
		}
		return same(a, b)
	}
}

// closeness is the largest relative difference of two doubles that were
// computed in different orders.
const closeness = 1e-12

func close(a, b float64) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	return math.Abs(a-b) <= closeness*max(math.Abs(a), math.Abs(b))
}

// rounds reports that b is a rounded half up to a scale.
func rounds(a, b value.Value, scale int) bool {
	var r apd.Decimal
	ctx := apd.BaseContext.WithPrecision(100)
	ctx.Rounding = apd.RoundHalfUp
	if _, err := ctx.Quantize(&r, a.AsDecimal(), -int32(scale)); err != nil {
		return false
	}
	return r.Cmp(b.AsDecimal()) == 0
}
