package trino

import (
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Profile returns the choices that Trino makes where the standard leaves one.
// AVG has two types in Trino, double for integers and the argument's for
// decimals, which no single choice of IMP-AVG says: dialect.Same compares it.
func Profile() *dialect.Profile {
	var r readings.Set
	for _, choice := range []struct {
		id readings.ID
		c  readings.Choice
	}{
		{readings.SUB1, readings.First},     // repeated members of SUBSET are ignored
		{readings.WIN1, readings.First},     // frames that end at CURRENT ROW or 0 FOLLOWING are accepted
		{readings.IMPNulls, readings.First}, // NULLs last in both directions
	} {
		r = r.With(choice.id, choice.c)
	}
	return &dialect.Profile{Readings: r, Unknown: []string{"DEF-15", "AGG-7", "GRAM-15", "IMP-AVG"}}
}
