package value

import (
	"math"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// maxTypeDepth is how deep arrays of arrays may go.
const maxTypeDepth = 16

// typeNames maps the names without parameters to their types; several words
// are joined by a blank.
var typeNames = map[string]Type{
	"unknown": TypeUnknown,
	"boolean": TypeBoolean, "bool": TypeBoolean,
	"smallint": TypeSmallint, "int2": TypeSmallint,
	"integer": TypeInteger, "int": TypeInteger, "int4": TypeInteger,
	"bigint": TypeBigint, "int8": TypeBigint,
	"decimal": TypeDecimal, "numeric": TypeDecimal, "dec": TypeDecimal,
	"real": TypeReal, "float4": TypeReal,
	"double precision": TypeDouble, "double": TypeDouble, "float": TypeDouble, "float8": TypeDouble,
	"char": {Kind: Char, Precision: 1}, "character": {Kind: Char, Precision: 1},
	"varchar": TypeVarchar, "character varying": TypeVarchar, "char varying": TypeVarchar,
	"text": TypeVarchar, "string": TypeVarchar,
	"varbinary": TypeBinary, "binary varying": TypeBinary, "binary": TypeBinary,
	"binary large object": TypeBinary, "blob": TypeBinary, "bytea": TypeBinary,
	"date": TypeDate,
	"time": TypeTime, "time without time zone": TypeTime,
	"timestamp": TypeTimestamp, "timestamp without time zone": TypeTimestamp,
}

// unsupportedTypes are types of the standard or of other products that are not
// ours, with what to use instead.
var unsupportedTypes = map[string]string{
	"time with time zone": "use time: all times are UTC", "timetz": "use time: all times are UTC",
	"timestamp with time zone": "use timestamp: all times are UTC", "timestamptz": "use timestamp: all times are UTC",
	"timestamp with local time zone": "use timestamp: all times are UTC",
	"tinyint":                        "use smallint", "hugeint": "use decimal(38, 0)", "decfloat": "use decimal",
	"datetime": "use timestamp", "json": "use varchar", "xml": "use varchar", "uuid": "use varchar",
	"clob": "use varchar", "character large object": "use varchar", "nchar": "use char", "nvarchar": "use varchar",
	"national character": "use char", "national character varying": "use varchar",
	"row": "use one column for each field", "multiset": "use an array", "map": "use an array", "struct": "use one column for each field",
}

// ParseType reads the name of a type as the protocol and the standard write
// it, in any case, and the usual synonyms: int, numeric(10,2), double,
// varchar(10), text, timestamp(3), interval day to second, bigint array,
// array(bigint), bigint[]. The error is TYPE-1: of stage unsupported for types
// that exist but are not ours, else semantic.
func ParseType(name string) (Type, error) {
	s := typeScanner{src: name, rest: name}
	t, err := s.parse(0)
	if err != nil {
		return TypeUnknown, err
	}
	if s.peek() != "" {
		return TypeUnknown, s.unknown()
	}
	return t, nil
}

// typeScanner splits the name of a type into words, numbers and punctuation.
type typeScanner struct{ src, rest string }

// peek returns the next word or character, in lower case; "" at the end.
func (s *typeScanner) peek() string {
	s.rest = strings.TrimLeft(s.rest, " \t\r\n")
	n := 0
	for n < len(s.rest) && isWordByte(s.rest[n]) {
		n++
	}
	if n == 0 && s.rest != "" {
		n = 1
	}
	return strings.ToLower(s.rest[:n])
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// accept takes the next word if it is the one given.
func (s *typeScanner) accept(word string) bool {
	if s.peek() != word {
		return false
	}
	s.rest = s.rest[len(word):]
	return true
}

func (s *typeScanner) unknown() error {
	return typeError("there is no type %s", quote(s.src)).WithHint(
		"the types are boolean, smallint, integer, bigint, decimal(p, s), real, double precision, char(n), varchar, varbinary, date, time, timestamp, interval day to second, interval year to month, and arrays of these")
}

// parse reads a type and the array suffixes behind it.
func (s *typeScanner) parse(depth int) (Type, error) {
	if depth > maxTypeDepth {
		return TypeUnknown, diag.New(diag.Limit, "LIM-1", diag.Pos{}, "the type %s nests arrays more than %d deep", quote(s.src), maxTypeDepth).
			WithHint("use a type of smaller depth")
	}
	var t Type
	var err error
	if open, shut := "(", ")"; s.accept("array") {
		if !s.accept(open) {
			if open, shut = "<", ">"; !s.accept(open) {
				return TypeUnknown, s.unknown()
			}
		}
		if t, err = s.parse(depth + 1); err != nil {
			return TypeUnknown, err
		}
		if !s.accept(shut) {
			return TypeUnknown, s.unknown()
		}
		t = ArrayType(t)
	} else if t, err = s.scalar(); err != nil {
		return TypeUnknown, err
	}
	for {
		switch {
		case s.accept("array"):
			if s.accept("[") {
				if _, ok := s.number(); !ok || !s.accept("]") {
					return TypeUnknown, s.unknown()
				}
			}
		case s.accept("["):
			if !s.accept("]") {
				return TypeUnknown, s.unknown()
			}
		default:
			return t, nil
		}
		if depth++; depth > maxTypeDepth {
			return s.parse(depth)
		}
		t = ArrayType(t)
	}
}

// number reads an unsigned number.
func (s *typeScanner) number() (int, bool) {
	word := s.peek()
	n, err := strconv.Atoi(word)
	if err != nil || word[0] == '-' || word[0] == '+' || n > math.MaxInt32 {
		return 0, false
	}
	s.rest = s.rest[len(word):]
	return n, true
}

// scalar reads a type that is no array: words, with parameters among them.
func (s *typeScanner) scalar() (Type, error) {
	if s.accept("interval") {
		return s.interval()
	}
	var name string
	var params []int
	for {
		word := s.peek()
		if word == "(" && name != "" && params == nil {
			s.accept("(")
			for {
				n, ok := s.number()
				if !ok {
					return TypeUnknown, s.badParameters(name)
				}
				params = append(params, n)
				if s.accept(")") {
					break
				}
				if !s.accept(",") {
					return TypeUnknown, s.badParameters(name)
				}
			}
			continue
		}
		if word == "" || !isWordByte(word[0]) || word == "array" {
			break
		}
		s.accept(word)
		if name != "" {
			name += " "
		}
		name += word
	}
	t, ok := typeNames[name]
	if !ok {
		return TypeUnknown, s.notOurs(name)
	}
	if params == nil {
		return t, nil
	}
	return s.withParameters(name, t, params)
}

// notOurs is the error of a name that is in typeNames under no synonym.
func (s *typeScanner) notOurs(name string) error {
	hint, ok := unsupportedTypes[name]
	if !ok {
		return s.unknown()
	}
	return diag.New(diag.Unsupported, "TYPE-1", diag.Pos{}, "the type %s is not supported", name).WithHint("%s", hint)
}

func (s *typeScanner) badParameters(name string) error {
	if _, ok := typeNames[name]; !ok {
		return s.notOurs(name)
	}
	return typeError("the parameters of the type %s are not valid", quote(s.src)).
		WithHint("write %s(n) or, for decimals, decimal(p, s) with s at most p and p at most 38", name)
}

// withParameters applies length, precision and scale.
func (s *typeScanner) withParameters(name string, t Type, params []int) (Type, error) {
	n := params[0]
	switch {
	case t.Kind == Decimal && len(params) <= 2:
		scale := 0
		if len(params) == 2 {
			scale = params[1]
		}
		if n >= 1 && n <= MaxPrecision && scale <= n {
			return DecimalType(n, scale), nil
		}
	case len(params) > 1:
	case t.IsString() && n >= 1 && name != "text" && name != "string":
		t.Precision = n
		return t, nil
	case (t.Kind == Time || t.Kind == Timestamp) && n <= 6:
		t.Precision = n
		return t, nil
	case name == "float" && n >= 1 && n <= 24:
		return TypeReal, nil
	case name == "float" && n >= 25 && n <= 53:
		return TypeDouble, nil
	case t.Kind == Binary:
		return TypeUnknown, diag.New(diag.Unsupported, "TYPE-1", diag.Pos{}, "binary strings with a length are not supported").
			WithHint("use varbinary")
	}
	return TypeUnknown, s.badParameters(name)
}

// interval reads a qualifier; all day-time intervals are one type, and all
// year-month intervals. Precisions in it are read and not kept.
func (s *typeScanner) interval() (Type, error) {
	from := s.intervalField()
	to := ""
	if s.accept("to") {
		if to = s.intervalField(); to == "" {
			return TypeUnknown, s.unknown()
		}
	}
	first, _, p := qualifier(s.src, from, to)
	switch {
	case p != nil:
		return TypeUnknown, typeError("there is no type %s", quote(s.src)).
			WithHint("write interval day to second or interval year to month")
	case first <= fieldMonth:
		return TypeIntervalYear, nil
	}
	return TypeIntervalDay, nil
}

// intervalField reads a field with its precision; "" if there is none.
func (s *typeScanner) intervalField() string {
	word := s.peek()
	if fieldOf(word) == noField {
		return ""
	}
	s.accept(word)
	if s.accept("(") {
		_, ok := s.number()
		if ok && s.accept(",") {
			_, ok = s.number()
		}
		if !ok || !s.accept(")") {
			return ""
		}
	}
	return word
}
