package value

// CommonType returns the type to which CASE, COALESCE, IN, UNION and the
// elements of an array bring values of two types, and whether there is one
// (TYPE-1). Of exact numbers it keeps digits before and after the point as far
// as 38 digits allow; exact with approximate gives double (TYPE-5).
func CommonType(a, b Type) (Type, bool) {
	switch {
	case a.Kind == Unknown:
		return b, true
	case b.Kind == Unknown || a.Equal(b):
		return a, true
	case a.IsNumeric() && b.IsNumeric():
		return commonNumber(a, b), true
	case a.IsString() && b.IsString():
		if a.Kind == Varchar && a.Precision == 0 || b.Kind == Varchar && b.Precision == 0 {
			return TypeVarchar, true
		}
		return Type{Kind: max(a.Kind, b.Kind), Precision: max(a.Precision, b.Precision)}, true
	case a.Kind != b.Kind:
		return TypeUnknown, false
	case a.Kind == Array:
		elem, ok := CommonType(elemOf(a), elemOf(b))
		return ArrayType(elem), ok
	}
	return Type{Kind: a.Kind, Precision: max(a.Precision, b.Precision)}, true
}

// elemOf returns the type of the elements of an array type.
func elemOf(t Type) Type {
	if t.Elem == nil {
		return TypeUnknown
	}
	return *t.Elem
}

func commonNumber(a, b Type) Type {
	switch {
	case a.IsApproximate() || b.IsApproximate():
		return TypeDouble // two real types are equal
	case a.IsInteger() && b.IsInteger():
		return Type{Kind: max(a.Kind, b.Kind)}
	}
	d, e := asDecimal(a), asDecimal(b)
	if d.Precision == 0 || e.Precision == 0 {
		return TypeDecimal
	}
	scale := max(d.Scale, e.Scale)
	return DecimalType(min(max(d.Precision-d.Scale, e.Precision-e.Scale)+scale, MaxPrecision), scale)
}

// Assignable reports whether a value of type from can be stored as to without
// a CAST: numbers as numbers, strings as strings, other values in their own
// kind (TYPE-1).
func Assignable(from, to Type) bool {
	switch {
	case from.Kind == Unknown || to.Kind == Unknown:
		return true
	case from.IsNumeric():
		return to.IsNumeric()
	case from.IsString():
		return to.IsString()
	case from.Kind == Array && to.Kind == Array:
		return Assignable(elemOf(from), elemOf(to))
	}
	return from.Kind == to.Kind
}

// CastAllowed reports whether CAST (e AS to) is valid for e of type from.
// Besides what is assignable these are: to and from character strings for all
// types but binary strings and arrays, date to timestamp, and timestamp to
// date or time. A time cannot become a timestamp: that would depend on the
// current date.
func CastAllowed(from, to Type) bool {
	switch {
	case Assignable(from, to):
		return true
	case from.Kind == Array && to.Kind == Array:
		return CastAllowed(elemOf(from), elemOf(to))
	case from.IsString():
		return to.Kind != Binary && to.Kind != Array
	case to.IsString():
		return from.Kind != Binary && from.Kind != Array
	case from.Kind == Date:
		return to.Kind == Timestamp
	}
	return from.Kind == Timestamp && to.IsDatetime()
}
