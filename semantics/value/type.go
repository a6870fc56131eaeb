package value

import (
	"fmt"
	"strings"
)

// Kind is the family of an SQL type.
type Kind uint8

// The kinds. Unknown is the type of the literal NULL, of a host variable
// without a value, and of the columns of a check without tables.
const (
	Unknown Kind = iota
	Boolean
	Smallint
	Integer
	Bigint
	Decimal // Precision 0: the unscaled type "decimal" (38 significant digits)
	Real
	Double
	Char    // Precision is the length
	Varchar // Precision is the length, 0: no limit
	Binary  // binary strings of any length
	Date
	Time      // Precision: digits of a second, 0 to 6
	Timestamp // Precision: digits of a second, 0 to 6
	IntervalDay
	IntervalYear
	Array
)

// Type is an SQL type.
type Type struct {
	Kind      Kind
	Precision int
	Scale     int   // Decimal
	Elem      *Type // Array
}

// MaxPrecision is the largest precision of a decimal (TYPE-3).
const MaxPrecision = 38

// Shorthands for types without parameters.
var (
	TypeUnknown      = Type{}
	TypeBoolean      = Type{Kind: Boolean}
	TypeSmallint     = Type{Kind: Smallint}
	TypeInteger      = Type{Kind: Integer}
	TypeBigint       = Type{Kind: Bigint}
	TypeDecimal      = Type{Kind: Decimal} // 38 significant digits, no fixed scale (TYPE-3)
	TypeReal         = Type{Kind: Real}
	TypeDouble       = Type{Kind: Double}
	TypeVarchar      = Type{Kind: Varchar}
	TypeBinary       = Type{Kind: Binary}
	TypeDate         = Type{Kind: Date}
	TypeTime         = Type{Kind: Time, Precision: 6}
	TypeTimestamp    = Type{Kind: Timestamp, Precision: 6}
	TypeIntervalDay  = Type{Kind: IntervalDay}
	TypeIntervalYear = Type{Kind: IntervalYear}
)

// DecimalType returns decimal(p, s).
func DecimalType(p, s int) Type { return Type{Kind: Decimal, Precision: p, Scale: s} }

// ArrayType returns the type of arrays of elem.
func ArrayType(elem Type) Type { return Type{Kind: Array, Elem: &elem} }

// Equal reports whether both types are the same, parameters included.
func (t Type) Equal(u Type) bool {
	if t.Kind != u.Kind || t.Precision != u.Precision || t.Scale != u.Scale {
		return false
	}
	if t.Elem == nil || u.Elem == nil {
		return t.Elem == u.Elem
	}
	return t.Elem.Equal(*u.Elem)
}

// IsInteger reports smallint, integer and bigint.
func (t Type) IsInteger() bool { return t.Kind >= Smallint && t.Kind <= Bigint }

// IsExact reports the exact numeric types.
func (t Type) IsExact() bool { return t.Kind >= Smallint && t.Kind <= Decimal }

// IsApproximate reports real and double precision.
func (t Type) IsApproximate() bool { return t.Kind == Real || t.Kind == Double }

// IsNumeric reports exact and approximate numeric types.
func (t Type) IsNumeric() bool { return t.Kind >= Smallint && t.Kind <= Double }

// IsString reports the character string types.
func (t Type) IsString() bool { return t.Kind == Char || t.Kind == Varchar }

// IsInterval reports the two interval types.
func (t Type) IsInterval() bool { return t.Kind == IntervalDay || t.Kind == IntervalYear }

// IsDatetime reports date, time and timestamp.
func (t Type) IsDatetime() bool { return t.Kind >= Date && t.Kind <= Timestamp }

var kindNames = [...]string{"unknown", "boolean", "smallint", "integer", "bigint", "decimal", "real",
	"double precision", "char", "varchar", "varbinary", "date", "time", "timestamp",
	"interval day to second", "interval year to month", "array"}

// String returns the type's name as the standard and the protocol write it, in lower case.
func (t Type) String() string {
	switch t.Kind {
	case Decimal:
		if t.Precision > 0 {
			return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
		}
	case Char:
		return fmt.Sprintf("char(%d)", max(t.Precision, 1))
	case Varchar:
		if t.Precision > 0 {
			return fmt.Sprintf("varchar(%d)", t.Precision)
		}
	case Time, Timestamp:
		if t.Precision != 6 {
			return fmt.Sprintf("%s(%d)", kindNames[t.Kind], t.Precision)
		}
	case Array:
		if t.Elem != nil {
			return t.Elem.String() + " array"
		}
	}
	if int(t.Kind) < len(kindNames) {
		return kindNames[t.Kind]
	}
	return strings.ToLower(fmt.Sprintf("kind(%d)", t.Kind))
}
