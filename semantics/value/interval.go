package value

import (
	"math/bits"
	"strings"
)

// field is a datetime field, from the largest to the smallest.
type field uint8

const (
	fieldYear field = iota
	fieldMonth
	fieldDay
	fieldHour
	fieldMinute
	fieldSecond
	noField
)

var fieldNames = [...]string{"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}

// fieldUnits holds what one of a field is: months or microseconds.
var fieldUnits = [...]int64{12, 1, perDay, perHour, perMinute, perSecond}

// fieldLimits holds the first value that a field cannot have unless it leads.
var fieldLimits = [...]uint64{0, 12, 0, 24, 60, 60}

// separators holds what stands before a field that does not lead.
var separators = [...]byte{0, '-', 0, ' ', ':', ':'}

func fieldOf(name string) field {
	for i, f := range fieldNames {
		if strings.EqualFold(name, f) {
			return field(i)
		}
	}
	return noField
}

// ParseInterval reads the text of an interval literal with the qualifier
// `from` or `from TO to`: YEAR, MONTH, DAY, HOUR, MINUTE, SECOND in any case,
// `to` may be empty. A sign may stand first. Fields after the first are
// limited as in the standard (months to 11, hours to 23, minutes and seconds
// to 59). The error is LEX-1.
func ParseInterval(s, from, to string) (Value, Type, error) {
	first, last, p := qualifier(s, from, to)
	if p == nil {
		var v Value
		if v, p = scanInterval(s, first, last); p == nil {
			if first <= fieldMonth {
				return v, TypeIntervalYear, nil
			}
			return v, TypeIntervalDay, nil
		}
	}
	return Null, TypeUnknown, p.literal()
}

// qualifier checks the fields of an interval qualifier.
func qualifier(s, from, to string) (first, last field, p *problem) {
	if from == "" {
		return 0, 0, &problem{"42000", "the interval " + quote(s) + " has no qualifier",
			"write the unit behind the quotes, for example INTERVAL '30' MINUTE"}
	}
	first, last = fieldOf(from), fieldOf(to)
	if to == "" {
		last = first
	}
	switch {
	case first == noField || last == noField:
		return 0, 0, &problem{"42000", "an interval has no qualifier " + quote(strings.TrimSpace(from+" "+to)),
			"the fields are YEAR, MONTH, DAY, HOUR, MINUTE and SECOND"}
	case last < first || to != "" && last == first || first <= fieldMonth && last > fieldMonth:
		return 0, 0, &problem{"42000", "there is no interval " + fieldNames[first] + " TO " + fieldNames[last],
			"use YEAR TO MONTH, or fields from DAY to SECOND with the larger one first"}
	}
	return first, last, nil
}

// scanInterval reads an interval with the fields from first to last.
func scanInterval(s string, first, last field) (Value, *problem) {
	rest, negative := s, false
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		negative = rest[0] == '-'
		rest = rest[1:]
	}
	var total uint64
	for f := first; f <= last; f++ {
		if f != first {
			if rest == "" || rest[0] != separators[f] {
				return Null, badInterval(s, first, last)
			}
			rest = rest[1:]
		}
		n, width, ok := leadingDigits(rest)
		switch {
		case width == 0 || f != first && width > 2:
			return Null, badInterval(s, first, last)
		case f != first && n >= fieldLimits[f]:
			return Null, &problem{stateInterval, "the field " + fieldNames[f] + " of the interval " + quote(s) + " is too large",
				"fields after the first go to 11 months, 23 hours, 59 minutes, 59 seconds"}
		}
		rest = rest[width:]
		hi, lo := bits.Mul64(n, uint64(fieldUnits[f]))
		sum, carry := bits.Add64(total, lo, 0)
		if !ok || hi != 0 || carry != 0 {
			return Null, tooLongInterval(s)
		}
		total = sum
	}
	if last == fieldSecond {
		micros, digits, p := scanFraction(rest, s)
		if p != nil {
			return Null, p
		}
		if digits < 0 {
			return Null, badInterval(s, first, last)
		}
		sum, carry := bits.Add64(total, uint64(micros), 0)
		if carry != 0 {
			return Null, tooLongInterval(s)
		}
		rest, total = "", sum
	}
	if rest != "" {
		return Null, badInterval(s, first, last)
	}
	n, ok := signed(total, negative)
	if !ok {
		return Null, tooLongInterval(s)
	}
	if first <= fieldMonth {
		return MonthsOf(n), nil
	}
	return IntervalOf(n), nil
}

// leadingDigits reads the digits at the front of s; ok is false if the number
// is beyond uint64.
func leadingDigits(s string) (n uint64, width int, ok bool) {
	ok = true
	for width < len(s) && s[width] >= '0' && s[width] <= '9' {
		hi, lo := bits.Mul64(n, 10)
		sum, carry := bits.Add64(lo, uint64(s[width]-'0'), 0)
		ok = ok && hi == 0 && carry == 0
		n = sum
		width++
	}
	return n, width, ok
}

// intervalShapes shows how intervals are written.
var intervalShapes = [...]string{"1", "6", "1", "12", "30", "59.5"}

func badInterval(s string, first, last field) *problem {
	var shape strings.Builder
	for f := first; f <= last; f++ {
		if f != first {
			shape.WriteByte(separators[f])
		}
		shape.WriteString(intervalShapes[f])
	}
	name := fieldNames[first]
	if last != first {
		name += " TO " + fieldNames[last]
	}
	p := &problem{stateDateFormat, quote(s) + " is no interval " + name, "write it as in '" + shape.String() + "'"}
	if strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		p.hint = "units stand behind the quotes, for example INTERVAL '30' MINUTE"
	}
	return p
}

func tooLongInterval(s string) *problem {
	return &problem{stateInterval, "the interval " + quote(s) + " is too large", "intervals reach about 292000 years"}
}

// appendInterval writes [-]D HH:MM:SS with a fraction without zeros at its end.
func appendInterval(dst []byte, micros int64) []byte {
	mag := abs64(micros)
	if micros < 0 {
		dst = append(dst, '-')
	}
	dst = appendUint(dst, mag/uint64(perDay))
	return appendTime(append(dst, ' '), int64(mag%uint64(perDay)))
}

// appendMonths writes [-]Y-M.
func appendMonths(dst []byte, months int64) []byte {
	mag := abs64(months)
	if months < 0 {
		dst = append(dst, '-')
	}
	dst = appendUint(dst, mag/12)
	return appendUint(append(dst, '-'), mag%12)
}

// FieldType returns the type of EXTRACT(field FROM e) for e of type t: bigint,
// for seconds with a fraction an exact decimal with the digits of the type.
func FieldType(t Type, name string) (Type, error) {
	f := fieldOf(name)
	has := false
	switch t.Kind {
	case Unknown, Timestamp:
		has = f != noField
	case Date:
		has = f <= fieldDay
	case IntervalYear:
		has = f <= fieldMonth
	case Time:
		has = f >= fieldHour && f != noField
	case IntervalDay:
		has = f >= fieldDay && f != noField
	}
	switch {
	case f == noField:
		return TypeUnknown, typeError("there is no datetime field %s", strings.ToUpper(name)).
			WithHint("the fields are YEAR, MONTH, DAY, HOUR, MINUTE and SECOND")
	case !has:
		return TypeUnknown, typeError("a value of type %s has no field %s", t, fieldNames[f]).
			WithHint("EXTRACT takes dates, times, timestamps and intervals, and fields that they have")
	case f != fieldSecond:
		return TypeBigint, nil
	case t.Kind == Unknown:
		return TypeUnknown, nil
	}
	digits := secondDigits(t)
	if digits == 0 {
		return TypeBigint, nil
	}
	return DecimalType(2+digits, digits), nil
}

// secondDigits returns the digits of a second of a time, timestamp or interval.
func secondDigits(t Type) int {
	if t.Kind == IntervalDay {
		return 6
	}
	return max(min(t.Precision, 6), 0)
}

// FieldOf computes EXTRACT(field FROM v) for v of type t. The fields of a
// negative interval are negative or 0.
func FieldOf(v Value, t Type, name string) (Value, error) {
	f := fieldOf(name)
	if v.form == FormNull {
		return Null, nil
	}
	if t.Kind == Unknown {
		t = heldType(v)
	}
	var day, micros int64
	switch v.form {
	case FormMonths:
		if f == fieldYear {
			return Int(v.n / 12), nil
		} else if f == fieldMonth {
			return Int(v.n % 12), nil
		}
	case FormDate:
		day = v.n
	case FormStamp:
		day, micros = floorDiv(v.n, perDay)
	case FormTime:
		micros = v.n
	case FormInterval:
		day, micros = v.n/perDay, v.n%perDay
	}
	if _, err := FieldType(t, name); err != nil {
		return Null, err
	}
	switch f {
	case fieldHour:
		return Int(micros / perHour), nil
	case fieldMinute:
		return Int(micros / perMinute % 60), nil
	case fieldSecond:
		micros %= perMinute
		digits := secondDigits(t)
		if digits == 0 {
			return Int(micros / perSecond), nil
		}
		return ScaledInt(micros/pow10[6-digits], digits), nil
	}
	if v.form == FormInterval {
		return Int(day), nil
	}
	y, m, d := civil(day)
	return Int([...]int64{int64(y), int64(m), int64(d)}[f]), nil
}
