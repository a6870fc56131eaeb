package value

import (
	"math"
	"math/big"
)

// Microseconds.
const (
	perSecond = int64(1e6)
	perMinute = 60 * perSecond
	perHour   = 60 * perMinute
	perDay    = 24 * perHour
)

// temporalType is the type of an operation on dates, times and intervals
// (TYPE-6). A fraction of a second comes with every day-time interval, hence
// precision 6.
func temporalType(op byte, a, b Type) (Type, bool) {
	switch {
	case op == '+' && a.IsInterval() && b.IsDatetime():
		return temporalType(op, b, a)
	case (op == '+' || op == '-') && a.IsDatetime() && b.IsInterval():
		switch {
		case a.Kind == Time && b.Kind == IntervalYear:
			return TypeUnknown, false
		case a.Kind != Date && b.Kind == IntervalDay:
			return Type{Kind: a.Kind, Precision: 6}, true
		}
		return a, true
	case (op == '+' || op == '-') && a.IsInterval() && a.Kind == b.Kind:
		return a, true
	case op == '-' && a.IsDatetime() && a.Kind == b.Kind:
		return TypeIntervalDay, true
	case (op == '*' || op == '/') && a.IsInterval() && b.IsNumeric():
		return a, true
	case op == '*' && a.IsNumeric() && b.IsInterval():
		return b, true
	}
	return TypeUnknown, false
}

func temporalArith(op byte, a, b Value) (Value, error) {
	if isInterval(a) && !isInterval(b) && op == '+' || isNumber(a) && op == '*' {
		a, b = b, a
	}
	switch {
	case op == '*' && isInterval(a) && isNumber(b):
		return scaleInterval(a, b, false)
	case op == '/' && isInterval(a) && isNumber(b):
		return scaleInterval(a, b, true)
	case op != '+' && op != '-':
	case isInterval(a) && a.form == b.form:
		r, ok := add64(a.n, b.n)
		if op == '-' {
			r, ok = sub64(a.n, b.n)
		}
		if !ok {
			return Null, intervalOverflow()
		}
		a.n = r
		return a, nil
	case isInterval(b) && b.n == math.MinInt64:
		return Null, dateOverflow() // no date is that far away
	case isInterval(b):
		n := b.n
		if op == '-' {
			n = -n
		}
		return addInterval(a, b.form, n)
	case op == '-' && a.form == b.form && a.form == FormDate:
		return IntervalOf((a.n - b.n) * perDay), nil
	case op == '-' && a.form == b.form && (a.form == FormStamp || a.form == FormTime):
		return IntervalOf(a.n - b.n), nil
	}
	return Null, misuse("operands do not fit %q", op)
}

func isInterval(v Value) bool { return v.form == FormInterval || v.form == FormMonths }

// addInterval adds n microseconds or months to a date, time or timestamp.
func addInterval(v Value, interval Form, n int64) (Value, error) {
	switch {
	case v.form == FormDate && interval == FormInterval:
		if n%perDay != 0 {
			return Null, runtimeError(stateDateOverflow, "a date has no time of day to add %s to", Format(IntervalOf(n), TypeIntervalDay)).
				WithHint("CAST the date to timestamp first")
		}
		return checkDate(v.n + n/perDay)
	case v.form == FormDate && interval == FormMonths:
		days, err := addMonths(v.n, n)
		return DateOf(days), err
	case v.form == FormStamp && interval == FormInterval:
		r, ok := add64(v.n, n)
		if !ok {
			return Null, dateOverflow()
		}
		return checkTimestamp(r)
	case v.form == FormStamp && interval == FormMonths:
		day, micros := floorDiv(v.n, perDay)
		days, err := addMonths(day, n)
		return TimestampOf(days*perDay + micros), err
	case v.form == FormTime && interval == FormInterval:
		_, r := floorDiv(v.n+n%perDay, perDay) // a time of day goes round the clock
		return TimeOf(r), nil
	}
	return Null, misuse("an interval cannot be added to this value")
}

// floorDiv returns n / d rounded down, and the remainder in [0, d).
func floorDiv(n, d int64) (q, r int64) {
	q, r = n/d, n%d
	if r < 0 {
		q, r = q-1, r+d
	}
	return q, r
}

// addMonths moves a date by months. A day that the month has not is error
// 22008, as the standard says: nothing is clamped.
func addMonths(days, months int64) (int64, error) {
	y, m, d := civil(days)
	if abs64(months) > 12*maxYear {
		return 0, dateOverflow()
	}
	year, month := floorDiv(int64(y)*12+int64(m)-1+months, 12)
	if year < minYear || year > maxYear {
		return 0, dateOverflow()
	}
	if limit := daysIn(int(year), int(month)+1); d > limit {
		return 0, runtimeError(stateDateOverflow, "%04d-%02d has no day %d", year, month+1, d).
			WithHint("take the first of the month, or add days instead of months")
	}
	return daysFrom(int(year), int(month)+1, d), nil
}

func dateOverflow() error {
	return runtimeError(stateDateOverflow, "the result lies outside of the years 0001 to 9999").
		WithHint("use a smaller interval")
}

func intervalOverflow() error {
	return runtimeError(stateInterval, "the interval is too large").
		WithHint("intervals reach about 292000 years")
}

// scaleInterval multiplies or divides an interval by a number, half up.
func scaleInterval(v, by Value, divide bool) (Value, error) {
	if divide && !by.IsNull() && isZero(by) {
		return Null, zeroDivide()
	}
	if by.form == FormDouble {
		f := by.AsFloat()
		if divide {
			f = float64(v.n) / f
		} else {
			f *= float64(v.n)
		}
		if f = math.Round(f); !(f >= -1<<63 && f < 1<<63) {
			return Null, intervalOverflow()
		}
		v.n = int64(f)
		return v, nil
	}
	if by.form == FormInt && !divide {
		r, ok := mul64(v.n, by.n)
		if !ok {
			return Null, intervalOverflow()
		}
		v.n = r
		return v, nil
	}
	num, den := bigCoefficient(by)
	if divide {
		num, den = den, num
	}
	r := divRound(num.Mul(num, big.NewInt(v.n)), den)
	if !r.IsInt64() {
		return Null, intervalOverflow()
	}
	v.n = r.Int64()
	return v, nil
}

// isZero reports the number zero.
func isZero(v Value) bool {
	if v.form == FormDouble {
		return v.AsFloat() == 0
	}
	return isExact(v) && readDecimal(v).IsZero()
}
