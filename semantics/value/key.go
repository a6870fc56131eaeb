package value

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Tags of keys. Numbers of all exact types share a tag where their value
// allows, since 1 and 1.0 are identical.
const (
	keyNull byte = iota
	keyInt
	keyDecimal
	keyBig
	keyOther // plus the form
)

// AppendKey appends a key of v to dst: two values of one type, or two exact
// numbers, have the same key exactly if they are Identical. No key is the
// beginning of another one, so that the keys of several columns can be
// appended one after another. The order of keys means nothing.
func AppendKey(dst []byte, v Value, o Options) []byte {
	tag := keyOther + byte(v.form)
	switch v.form {
	case FormNull:
		return append(dst, keyNull)
	case FormInt:
		return append64(dst, keyInt, v.n)
	case FormDecimal:
		return appendDecimalKey(dst, v)
	case FormDouble:
		f := v.AsFloat()
		switch {
		case f == 0:
			f = 0 // -0 equals 0
		case math.IsNaN(f):
			f = math.NaN() // NaN has many representations
		}
		return append64(dst, tag, int64(math.Float64bits(f)))
	case FormString:
		s := v.s
		if o.PadSpace {
			s = strings.TrimRight(s, " ")
		}
		return appendText(dst, tag, s)
	case FormBinary:
		return appendText(dst, tag, v.s)
	case FormArray:
		elems := v.AsArray()
		dst = binary.AppendUvarint(append(dst, tag), uint64(len(elems)))
		for _, e := range elems {
			dst = AppendKey(dst, e, o)
		}
		return dst
	}
	return append64(dst, tag, v.n)
}

func append64(dst []byte, tag byte, n int64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, tag), uint64(n))
}

func appendText(dst []byte, tag byte, s string) []byte {
	dst = binary.AppendUvarint(append(dst, tag), uint64(len(s)))
	return append(dst, s...)
}

// appendDecimalKey writes the number without zeros at the end of its fraction,
// in the smallest form that holds it.
func appendDecimalKey(dst []byte, v Value) []byte {
	if d, ok := v.ref.(*apd.Decimal); ok {
		var r apd.Decimal
		r.Reduce(d)
		if v = BigDecimal(&r); v.ref != nil {
			return appendText(dst, keyBig, v.ref.(*apd.Decimal).Text('e'))
		}
	}
	v = stripZeros(v.n, int(v.scale))
	if v.scale == 0 {
		return append64(dst, keyInt, v.n)
	}
	return append64(append(dst, keyDecimal), v.scale, v.n)
}
