package value

import "fmt"

// The standard's dates lie in these years of the Gregorian calendar, which
// counts backwards over 1582 as well.
const (
	minYear = 1
	maxYear = 9999
)

var minDay, maxDay = daysFrom(minYear, 1, 1), daysFrom(maxYear, 12, 31)

// daysFrom counts the days from 1970-01-01 to a date.
func daysFrom(y, m, d int) int64 {
	// The year is taken to begin in March, so that the leap day comes last.
	if m <= 2 {
		y--
	}
	era, yearOfEra := floorDiv(int64(y), 400)
	dayOfYear := int64((153*((m+9)%12)+2)/5 + d - 1)
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// civil is the inverse of daysFrom.
func civil(days int64) (y, m, d int) {
	era, day := floorDiv(days+719468, 146097)
	yearOfEra := (day - day/1460 + day/36524 - day/146096) / 365
	dayOfYear := day - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	march := (5*dayOfYear + 2) / 153 // months since March
	y, m, d = int(yearOfEra+era*400), int(march+3), int(dayOfYear-(153*march+2)/5+1)
	if m > 12 {
		m -= 12
		y++
	}
	return y, m, d
}

// daysIn returns the number of days of a month.
func daysIn(y, m int) int {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func checkDate(days int64) (Value, error) {
	if days < minDay || days > maxDay {
		return Null, dateOverflow()
	}
	return DateOf(days), nil
}

func checkTimestamp(micros int64) (Value, error) {
	if day, _ := floorDiv(micros, perDay); day < minDay || day > maxDay {
		return Null, dateOverflow()
	}
	return TimestampOf(micros), nil
}

// digits2 reads two decimal digits, -1 if there are none.
func digits2(s string) int {
	if len(s) < 2 || s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9' {
		return -1
	}
	return int(s[0]-'0')*10 + int(s[1]-'0')
}

// scanDate reads YYYY-MM-DD.
func scanDate(s string) (Value, *problem) {
	if len(s) == 10 && s[4] == '-' && s[7] == '-' {
		century, year, m, d := digits2(s), digits2(s[2:]), digits2(s[5:]), digits2(s[8:])
		if century >= 0 && year >= 0 && m >= 0 && d >= 0 {
			y := century*100 + year
			if y < minYear || m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
				return Null, &problem{stateDateOverflow, "the date " + quote(s) + " does not exist", noDateHint(y, m)}
			}
			return DateOf(daysFrom(y, m, d)), nil
		}
	}
	return Null, &problem{stateDateFormat, quote(s) + " is no date", "write YYYY-MM-DD, as in 2026-11-30"}
}

// noDateHint says which part of a date leaves its range.
func noDateHint(y, m int) string {
	switch {
	case y < minYear:
		return "years go from 0001 to 9999"
	case m < 1 || m > 12:
		return "months go from 01 to 12, and stand between the year and the day: YYYY-MM-DD"
	}
	return fmt.Sprintf("%04d-%02d has the days 01 to %02d", y, m, daysIn(y, m))
}

// scanTime reads HH:MM:SS with a fraction of up to 6 digits; digits is their
// number.
func scanTime(s string) (v Value, digits int, p *problem) {
	bad := &problem{stateDateFormat, quote(s) + " is no time", "write HH:MM:SS, as in 12:30:00 or 12:30:00.5"}
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return Null, 0, bad
	}
	h, m, sec := digits2(s), digits2(s[3:]), digits2(s[6:])
	if h < 0 || m < 0 || sec < 0 {
		return Null, 0, bad
	}
	micros, digits, p := scanFraction(s[8:], s)
	switch {
	case p != nil:
		return Null, 0, p
	case digits < 0:
		return Null, 0, bad
	case h > 23 || m > 59 || sec > 59:
		return Null, 0, &problem{stateDateOverflow, "the time " + quote(s) + " does not exist",
			"times go from 00:00:00 to 23:59:59.999999; leap seconds are not known"}
	}
	return TimeOf(int64(h)*perHour + int64(m)*perMinute + int64(sec)*perSecond + micros), digits, nil
}

// scanFraction reads what follows the seconds: nothing, or a point and digits.
// digits is their number, at most 6, or -1 if there is something else. Digits
// beyond the sixth must be 0: no type holds them.
func scanFraction(rest, whole string) (micros int64, digits int, p *problem) {
	if rest == "" {
		return 0, 0, nil
	}
	if rest[0] != '.' || len(rest) == 1 {
		return 0, -1, nil
	}
	for i, c := range []byte(rest[1:]) {
		switch {
		case c < '0' || c > '9':
			return 0, -1, nil
		case i < 6:
			micros += int64(c-'0') * pow10[5-i]
			digits++
		case c != '0':
			p = &problem{stateDateOverflow, quote(whole) + " has more than 6 digits of a second", "write at most 6 digits after the point"}
		}
	}
	return micros, digits, p
}

// scanTimestamp reads a date, a blank or the T of ISO 8601, and a time.
func scanTimestamp(s string) (v Value, digits int, p *problem) {
	if len(s) < 19 || s[10] != ' ' && s[10] != 'T' {
		return Null, 0, badTimestamp(s)
	}
	day, p := scanDate(s[:10])
	if p == nil {
		v, digits, p = scanTime(s[11:])
	}
	switch {
	case p == nil:
		return TimestampOf(day.n*perDay + v.n), digits, nil
	case p.state == stateDateFormat:
		return Null, 0, badTimestamp(s)
	}
	p.message = "in the timestamp " + quote(s) + ": " + p.message
	return Null, 0, p
}

func badTimestamp(s string) *problem {
	p := &problem{stateDateFormat, quote(s) + " is no timestamp", "write YYYY-MM-DD HH:MM:SS, as in 2026-11-30 12:30:00 or 2026-11-30 12:30:00.5"}
	if n := len(s); n >= 20 && (s[n-1] == 'Z' || s[n-1] == 'z' || s[n-6] == '+' || s[n-6] == '-' && n > 22) {
		p.hint = "time zones are not supported: leave the zone out, all times are UTC"
	}
	return p
}

// ParseDate reads the text of a date literal, YYYY-MM-DD. The error is LEX-1
// with SQLSTATE 22007 (its form) or 22008 (there is no such day).
func ParseDate(s string) (Value, error) {
	v, p := scanDate(s)
	if p != nil {
		return Null, p.literal()
	}
	return v, nil
}

// ParseTime reads the text of a time literal, HH:MM:SS with a fraction; the
// type has as many digits of a second as the text. Errors as for ParseDate.
func ParseTime(s string) (Value, Type, error) {
	v, digits, p := scanTime(s)
	if p != nil {
		return Null, TypeUnknown, p.literal()
	}
	return v, Type{Kind: Time, Precision: digits}, nil
}

// ParseTimestamp reads the text of a timestamp literal, date and time with a
// blank between them; as ISO 8601 does, data may have a T there. The type has
// as many digits of a second as the text. Errors as for ParseDate.
func ParseTimestamp(s string) (Value, Type, error) {
	v, digits, p := scanTimestamp(s)
	if p != nil {
		return Null, TypeUnknown, p.literal()
	}
	return v, Type{Kind: Timestamp, Precision: digits}, nil
}

// appendDate writes YYYY-MM-DD.
func appendDate(dst []byte, days int64) []byte {
	y, m, d := civil(days)
	if y < 0 || y > maxYear {
		return fmt.Appendf(dst, "%d-%02d-%02d", y, m, d)
	}
	dst = append2(append2(dst, y/100), y%100)
	return append2(append(append2(append(dst, '-'), m), '-'), d)
}

// append2 writes two digits.
func append2(dst []byte, n int) []byte {
	return append(dst, byte('0'+n/10), byte('0'+n%10))
}

// appendTime writes HH:MM:SS and a fraction without zeros at its end.
func appendTime(dst []byte, micros int64) []byte {
	dst = append(append2(dst, int(micros/perHour)), ':')
	dst = append(append2(dst, int(micros/perMinute%60)), ':')
	dst = append2(dst, int(micros/perSecond%60))
	return appendFraction(dst, micros%perSecond)
}

// appendFraction writes a point and the digits of a second, if there are any.
func appendFraction(dst []byte, micros int64) []byte {
	if micros == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := perSecond / 10; micros > 0; unit /= 10 {
		dst = append(dst, byte('0'+micros/unit))
		micros %= unit
	}
	return dst
}
