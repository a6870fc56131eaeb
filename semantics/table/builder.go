package table

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Builder makes one column, row by row.
type Builder struct {
	c      Column
	intern interner
}

// NewBuilder starts a column. The name is taken as it is (see FoldName).
func NewBuilder(name string, t value.Type) *Builder {
	return &Builder{c: Column{Name: name, Type: t, store: storeOf(t)}}
}

// Len returns the number of rows appended.
func (b *Builder) Len() int { return b.c.n }

// Reserve makes room for n more rows.
func (b *Builder) Reserve(n int) {
	c := &b.c
	switch c.store {
	case storeInts:
		c.ints = grow(c.ints, n)
	case storeFloats:
		c.floats = grow(c.floats, n)
	case storeStrings:
		c.spans = grow(c.spans, n)
	case storeValues:
		c.vals = grow(c.vals, n)
	}
}

func grow[T any](v []T, n int) []T {
	if cap(v)-len(v) >= n {
		return v
	}
	w := make([]T, len(v), len(v)+n)
	copy(w, v)
	return w
}

// AppendNull appends NULL.
func (b *Builder) AppendNull() {
	c := &b.c
	i := c.n
	for len(c.nulls) <= i>>6 {
		c.nulls = append(c.nulls, 0)
	}
	c.nulls[i>>6] |= 1 << (i & 63)
	switch c.store {
	case storeInts:
		c.ints = append(c.ints, 0)
	case storeFloats:
		c.floats = append(c.floats, 0)
	case storeStrings:
		c.spans = append(c.spans, 0)
	case storeValues:
		c.vals = append(c.vals, value.Null)
	}
	c.n++
}

// AppendInt64 appends n to a column held as integers (see Column.Int64s): a
// decimal is given as its coefficient at the type's scale. The caller answers
// for the range of the type.
func (b *Builder) AppendInt64(n int64) {
	if b.c.store != storeInts { // a decimal that has gone over to values
		b.c.vals = append(b.c.vals, intValue(b.c.Type, n))
	} else {
		b.c.ints = append(b.c.ints, n)
	}
	b.c.n++
}

// AppendFloat64 appends f to a double precision column.
func (b *Builder) AppendFloat64(f float64) {
	b.c.floats = append(b.c.floats, f)
	b.c.n++
}

// AppendString appends s to a string or binary column. The caller answers for
// the length of the type.
func (b *Builder) AppendString(s string) {
	var at Span
	b.c.heap, at = appendInterned(&b.intern, b.c.heap, s)
	b.c.spans = append(b.c.spans, at)
	b.c.n++
}

// AppendBytes is AppendString for bytes, which are copied.
func (b *Builder) AppendBytes(s []byte) {
	var at Span
	b.c.heap, at = appendInterned(&b.intern, b.c.heap, s)
	b.c.spans = append(b.c.spans, at)
	b.c.n++
}

// Append appends v, which is NULL or of a type assignable to the column's;
// what value.Convert refuses is its error (22003 or 22001, for instance).
func (b *Builder) Append(v value.Value) error {
	if v.IsNull() {
		b.AppendNull()
		return nil
	}
	if b.appendFitting(v) {
		return nil
	}
	w, err := value.Convert(v, b.c.Type)
	if err != nil {
		return err
	}
	if w.IsNull() {
		b.AppendNull()
		return nil
	}
	if b.appendFitting(w) {
		return nil
	}
	return diag.New(diag.Internal, "TYPE-1", diag.Pos{},
		"a value of form %d does not go into column %q of type %s", v.Form(), b.c.Name, b.c.Type)
}

// appendFitting appends v if it is of the column's type without conversion.
func (b *Builder) appendFitting(v value.Value) bool {
	t := b.c.Type
	form := v.Form()
	switch t.Kind {
	case value.Boolean:
		return form == value.FormBool && b.raw(v)
	case value.Smallint:
		return form == value.FormInt && v.Raw() == int64(int16(v.Raw())) && b.raw(v)
	case value.Integer:
		return form == value.FormInt && v.Raw() == int64(int32(v.Raw())) && b.raw(v)
	case value.Bigint:
		return form == value.FormInt && b.raw(v)
	case value.Date:
		return form == value.FormDate && b.raw(v)
	case value.Time:
		return form == value.FormTime && fitsFraction(v.Raw(), t.Precision) && b.raw(v)
	case value.Timestamp:
		return form == value.FormStamp && fitsFraction(v.Raw(), t.Precision) && b.raw(v)
	case value.IntervalDay:
		return form == value.FormInterval && b.raw(v)
	case value.IntervalYear:
		return form == value.FormMonths && b.raw(v)
	case value.Decimal:
		return form == value.FormDecimal && b.appendDecimal(v)
	case value.Double:
		return form == value.FormDouble && b.float(v.AsFloat())
	case value.Real:
		f := v.AsFloat()
		return form == value.FormDouble && (f != f || f == float64(float32(f))) && b.float(f)
	case value.Char:
		s := v.AsString()
		// A char(n) is held without the blanks at its end (TYPE-7).
		return form == value.FormString && hasLength(s, max(t.Precision, 1)) && !strings.HasSuffix(s, " ") && b.string(s)
	case value.Varchar:
		s := v.AsString()
		return form == value.FormString && (t.Precision == 0 || hasLength(s, t.Precision)) && b.string(s)
	case value.Binary:
		return form == value.FormBinary && b.string(v.AsString())
	case value.Array:
		return form == value.FormArray && b.value(v)
	}
	return false
}

func (b *Builder) raw(v value.Value) bool { b.AppendInt64(v.Raw()); return true }
func (b *Builder) float(f float64) bool   { b.AppendFloat64(f); return true }
func (b *Builder) string(s string) bool   { b.AppendString(s); return true }
func (b *Builder) value(v value.Value) bool {
	b.c.vals = append(b.c.vals, v)
	b.c.n++
	return true
}

// appendDecimal appends a decimal that has no more digits after the point than
// the type's scale, and not more than its precision allows.
func (b *Builder) appendDecimal(v value.Value) bool {
	t := b.c.Type
	if t.Precision == 0 {
		return b.value(v)
	}
	if n, scale, ok := v.AsScaled(); ok && scale <= t.Scale {
		if m, ok := rescale(n, t.Scale-scale); ok && fitsPrecision(m, t.Precision) {
			b.AppendInt64(m)
			return true
		}
	}
	d := v.AsDecimal()
	if int(-d.Exponent) > t.Scale || int(d.NumDigits())+int(d.Exponent) > t.Precision-t.Scale {
		return false
	}
	if by := t.Scale + int(d.Exponent); by > 0 {
		// The same number with as many digits after the point as the type has.
		ten := apd.NewBigInt(10)
		d.Coeff.Mul(&d.Coeff, ten.Exp(ten, apd.NewBigInt(int64(by)), nil))
		d.Exponent = int32(-t.Scale)
	}
	b.widen()
	return b.value(value.BigDecimal(d))
}

// widen turns a decimal column held as integers into one of values.
func (b *Builder) widen() {
	c := &b.c
	if c.store != storeInts {
		return
	}
	c.vals = make([]value.Value, c.n, max(c.n*2, 16))
	for i, n := range c.ints {
		// The bitmap of a column under construction ends with its last NULL.
		if i>>6 >= len(c.nulls) || !c.IsNull(i) {
			c.vals[i] = value.ScaledInt(n, c.Type.Scale)
		}
	}
	c.store, c.ints = storeValues, nil
}

// Column ends the building and returns the column.
func (b *Builder) Column() *Column {
	c := b.c
	c.interned = c.store == storeStrings && !b.intern.off
	if c.nulls != nil {
		for len(c.nulls) < (c.n+63)/64 {
			c.nulls = append(c.nulls, 0)
		}
	}
	return &c
}

var pow10 = [19]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// rescale multiplies n by 10^by.
func rescale(n int64, by int) (int64, bool) {
	if by == 0 || n == 0 {
		return n, true
	}
	if by < 0 || by > 18 {
		return 0, false
	}
	p := pow10[by]
	if n > math.MaxInt64/p || n < -(math.MaxInt64/p) {
		return 0, false
	}
	return n * p, true
}

// fitsPrecision reports whether n has at most p digits.
func fitsPrecision(n int64, p int) bool {
	return p > 18 || n < pow10[p] && n > -pow10[p]
}

// fitsFraction reports whether a number of microseconds has at most p digits
// of a second after the point.
func fitsFraction(micros int64, p int) bool {
	return p >= 6 || micros%pow10[6-max(p, 0)] == 0
}

// hasLength reports whether s has at most n characters.
func hasLength(s string, n int) bool {
	return len(s) <= n || utf8.RuneCountInString(s) <= n
}
