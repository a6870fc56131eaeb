package scalar

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// This file says what to change where types do not fit.

// mixHint says what to do when the types of x and y do not fit (TYPE-1): most
// often a string meets a number or a date.
func mixHint(x, y Expr) string {
	if y.Type().IsString() || y.Type().IsInterval() && !x.Type().IsString() {
		x, y = y, x
	}
	from, to := x.Type(), y.Type()
	number, isNumber := y.(*Const)
	isNumber = isNumber && to.IsNumeric() && !number.Value.IsNull()
	switch {
	case from.IsString():
		if lit, ok := x.(*Const); ok && !lit.Value.IsNull() {
			return literalHint(lit, y)
		}
		if isNumber {
			return "write the number as a string, '" + value.Format(number.Value, number.T) + "', or convert the string: CAST(" + x.String() + " AS " + to.String() + ")"
		}
	case from.IsInterval() && to.IsInterval():
		return "months and days cannot be compared: write both as days, such as INTERVAL '30' DAY, or both as months"
	case from.IsInterval() && to.IsNumeric():
		unit := "MINUTE"
		if from.Kind == value.IntervalYear {
			unit = "MONTH"
		}
		if isNumber {
			return "an interval has a unit: write INTERVAL '" + value.Format(number.Value, number.T) + "' " + unit + ", or the unit that is meant"
		}
		return "an interval has a unit: write " + operandText(y) + " * INTERVAL '1' " + unit + ", or the unit that is meant"
	case from.IsInterval() && to.IsDatetime():
		return "compare two times, the later one with the earlier plus the interval, or their difference with the interval"
	case from.Kind == value.Boolean && to.IsNumeric():
		return booleanNumberHint(x)
	case to.Kind == value.Boolean && from.IsNumeric():
		return booleanNumberHint(y)
	case from.IsDatetime() && to.IsNumeric():
		return datetimeLiteral(from)
	case to.IsDatetime() && from.IsNumeric():
		return datetimeLiteral(to)
	}
	if to.Kind == value.Date && from.Kind == value.Timestamp {
		x, y = y, x
	}
	if value.CastAllowed(x.Type(), y.Type()) {
		return castHint(x, y.Type())
	}
	return "use values of one type; CAST converts strings, numbers, dates and timestamps"
}

func castHint(x Expr, to value.Type) string {
	return "convert it: CAST(" + x.String() + " AS " + to.String() + ")"
}

// operandText prints an operand of a multiplication.
func operandText(e Expr) string {
	var p printer
	p.operand(e, levelMultiply)
	return string(p.buf)
}

func booleanNumberHint(b Expr) string {
	return "a boolean is no number: " + b.String() + " is a condition by itself; as a number write CASE WHEN " + b.String() + " THEN 1 ELSE 0 END"
}

// datetimeLiteral shows how a value of a datetime type is written.
func datetimeLiteral(t value.Type) string {
	switch t.Kind {
	case value.Date:
		return "a date is no number: write for example DATE '2026-11-30', or compare a difference of dates with INTERVAL '5' DAY"
	case value.Time:
		return "a time is no number: write for example TIME '12:30:00'"
	}
	return "a timestamp is no number: write for example TIMESTAMP '2026-11-30 12:30:00', or compare a difference with INTERVAL '5' MINUTE"
}

// literalHint says what to write in place of a string literal that meets a
// value of another type.
func literalHint(lit *Const, other Expr) string {
	quoted := value.SQL(lit.Value, lit.T)
	text := strings.TrimSpace(lit.Value.AsString())
	switch t := other.Type(); {
	case t.Kind == value.Date:
		if _, err := value.ParseDate(text); err != nil {
			return "a character string is not a date: write for example DATE '2026-11-30'"
		}
		return "a character string is not a date: write DATE " + quoted
	case t.Kind == value.Time:
		if _, _, err := value.ParseTime(text); err != nil {
			return "a character string is not a time: write for example TIME '12:30:00'"
		}
		return "a character string is not a time: write TIME " + quoted
	case t.Kind == value.Timestamp:
		if _, err := value.ParseDate(text); err == nil {
			return "a character string is not a timestamp: write TIMESTAMP '" + text + " 00:00:00'"
		}
		if _, _, err := value.ParseTimestamp(text); err != nil {
			return "a character string is not a timestamp: write for example TIMESTAMP '2026-11-30 12:30:00'"
		}
		return "a character string is not a timestamp: write TIMESTAMP " + quoted
	case t.IsInterval():
		return "a character string is not an interval: write for example INTERVAL '5' MINUTE"
	case t.Kind == value.Boolean:
		if up := strings.ToUpper(text); up == "TRUE" || up == "FALSE" {
			return "a character string is not a boolean: write " + up + " without quotes"
		}
		return "a character string is not a boolean: write TRUE or FALSE"
	case t.IsNumeric() && isNumber(text):
		return "a character string is not a number: write " + text + " without quotes"
	case value.CastAllowed(t, value.TypeVarchar):
		// The literal would fail as a value of t: only the other side can change.
		return quoted + " is not " + withArticle(t) + ": write one in its place, or convert the other side: CAST(" + other.String() + " AS varchar)"
	}
	return "use values of one type; CAST converts strings, numbers, dates and timestamps"
}

// withArticle names a value of a type.
func withArticle(t value.Type) string {
	if t.IsNumeric() {
		return "a number"
	}
	return "a value of type " + t.String()
}

// isNumber reports whether text is a numeric literal.
func isNumber(text string) bool {
	_, _, err := value.ParseNumber(strings.TrimPrefix(text, "-"))
	return err == nil
}

// conditionHint says what to write in place of a condition of another type.
func conditionHint(e Expr) string {
	if lit, ok := e.(*Const); ok && !lit.Value.IsNull() {
		text := strings.ToUpper(value.Format(lit.Value, lit.T))
		if text == "TRUE" || text == "FALSE" {
			return "write " + text + " without quotes"
		}
		return "write a comparison, or TRUE for a condition that always holds"
	}
	if e.Type().IsNumeric() {
		return "write a comparison, for example " + comparedText(e) + " <> 0"
	}
	return "write a comparison, for example " + comparedText(e) + " IS NOT NULL"
}

// comparedText prints an operand of a comparison.
func comparedText(e Expr) string {
	var p printer
	p.operand(e, levelConcat)
	return string(p.buf)
}
