// Package readings holds the choices that the standard leaves open, or that
// its sources leave in doubt, as data and as a value: chapter 17 of the
// rulebook.
//
// A reading is named by its rule and set as RULE=VALUE: WIN-10=alternative,
// IMP-AVG=double, WIN-10=default. A Set holds one choice for every reading; its
// zero value holds the defaults.
package readings

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// ID names a reading; All is in the order of the ids.
type ID uint8

// The readings, named by their rules.
const (
	PAT2 ID = iota
	PAT5
	GRAM5
	GRAM6
	GRAM12
	SUB1
	DEF15
	AGG6
	OUT7
	WIN1
	WIN4
	WIN6
	WIN9
	WIN10
	IMPQuotient
	IMPNulls
	AGG7
	IMPAvg
	IMPStrings
	GRAM15
	IMPInterval
	numIDs // is none
)

// Choice is a value of a reading: Default, or one of its alternatives in the
// order of Reading.Alternatives.
type Choice uint8

// The choices. Most readings have one alternative only.
const (
	Default Choice = 0
	First   Choice = 1 // the only alternative, or the first of several

	PAT2Bracket    Choice = 1 // the trigraph is a right bracket
	PAT2Error      Choice = 2 // the trigraph is an error
	IMPAvgDouble   Choice = 1 // AVG is double precision
	IMPAvgArgument Choice = 2 // AVG has the type of its argument
)

// Set holds a choice for every reading. The zero Set holds the defaults. Sets
// are values: they are copied by assignment and compared by ==.
type Set struct{ choices [numIDs]Choice }

// Is reports whether the reading is not the default one.
func (s Set) Is(id ID) bool { return s.choices[id] != Default }

// Choice returns the choice made for the reading.
func (s Set) Choice(id ID) Choice { return s.choices[id] }

// Alternative is Is for a rule given by name; it is false for a rule that has
// no readings.
func (s Set) Alternative(rule string) bool {
	id, ok := lookup(rule)
	return ok && s.Is(id)
}

// With returns a copy of the set with another choice for one reading. A choice
// that the reading does not have leaves the set as it is.
func (s Set) With(id ID, c Choice) Set {
	if id < numIDs && int(c) <= len(table[id].Alternatives) {
		s.choices[id] = c
	}
	return s
}

// List returns the choices that differ from the defaults, each as RULE=VALUE,
// in the order of All.
func (s Set) List() []string {
	var out []string
	for i, c := range s.choices {
		if c != Default {
			out = append(out, table[i].Rule+"="+table[i].Alternatives[c-1].Name)
		}
	}
	return out
}

// String returns List separated by commas; Parse reads it back. It is empty for
// the defaults.
func (s Set) String() string { return strings.Join(s.List(), ", ") }

// ValueOptions returns the readings that concern values.
func (s Set) ValueOptions() value.Options {
	o := value.Options{
		ExactQuotient:   s.Is(IMPQuotient),
		PadSpace:        s.Is(IMPStrings),
		StrictIntervals: s.Is(IMPInterval),
	}
	switch s.Choice(IMPAvg) {
	case IMPAvgDouble:
		o.Avg = value.AvgDouble
	case IMPAvgArgument:
		o.Avg = value.AvgArgument
	}
	return o
}

// Parse returns the defaults changed by the settings, from left to right. Each
// setting is as for Apply.
func Parse(settings ...string) (Set, error) {
	var s Set
	for _, setting := range settings {
		if err := s.Apply(setting); err != nil {
			return Set{}, err
		}
	}
	return s, nil
}

// Apply changes the set by RULE=VALUE, or by several of them separated by
// commas. VALUE is default, the name of an alternative, or alternative: the
// first alternative, whatever its name. Case does not matter. A blank setting
// changes nothing. After an error, a *diag.Error of stage semantic, the set is
// as before.
func (s *Set) Apply(setting string) error {
	if strings.TrimSpace(setting) == "" {
		return nil
	}
	next := *s
	offset := 0
	for item := range strings.SplitSeq(setting, ",") {
		if err := next.apply(item); err != nil {
			lead := len(item) - len(strings.TrimLeft(item, " \t\r\n"))
			return err.At(diag.Locate(setting, offset+lead)).In(setting)
		}
		offset += len(item) + len(",")
	}
	*s = next
	return nil
}

// apply changes the set by one RULE=VALUE.
func (s *Set) apply(item string) *diag.Error {
	rule, name, ok := strings.Cut(item, "=")
	rule, name = strings.TrimSpace(rule), strings.TrimSpace(name)
	if !ok {
		return usage("a reading is set as RULE=VALUE, not as %.60q", strings.TrimSpace(item)).
			WithHint("write for example WIN-10=alternative")
	}
	id, ok := lookup(rule)
	if !ok {
		return usage("no reading belongs to a rule %.60q", rule).
			WithHint("these rules have readings: %s", strings.Join(rules(), ", "))
	}
	r := &table[id]
	switch {
	case strings.EqualFold(name, "default"):
		s.choices[id] = Default
		return nil
	case strings.EqualFold(name, "alternative"):
		s.choices[id] = First
		return nil
	}
	for i, a := range r.Alternatives {
		if strings.EqualFold(name, a.Name) {
			s.choices[id] = Choice(i + 1)
			return nil
		}
	}
	return usage("%s has no value %.60q", r.Rule, name).
		WithHint("the values of %s are %s", r.Rule, strings.Join(r.Values(), ", "))
}

// usage makes the error of a wrong setting. A reading or a value that does not
// exist is an unknown name.
func usage(format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "NAME-1", diag.Pos{}, format, args...)
}

// lookup finds a reading by its rule; case does not matter.
func lookup(rule string) (ID, bool) {
	for i := range table {
		if strings.EqualFold(table[i].Rule, rule) {
			return ID(i), true
		}
	}
	return 0, false
}

// rules returns the rules that have readings.
func rules() []string {
	out := make([]string, len(table))
	for i := range table {
		out[i] = table[i].Rule
	}
	return out
}
