package value

import (
	"cmp"
	"math"
	"math/bits"
	"strings"
)

// ComparableTypes reports whether values of the types can be compared
// (TYPE-1): numbers with numbers, strings with strings, and otherwise only
// values of one kind. The unknown type is comparable with everything.
func ComparableTypes(a, b Type) bool {
	_, ok := CommonType(a, b)
	return ok
}

// Compare orders two values of comparable types, neither of them NULL, and
// returns -1, 0 or +1. It is a total order of the values of one type, and of
// all exact numbers. An exact number is compared with an approximate one as a
// double (TYPE-5). NaN equals itself and is greater than every number, -0
// equals 0, FALSE < TRUE (TYPE-8), strings are ordered by code point (TYPE-7;
// with o.PadSpace as if the shorter one were padded with blanks). Arrays are
// compared element by element, a NULL element is the greatest.
//
// Values of type char(n) are held without the blanks at their end, hence they
// compare without them.
func Compare(a, b Value, o Options) int {
	if a.form != b.form {
		return compareMixed(a, b)
	}
	switch a.form {
	case FormString:
		if o.PadSpace {
			return comparePadded(a.s, b.s)
		}
		return strings.Compare(a.s, b.s)
	case FormBinary:
		return strings.Compare(a.s, b.s)
	case FormDouble:
		return compareFloats(a.AsFloat(), b.AsFloat())
	case FormDecimal:
		return compareExact(a, b)
	case FormArray:
		return compareArrays(a.AsArray(), b.AsArray(), o)
	}
	return cmp.Compare(a.n, b.n)
}

// compareMixed compares numbers held in different forms. Other values have no
// order among each other; to be safe NULL is the greatest, and the rest goes
// by form.
func compareMixed(a, b Value) int {
	switch {
	case isExact(a) && isExact(b):
		return compareExact(a, b)
	case isNumber(a) && isNumber(b):
		return compareFloats(ToFloat(a), ToFloat(b))
	case a.form == FormNull:
		return 1
	case b.form == FormNull:
		return -1
	}
	return cmp.Compare(a.form, b.form)
}

// compareFloats puts NaN last (TYPE-5).
func compareFloats(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	xNaN, yNaN := math.IsNaN(x), math.IsNaN(y)
	switch {
	case xNaN && yNaN:
		return 0
	case xNaN:
		return 1
	}
	return -1
}

// compareExact compares integers and decimals of any scales.
func compareExact(a, b Value) int {
	x, sx, okx := exact(a)
	y, sy, oky := exact(b)
	switch {
	case !okx || !oky:
		return readDecimal(a).Cmp(readDecimal(b))
	case sx == sy:
		return cmp.Compare(x, y)
	case x < 0 && y >= 0 || x <= 0 && y > 0:
		return -1
	case x > 0 && y <= 0 || x >= 0 && y < 0:
		return 1
	}
	// Both have the same sign, or both are 0.
	c := compareMagnitudes(abs64(x), sx, abs64(y), sy)
	if x < 0 {
		return -c
	}
	return c
}

// compareMagnitudes compares x * 10^-sx with y * 10^-sy in 128 bits; x and y
// are at most 2^63, and both are 0 or neither.
func compareMagnitudes(x uint64, sx int, y uint64, sy int) int {
	if sx > sy {
		return -compareMagnitudes(y, sy, x, sx)
	}
	diff := sy - sx
	for ; diff >= len(pow10); diff-- {
		if x > math.MaxUint64/10 {
			return 1 // 10x is above 2^63 already
		}
		x *= 10
	}
	hi, lo := bits.Mul64(x, uint64(pow10[diff]))
	if hi > 0 {
		return 1
	}
	return cmp.Compare(lo, y)
}

// comparePadded compares strings as if the shorter one were padded with blanks.
func comparePadded(s, t string) int {
	n := min(len(s), len(t))
	if c := strings.Compare(s[:n], t[:n]); c != 0 {
		return c
	}
	for i := n; i < len(s); i++ {
		if s[i] != ' ' {
			return cmp.Compare(s[i], ' ')
		}
	}
	for i := n; i < len(t); i++ {
		if t[i] != ' ' {
			return cmp.Compare(' ', t[i])
		}
	}
	return 0
}

func compareArrays(a, b []Value, o Options) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if c := Compare(x, y, o); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// Equal is the predicate a = b: UNKNOWN if an operand is NULL. Arrays of
// different lengths are not equal; otherwise they are equal if all pairs of
// elements are, and not equal if one pair is not.
func Equal(a, b Value, o Options) Truth {
	switch {
	case a.form == FormNull || b.form == FormNull:
		return UnknownTruth
	case a.form == FormArray && b.form == FormArray:
		x, y := a.AsArray(), b.AsArray()
		if len(x) != len(y) {
			return False
		}
		t := True
		for i := range x {
			t = t.And(Equal(x[i], y[i], o))
		}
		return t
	case Compare(a, b, o) == 0:
		return True
	}
	return False
}

// Identical is the predicate a IS NOT DISTINCT FROM b, by which GROUP BY,
// DISTINCT and PARTITION BY tell values apart: NULL is identical to NULL
// (NUL-1).
func Identical(a, b Value, o Options) bool {
	if a.form == FormNull || b.form == FormNull {
		return a.form == b.form
	}
	return Compare(a, b, o) == 0
}
