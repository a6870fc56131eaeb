package table

import (
	"bytes"
	"io"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// ReadJSONLines reads a table of one JSON object a line. The columns are those
// of the schema, then the other keys in the order in which they first appear;
// a missing key and null are NULL. Lines of blanks only are no rows.
//
// A column gets a type that has all its values: boolean; for numbers bigint,
// decimal(p,s) with the digits needed, or double precision if one has an
// exponent; varchar for strings (a date has to be declared by a schema);
// arrays of such types. Values of different kinds make a varchar column of
// their texts. Objects within objects are refused.
//
// Errors have rule DATA-1, or LIM-1 and stage limit when a size is exceeded.
func ReadJSONLines(r io.Reader, o ReadOptions) (*Table, error) {
	j := &jsonReader{source: newSource(r, o), byKey: map[string]int{}}
	if err := j.read(); err != nil {
		return nil, err
	}
	return j.finish()
}

type jsonReader struct {
	*source
	i     int            // place in buf
	stop  int            // end of the line in hand; buf[stop] is a line feed
	byKey map[string]int // columns by their key as it is spelled
	text  []byte         // an unescaped string
}

// maxJSONDepth is the deepest nesting of arrays.
const maxJSONDepth = 64

func (j *jsonReader) read() error {
	for _, f := range j.o.Schema {
		if err := j.addColumn(f.Name); err != nil {
			return err
		}
	}
	for {
		if err := j.fill(); err != nil {
			return err
		}
		for j.pos < j.end {
			n := bytes.IndexByte(j.buf[j.pos:j.end], '\n')
			next := j.pos + n + 1
			if j.stop = next - 1; n < 0 {
				if !j.eof {
					break
				}
				j.stop, next = j.end, j.end
			}
			if err := j.checkRecord(next); err != nil {
				return err
			}
			if err := j.object(); err != nil {
				return err
			}
			j.line++
			j.offset += int64(next - j.pos)
			j.pos = next
		}
		if j.eof && j.pos == j.end {
			break
		}
	}
	if err := j.checkCells(); err != nil {
		return err
	}
	for _, c := range j.columns {
		for c.raw.rows < j.rows {
			c.raw.null()
		}
	}
	return nil
}

// checkCells refuses a table that is much larger than its file, since nearly
// all of its objects lack nearly all of its keys (LIM-1).
func (j *jsonReader) checkCells() error {
	const always, perByte = 1 << 26, 16
	if cells := int64(j.rows) * int64(len(j.columns)); cells > always && cells/perByte > j.total {
		return j.limitf(j.line, "%d rows of %d columns, nearly all of them missing, are too many",
			j.rows, len(j.columns))
	}
	return nil
}

// blanks skips blanks and returns the byte behind them, a line feed at the end
// of the line.
func (j *jsonReader) blanks() byte {
	for j.buf[j.i] == ' ' || j.buf[j.i] == '\t' || j.buf[j.i] == '\r' {
		j.i++
	}
	return j.buf[j.i]
}

// object reads the line in hand.
func (j *jsonReader) object() error {
	j.i = j.pos
	switch b := j.blanks(); {
	case j.i == j.stop:
		j.jump(1)
		return nil
	case b == '[':
		return j.errorAt(j.i, "the line is not a JSON object").
			WithHint("write one object a line, without an array around them")
	case b != '{':
		return j.errorAt(j.i, "the line is not a JSON object").
			WithHint(`write one object a line, such as {"id": 1, "name": "a"}; a file of comma-separated values is read with --input-format csv`)
	}
	if err := j.countRow(); err != nil {
		return err
	}
	j.i++
	expect := 0 // the column that usually comes next
	for first := true; ; first = false {
		b := j.blanks()
		if b == '}' && first {
			break
		}
		if b != '"' {
			return j.unexpected("a key in quotation marks")
		}
		col, err := j.key(expect)
		if err != nil {
			return err
		}
		expect = col + 1
		if j.blanks() != ':' {
			return j.unexpected("a colon")
		}
		j.i++
		j.blanks()
		if err := j.value(&j.columns[col].raw); err != nil {
			return err
		}
		if b = j.blanks(); b == '}' {
			break
		}
		if b != ',' {
			return j.unexpected("a comma or a closing brace")
		}
		j.i++
	}
	j.i++
	if j.blanks(); j.i != j.stop {
		return j.unexpected("the end of the line")
	}
	return nil
}

func (j *jsonReader) unexpected(wanted string) error {
	if j.i >= j.stop {
		return j.errorAt(j.i, "the line ends where %s is expected", wanted).
			WithHint("write each object on one line")
	}
	found := j.buf[j.i:min(j.stop, j.i+20)]
	hint := `write objects such as {"id": 1, "name": "a"}: keys and texts in double quotation marks, a comma between two pairs and none behind the last`
	switch wanted {
	case "a digit":
		hint = "write numbers as -1, 2.5 or 1e3"
	case "a JSON value":
		hint = "a value is a number, a text in double quotation marks, true, false, null, or an array of these; write NaN and Infinity as texts"
	}
	return j.errorAt(j.i, "%s is expected, not %s", wanted, show(strings.ToValidUTF8(string(found), ""))).WithHint("%s", hint)
}

// key reads a key and returns its column, which is filled up to the row in
// hand; expect is a guess.
func (j *jsonReader) key(expect int) (int, error) {
	start := j.i
	key, err := j.string()
	if err != nil {
		return 0, err
	}
	col := expect
	if col >= len(j.columns) || j.columns[col].key != string(key) || len(key) == 0 {
		var ok bool
		if col, ok = j.byKey[string(key)]; !ok {
			if col, err = j.newKey(string(key), start); err != nil {
				return 0, err
			}
		}
	}
	c := &j.columns[col].raw
	if c.rows == j.rows {
		return 0, j.errorAt(start, "the key %s is twice in the object", show(string(key))).
			WithHint("give each value of an object a key of its own")
	}
	for c.rows < j.rows-1 {
		c.null()
	}
	return col, nil
}

// newKey finds or makes the column of a key that is seen for the first time.
func (j *jsonReader) newKey(key string, at int) (int, error) {
	name := FoldName(key)
	if name == "" {
		return 0, j.errorAt(at, "a key is empty").WithHint("give every column a name")
	}
	col, ok := j.byName[name]
	if ok && j.columns[col].key != "" {
		e := doubledName(j.columns[col].key, key, name)
		e.Pos = j.errorAt(at, "").Pos
		e.File = j.o.File
		return 0, e
	}
	if !ok {
		col = len(j.columns)
		if err := j.addColumn(name); err != nil {
			return 0, err
		}
		if err := j.checkCells(); err != nil {
			return 0, err
		}
	}
	j.columns[col].key = key
	j.byKey[key] = col
	return col, nil
}

// value reads a value into a column.
func (j *jsonReader) value(c *rawColumn) error {
	start := j.i
	switch b := j.buf[j.i]; {
	case b == '"':
		s, err := j.string()
		if err != nil {
			return err
		}
		c.kinds |= rawString
		c.addLong(s)
	case b == '-' || isDigit(b):
		if err := j.number(); err != nil {
			return err
		}
		c.kinds |= rawNumber
		c.add(j.buf, start, j.i)
	case b == '[':
		if err := j.array(1); err != nil {
			return err
		}
		c.kinds |= rawArray
		c.addLong(j.buf[start:j.i])
	case b == '{':
		return j.errorAt(j.i, "an object within an object is not a value of SQL").
			WithHint("write its parts as keys of the outer object")
	case j.word("true"), j.word("false"):
		c.kinds |= rawBoolean
		c.addLong(j.buf[start:j.i])
	case j.word("null"):
		c.null()
	default:
		return j.unexpected("a JSON value")
	}
	return nil
}

// word accepts a literal name.
func (j *jsonReader) word(w string) bool {
	if !bytes.HasPrefix(j.buf[j.i:j.stop], []byte(w)) {
		return false
	}
	j.i += len(w)
	return true
}

// number scans a number.
func (j *jsonReader) number() error {
	start := j.i
	if j.buf[j.i] == '-' {
		j.i++
	}
	whole := j.i
	if j.digits() == 0 {
		return j.unexpected("a digit")
	}
	if j.buf[whole] == '0' && j.i > whole+1 {
		j.i = start
		return j.errorAt(start, "a JSON number has no leading zeros").
			WithHint("write a code with leading zeros as a string")
	}
	if j.buf[j.i] == '.' {
		j.i++
		if j.digits() == 0 {
			return j.unexpected("a digit")
		}
	}
	if j.buf[j.i]|32 == 'e' {
		j.i++
		if j.buf[j.i] == '+' || j.buf[j.i] == '-' {
			j.i++
		}
		if j.digits() == 0 {
			return j.unexpected("a digit")
		}
	}
	return nil
}

func (j *jsonReader) digits() int {
	start := j.i
	for isDigit(j.buf[j.i]) {
		j.i++
	}
	return j.i - start
}

// array scans an array; depth counts from 1.
func (j *jsonReader) array(depth int) error {
	if depth > maxJSONDepth {
		return j.limitf(j.line, "arrays are nested more than %d deep", maxJSONDepth)
	}
	j.i++
	if j.blanks() == ']' {
		j.i++
		return nil
	}
	for {
		switch b := j.blanks(); {
		case b == '"':
			if _, err := j.string(); err != nil {
				return err
			}
		case b == '-' || isDigit(b):
			if err := j.number(); err != nil {
				return err
			}
		case b == '[':
			if err := j.array(depth + 1); err != nil {
				return err
			}
		case b == '{':
			return j.errorAt(j.i, "an object within an array is not a value of SQL").
				WithHint("give each of its values a key of its own, or write the object as a text")
		case j.word("true"), j.word("false"), j.word("null"):
		default:
			return j.unexpected("a JSON value")
		}
		switch j.blanks() {
		case ',':
			j.i++
		case ']':
			j.i++
			return nil
		default:
			return j.unexpected("a comma or a closing bracket")
		}
	}
}

// elements is what the elements of arrays have in common.
type elements struct {
	kinds        rawKind
	class        textClass // of numbers
	whole, scale int
	widest       int
	inner        *elements
}

// arrays makes a column of arrays, or of their texts if their elements are of
// different kinds.
func (f *filler) arrays() {
	var e elements
	f.each(func(_ int, text []byte) bool {
		e.add(text)
		return true
	})
	elem, ok := e.elemType()
	if ok {
		t := value.ArrayType(elem)
		ok = f.values(t, func(text []byte) (value.Value, bool) {
			v, err := value.FromJSON(text, t)
			return v, err == nil
		})
	}
	if !ok {
		f.strings(value.TypeVarchar)
	}
}

// add notes the elements of an array, which is well formed JSON.
func (e *elements) add(array []byte) {
	for i := 1; i < len(array)-1; {
		start := i
		switch b := array[i]; {
		case b == '"':
			for i++; array[i] != '"'; i++ {
				if array[i] == '\\' {
					i++
				}
			}
			i++
			e.kinds |= rawString
		case b == '-' || isDigit(b):
			for !bytes.ContainsRune([]byte(" \t\r,]"), rune(array[i])) {
				i++
			}
			e.number(array[start:i])
		case b == '[':
			i = arrayEnd(array, i)
			if e.inner == nil {
				e.inner = &elements{}
			}
			e.inner.add(array[start:i])
			e.kinds |= rawArray
		case b == 't' || b == 'f':
			e.kinds |= rawBoolean
			i += 4
		case b == 'n':
			i += 4
		default: // blank, comma, last letter of false
			i++
		}
	}
}

// arrayEnd returns the place behind the array that begins at i.
func arrayEnd(b []byte, i int) int {
	for depth := 0; ; i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

func (e *elements) number(text []byte) {
	e.kinds |= rawNumber
	e.class = e.class.join(classify(text))
	n, _ := scanNumber(text)
	e.whole, e.scale, e.widest = max(e.whole, n.whole), max(e.scale, n.scale), max(e.widest, n.whole+n.scale)
}

// elemType returns the type that has all elements.
func (e *elements) elemType() (value.Type, bool) {
	switch e.kinds {
	case 0, rawString:
		return value.TypeVarchar, true
	case rawBoolean:
		return value.TypeBoolean, true
	case rawArray:
		t, ok := e.inner.elemType()
		return value.ArrayType(t), ok
	case rawNumber:
		switch e.class {
		case classInt:
			return value.TypeBigint, true
		case classDouble:
			return value.TypeDouble, true
		case classDecimal:
			if e.whole+e.scale > value.MaxPrecision {
				return value.TypeDecimal, e.widest <= value.MaxPrecision
			}
			return value.DecimalType(max(e.whole+e.scale, 1), e.scale), true
		}
	}
	return value.TypeUnknown, false
}
