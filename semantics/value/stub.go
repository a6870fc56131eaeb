package value

import "github.com/rprcheck/rprcheck/semantics/diag"

func todo() error { return diag.New(diag.Unsupported, "TYPE-1", diag.Pos{}, "not yet written") }

func ArithType(op string, a, b Type, o Options) (Type, error)   { return a, nil }
func Arith(op string, result Type, a, b Value) (Value, error)   { return Null, todo() }
func Negate(t Type, v Value) (Value, error)                     { return Null, todo() }
func ModType(a, b Type) (Type, error)                           { return a, nil }
func Mod(result Type, a, b Value) (Value, error)                { return Null, todo() }
func ComparableTypes(a, b Type) bool                            { return true }
func Compare(a, b Value, o Options) int                         { return 0 }
func Equal(a, b Value, o Options) Truth                         { return UnknownTruth }
func Identical(a, b Value, o Options) bool                      { return false }
func CommonType(a, b Type) (Type, bool)                         { return a, true }
func Assignable(from, to Type) bool                             { return true }
func Convert(v Value, to Type) (Value, error)                   { return v, nil }
func CastAllowed(from, to Type) bool                            { return true }
func Cast(v Value, from, to Type) (Value, error)                { return v, nil }
func ParseType(name string) (Type, error)                       { return TypeUnknown, todo() }
func ParseNumber(text string) (Value, Type, error)              { return Null, TypeUnknown, todo() }
func ParseDate(s string) (Value, error)                         { return Null, todo() }
func ParseTime(s string) (Value, Type, error)                   { return Null, TypeTime, todo() }
func ParseTimestamp(s string) (Value, Type, error)              { return Null, TypeTimestamp, todo() }
func ParseInterval(s, from, to string) (Value, Type, error)     { return Null, TypeIntervalDay, todo() }
func Format(v Value, t Type) string                             { return "" }
func SQL(v Value, t Type) string                                { return "" }
func AppendJSON(dst []byte, v Value, t Type) []byte             { return dst }
func FromJSON(raw []byte, t Type) (Value, error)                { return Null, todo() }
func InferJSON(raw []byte) (Value, Type, error)                 { return Null, TypeUnknown, todo() }
func AppendKey(dst []byte, v Value, o Options) []byte           { return dst }
func FieldOf(v Value, t Type, field string) (Value, error)      { return Null, todo() }
func FieldType(t Type, field string) (Type, error)              { return TypeBigint, nil }
func Pad(v Value, t Type) Value                                 { return v }
func ToFloat(v Value) float64                                   { return 0 }
