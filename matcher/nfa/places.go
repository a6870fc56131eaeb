package nfa

import (
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Conditions of funnels and the like read one column of categories. Where equal
// strings of it have the same place (see table.Column.Places), the class of a
// row depends on the place only, and is found out once for each.

// onlyColumn returns the column of strings that the conditions read, if they
// read no other and no other row; nowhere if there is no such column.
func (p *labelPlan) onlyColumn() int {
	column := nowhere
	if len(p.conditions) == 0 || len(p.conditions) > 8 || !p.byTable {
		return nowhere
	}
	for i := range p.conditions {
		for _, part := range p.conditions[i].parts {
			fits := true
			scalar.Walk(part, func(e scalar.Expr) bool {
				switch n := e.(type) {
				case *columnAt:
					if !n.Type().IsString() || column != nowhere && column != n.column {
						fits = false
					}
					column = n.column
				case *matchNumber, *length, *classifierAt, *aggregateAt:
					fits = false
				}
				return true
			})
			if !fits {
				return nowhere
			}
		}
	}
	return column
}

// unknownClass stands for the class of a place that no row was seen at.
const unknownClass = 1 << 8

// byPlaces writes the classes of rows, by the places of their strings; false
// where that does not apply, or where a condition is an error.
func (l *labels) byPlaces(t *table.Table, rows []int32, out []uint8) bool {
	if l.plan.only == nowhere {
		return false
	}
	spans, size := t.Column(l.plan.only).Places()
	if spans == nil {
		return false
	}
	if l.placesOf != t {
		l.placesOf, l.classOf = t, make([]uint16, size)
		for i := range l.classOf {
			l.classOf[i] = unknownClass
		}
	}
	for !l.byKnown(spans, rows, out) {
		for _, row := range rows {
			at := spans[row].Place()
			if l.classOf[at] != unknownClass {
				continue
			}
			class, ok := l.classAt(t, row)
			if !ok {
				return false
			}
			l.classOf[at] = class
		}
	}
	return true
}

// byKnown writes the classes of rows; false if one is not known yet.
func (l *labels) byKnown(spans []table.Span, rows []int32, out []uint8) bool {
	all := uint16(0)
	classOf, out := l.classOf, out[:len(rows)]
	for i, row := range rows {
		class := classOf[spans[row].Place()]
		all |= class
		out[i] = uint8(class)
	}
	return all&unknownClass == 0
}

// classAt evaluates the conditions on one row of the table.
func (l *labels) classAt(t *table.Table, row int32) (uint16, bool) {
	s := &scene{table: t, rows: []int32{row}, at: nowhere, hi: 1}
	class, ok, err := l.one(s)
	return class, ok && err == nil
}
