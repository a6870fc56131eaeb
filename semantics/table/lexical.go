package table

import (
	"math"
	"strconv"
	"unsafe"
)

// The functions of this file read texts of data without allocating. They
// accept fewer spellings than SQL literals have: what they refuse is a
// character string.

// textClass is the narrowest type that a text has by itself.
type textClass uint8

const (
	classNone    textClass = iota // no text seen
	classBoolean                  // true, false in any case
	classInt                      // fits a bigint
	classDecimal                  // exact, no exponent
	classDouble                   // with exponent, NaN, Infinity
	classDate
	classTime
	classStamp
	classText
)

// classify returns the class of a text.
func classify(b []byte) textClass {
	if len(b) == 0 {
		return classText
	}
	if _, ok := parseBool(b); ok {
		return classBoolean
	}
	if n, ok := scanNumber(b); ok {
		switch {
		case n.exponent:
			if _, ok := parseFloat(b); ok {
				return classDouble
			}
			return classText // out of range
		case n.point:
			return classDecimal
		}
		if _, ok := parseInt(b); ok {
			return classInt
		}
		return classDecimal
	}
	if _, ok := parseFloat(b); ok {
		return classDouble
	}
	if _, ok := parseDate(b); ok {
		return classDate
	}
	if _, ok := parseTime(b); ok {
		return classTime
	}
	if _, ok := parseStamp(b); ok {
		return classStamp
	}
	return classText
}

// join returns the narrowest class that has texts of both classes.
func (a textClass) join(b textClass) textClass {
	switch {
	case a == b || b == classNone:
		return a
	case a == classNone:
		return b
	case a >= classInt && a <= classDouble && b >= classInt && b <= classDouble:
		return max(a, b)
	}
	return classText
}

// parseBool reads true or false.
func parseBool(b []byte) (int64, bool) {
	switch len(b) {
	case 4:
		return 1, b[0]|32 == 't' && b[1]|32 == 'r' && b[2]|32 == 'u' && b[3]|32 == 'e'
	case 5:
		return 0, b[0]|32 == 'f' && b[1]|32 == 'a' && b[2]|32 == 'l' && b[3]|32 == 's' && b[4]|32 == 'e'
	}
	return 0, false
}

// number describes the text of a number.
type number struct {
	whole    int // digits before the point, a lone 0 not counted
	scale    int // digits after the point
	point    bool
	exponent bool
}

// scanNumber reads a number: sign, digits with a point somewhere, exponent. A
// leading zero before a digit is refused, and so is a plus sign.
func scanNumber(b []byte) (n number, ok bool) {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	start := i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	n.whole = i - start
	if n.whole > 0 && b[start] == '0' {
		if n.whole > 1 {
			return n, false
		}
		n.whole = 0
	}
	digits := i - start
	if i < len(b) && b[i] == '.' {
		n.point = true
		i++
		start = i
		for i < len(b) && isDigit(b[i]) {
			i++
		}
		n.scale = i - start
		digits += n.scale
	}
	if digits == 0 {
		return n, false
	}
	if i < len(b) && b[i]|32 == 'e' {
		n.exponent = true
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		start = i
		for i < len(b) && isDigit(b[i]) {
			i++
		}
		if i == start {
			return n, false
		}
	}
	return n, i == len(b)
}

func isDigit(c byte) bool { return c-'0' < 10 }

// parseInt reads a whole number that fits an int64.
func parseInt(b []byte) (int64, bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i = 1
	}
	digits := len(b) - i
	if digits == 0 || digits > 19 || b[i] == '0' && digits > 1 {
		return 0, false
	}
	n := uint64(0)
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	if negative {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}

// parseScaled reads an exact number of at most 18 digits: coefficient and
// digits after the point.
func parseScaled(b []byte) (n int64, scale int, ok bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i = 1
	}
	first := i
	point := -1
	for ; i < len(b); i++ {
		d := b[i] - '0'
		if d > 9 {
			if b[i] != '.' || point >= 0 {
				return 0, 0, false
			}
			point = i
			continue
		}
		n = n*10 + int64(d)
	}
	digits := len(b) - first
	if point >= 0 {
		digits--
		scale = len(b) - point - 1
	}
	if digits == 0 || digits > 18 || b[first] == '0' && digits-scale > 1 {
		return 0, 0, false
	}
	if negative {
		n = -n
	}
	return n, scale, true
}

// floatPowers are the powers of ten that a double holds exactly.
var floatPowers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseFloat reads a number as a double, rounded to nearest, or NaN, Infinity,
// -Infinity. A number beyond the range is refused.
func parseFloat(b []byte) (float64, bool) {
	if n, scale, ok := parseScaled(b); ok && n < 1<<53 && n > -1<<53 {
		if n == 0 && b[0] == '-' {
			return math.Copysign(0, -1), true
		}
		return float64(n) / floatPowers[scale], true // both exact, so rounded once
	}
	if _, ok := scanNumber(b); ok {
		f, err := strconv.ParseFloat(unsafeString(b), 64)
		return f, err == nil
	}
	switch string(b) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

// unsafeString returns b as a string for a call that does not keep it.
func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func twoDigits(b []byte) (int, bool) {
	d, e := b[0]-'0', b[1]-'0'
	return int(d)*10 + int(e), d < 10 && e < 10
}

var monthDays = [13]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// parseDate reads YYYY-MM-DD, years 0001 to 9999, as days since 1970-01-01.
func parseDate(b []byte) (int64, bool) {
	if len(b) != 10 || b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	century, ok1 := twoDigits(b)
	year, ok2 := twoDigits(b[2:])
	month, ok3 := twoDigits(b[5:])
	day, ok4 := twoDigits(b[8:])
	year += century * 100
	if !ok1 || !ok2 || !ok3 || !ok4 || year == 0 || month == 0 || month > 12 || day == 0 || day > monthDays[month] {
		return 0, false
	}
	if month == 2 && day == 29 && (year%4 != 0 || year%100 == 0 && year%400 != 0) {
		return 0, false
	}
	return daysSinceEpoch(year, month, day), true
}

// daysSinceEpoch counts days in years that begin in March, so that the leap
// day is the last.
func daysSinceEpoch(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	ofYear := (153*(month-3)+2)/5 + day - 1
	return int64(365*year+year/4-year/100+year/400+ofYear) - 719468
}

// parseTime reads HH:MM:SS with an optional fraction as microseconds since
// midnight. Digits beyond the sixth must be zeros.
func parseTime(b []byte) (int64, bool) {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return 0, false
	}
	h, ok1 := twoDigits(b)
	m, ok2 := twoDigits(b[3:])
	s, ok3 := twoDigits(b[6:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	micros := int64((h*60+m)*60+s) * 1e6
	if len(b) == 8 {
		return micros, true
	}
	if b[8] != '.' || len(b) == 9 {
		return 0, false
	}
	unit := int64(1e5)
	for _, c := range b[9:] {
		if !isDigit(c) || unit == 0 && c != '0' {
			return 0, false
		}
		micros += int64(c-'0') * unit
		unit /= 10
	}
	return micros, true
}

const microsPerDay = 24 * 60 * 60 * 1e6

// parseStamp reads a date and a time with a blank or T between and an optional
// Z behind (the zone is UTC, TYPE-6), as microseconds since 1970-01-01 00:00:00.
func parseStamp(b []byte) (int64, bool) {
	if len(b) < 19 || b[10] != ' ' && b[10] != 'T' {
		return 0, false
	}
	if b[len(b)-1] == 'Z' {
		b = b[:len(b)-1]
	}
	days, ok1 := parseDate(b[:10])
	micros, ok2 := parseTime(b[11:])
	return days*microsPerDay + micros, ok1 && ok2
}
