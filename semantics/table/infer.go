package table

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/cockroachdb/apd/v3"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// finish turns what was read into a table, several columns at a time.
func (s *source) finish() (*Table, error) {
	cols := make([]*Column, len(s.columns))
	errs := make([]*fieldError, len(s.columns))
	var wg sync.WaitGroup
	work := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(s.columns)) {
		wg.Go(func() {
			for i := range work {
				cols[i], errs[i] = s.columns[i].build(s.rows)
			}
		})
	}
	for i := range s.columns {
		work <- i
	}
	close(work)
	wg.Wait()
	var first *fieldError
	for _, e := range errs {
		if e != nil && (first == nil || e.row < first.row) {
			first = e
		}
	}
	if first != nil {
		return nil, s.fieldError(first)
	}
	return NewRows(s.rows, cols...)
}

// fieldError says that a text is not of the type that the schema gives.
type fieldError struct {
	row  int
	col  *readColumn
	text string
	why  string // more than that it is not of the type; may be empty
}

func (s *source) fieldError(f *fieldError) error {
	t := f.col.schema.Type
	e := s.errorf(s.lineOf(f.row), "column %s: %s is not a value of type %s", f.col.name, show(f.text), t)
	if f.why != "" {
		e.Message += ": " + f.why
	}
	e.Pos.Offset = 0 // not known any more
	return e.WithHint("correct the file, or give the column a type that has this value; only an empty field without quotation marks is NULL")
}

// build makes the column's vectors from its n texts, which it drops.
func (c *readColumn) build(n int) (*Column, *fieldError) {
	f := &filler{chunks: c.raw.close(), n: n, bytes: c.raw.bytes}
	c.raw.chunks = nil
	f.col = &Column{Name: c.name, n: n}
	switch {
	case c.schema != nil && c.schema.Type.Kind != value.Unknown:
		if e := f.declared(c.schema.Type); e != nil {
			e.col = c
			return nil, e
		}
	case c.raw.kinds != 0:
		f.inferJSON(c.raw.kinds)
	default:
		f.infer()
	}
	return f.col, nil
}

// filler makes one column from its texts.
type filler struct {
	col    *Column
	chunks [][]byte
	n      int
	bytes  int
	// The text at which the last attempt failed.
	row  int
	text []byte
}

// each calls f with every text that is not NULL until f returns false, and
// collects the null bitmap. It reports whether f accepted every text.
func (f *filler) each(accept func(row int, text []byte) bool) bool {
	var nulls []uint64
	row := 0
	for _, chunk := range f.chunks {
		for len(chunk) > 0 {
			var text []byte
			var null bool
			text, chunk, null = nextRaw(chunk)
			if null {
				if nulls == nil {
					nulls = make([]uint64, (f.n+63)/64)
				}
				nulls[row>>6] |= 1 << (row & 63)
			} else if !accept(row, text) {
				f.row, f.text = row, text
				return false
			}
			row++
		}
	}
	f.col.nulls = nulls
	return true
}

// infer gives the column the narrowest type that has all texts.
func (f *filler) infer() {
	class := classNone
	f.each(func(_ int, text []byte) bool {
		class = classify(text)
		return false
	})
	for !f.try(class) {
		wider := class.join(classify(f.text))
		if wider == class { // for instance an exact number beyond the range of a double
			wider = classText
		}
		class = wider
	}
}

// try makes the vectors of a class; false if a text is not of the class.
func (f *filler) try(class textClass) bool {
	switch class {
	case classBoolean:
		return f.ints(value.TypeBoolean, parseBool)
	case classInt:
		return f.ints(value.TypeBigint, parseInt)
	case classDecimal:
		return f.decimals()
	case classDouble:
		return f.floats(value.TypeDouble, parseFloat)
	case classDate:
		return f.ints(value.TypeDate, parseDate)
	case classTime:
		return f.ints(value.TypeTime, parseTime)
	case classStamp:
		return f.ints(value.TypeTimestamp, parseStamp)
	}
	f.strings(value.TypeVarchar)
	return true
}

func (f *filler) ints(t value.Type, parse func([]byte) (int64, bool)) bool {
	ints := make([]int64, f.n)
	if !f.each(func(row int, text []byte) (ok bool) {
		ints[row], ok = parse(text)
		return ok
	}) {
		return false
	}
	f.col.Type, f.col.store, f.col.ints = t, storeInts, ints
	return true
}

func (f *filler) floats(t value.Type, parse func([]byte) (float64, bool)) bool {
	floats := make([]float64, f.n)
	if !f.each(func(row int, text []byte) (ok bool) {
		floats[row], ok = parse(text)
		return ok
	}) {
		return false
	}
	f.col.Type, f.col.store, f.col.floats = t, storeFloats, floats
	return true
}

// strings always succeeds. It drops the chunks as it goes.
func (f *filler) strings(t value.Type) {
	f.col.Type = t
	long := 0
	count := 0
	f.each(func(_ int, text []byte) bool {
		count++
		if len(text) >= longSpan {
			long++
		}
		return true
	})
	if count == 0 { // also the type of a column of NULLs only
		return
	}
	spans := make([]Span, f.n)
	heap := make([]byte, 0, heapStart+min(f.bytes, maxInternedHeap))
	var in interner
	row, grown := 0, false // room is made for all strings when there are many
	for i, chunk := range f.chunks {
		for len(chunk) > 0 {
			var text []byte
			var null bool
			text, chunk, null = nextRaw(chunk)
			if !null {
				heap, spans[row] = appendInterned(&in, heap, text)
				if in.off && !grown {
					heap, grown = slices.Grow(heap, f.bytes+8*long), true
				}
			}
			row++
		}
		f.chunks[i] = nil
	}
	f.col.store, f.col.spans, f.col.heap = storeStrings, spans, heap
	f.col.interned = !in.off
}

// decimals makes an exact decimal column with the digits that are needed: the
// most before the point, the most behind.
func (f *filler) decimals() bool {
	coefs := make([]int64, f.n)
	scales := make([]uint8, f.n)
	var largest [19]uint64 // largest coefficient by scale
	var seen uint32        // set of scales
	whole, scale, widest := 0, 0, 0
	if !f.each(func(row int, text []byte) bool {
		n, s, ok := parseScaled(text)
		if ok {
			coefs[row], scales[row] = n, uint8(s)
			seen |= 1 << s
			largest[s] = max(largest[s], uint64(max(n, -n)))
			return true
		}
		x, ok := scanNumber(text)
		whole, scale, widest = max(whole, x.whole), max(scale, x.scale), max(widest, x.whole+x.scale)
		return ok && !x.exponent
	}) {
		return false
	}
	for s, n := range largest {
		if n > 0 {
			whole = max(whole, decimalDigits(n)-s)
		}
	}
	scale = max(scale, bits.Len32(seen)-1)
	t := value.DecimalType(max(whole+scale, 1), scale)
	if widest == 0 && f.align(t, coefs, scales) {
		return true
	}
	if t.Precision > value.MaxPrecision {
		if widest > value.MaxPrecision { // no decimal has this number (TYPE-3)
			f.strings(value.TypeVarchar)
			return true
		}
		t = value.TypeDecimal
	}
	return f.bigDecimals(t)
}

// align brings all coefficients to the type's scale; false if one does not fit.
func (f *filler) align(t value.Type, coefs []int64, scales []uint8) bool {
	if t.Scale > 18 {
		return false
	}
	for i, n := range coefs {
		m, ok := rescale(n, t.Scale-int(scales[i]))
		if !ok {
			return false
		}
		coefs[i] = m
	}
	f.col.Type, f.col.store, f.col.ints = t, storeInts, coefs
	return true
}

// bigDecimals makes a decimal column whose coefficients need not fit an int64.
func (f *filler) bigDecimals(t value.Type) bool {
	return f.values(t, func(text []byte) (value.Value, bool) {
		d, _, err := apd.NewFromString(string(text))
		if err != nil {
			return value.Null, false
		}
		return value.BigDecimal(d), true
	})
}

// values makes a column of any type through a Builder.
func (f *filler) values(t value.Type, parse func(text []byte) (value.Value, bool)) bool {
	b := NewBuilder(f.col.Name, t)
	b.Reserve(f.n)
	ok := f.each(func(row int, text []byte) bool {
		v, ok := parse(text)
		if !ok {
			return false
		}
		for b.Len() < row {
			b.AppendNull()
		}
		return b.Append(v) == nil
	})
	if !ok {
		return false
	}
	for b.Len() < f.n {
		b.AppendNull()
	}
	f.col = b.Column()
	return true
}

// decimalDigits returns the number of decimal digits of n, which is not 0.
func decimalDigits(n uint64) int {
	d := bits.Len64(n) * 1233 >> 12 // log10(2) = 0.30103
	if d < len(pow10) && n >= uint64(pow10[d]) {
		d++
	}
	return d
}

// inferJSON gives a column of JSON values its type. Values of different kinds
// are held by their text.
func (f *filler) inferJSON(kinds rawKind) {
	switch kinds {
	case rawNumber:
		f.infer()
	case rawBoolean:
		f.ints(value.TypeBoolean, parseBool)
	case rawArray:
		f.arrays()
	default:
		f.strings(value.TypeVarchar)
	}
}

// dataError makes an error of input without place.
func dataError(format string, args ...any) *diag.Error {
	return diag.New(diag.Runtime, "DATA-1", diag.Pos{}, format, args...)
}
