package scalar

import (
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// The date and time functions that products have beside EXTRACT.
func init() {
	for _, field := range []string{"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"} {
		register(&Function{Name: field, MinArgs: 1, MaxArgs: 1, Usage: field + "(date or time)", params: []param{anything},
			resolve: func(c *site) (value.Type, Impl) {
				arg := c.typ(0)
				t, err := value.FieldType(arg, field)
				if err != nil {
					c.bad = true
					c.b.Errors.Add(diag.From(err).At(c.args[0].Pos()))
				}
				return t, Impl{One: func(a value.Value) (value.Value, error) { return value.FieldOf(a, arg, field) }}
			}})
	}
	register(&Function{Name: "DATE_TRUNC", MinArgs: 2, MaxArgs: 2, Usage: "DATE_TRUNC('day', timestamp)",
		params: []param{aString, {what: "a date or timestamp", ok: func(t value.Type) bool { return t.Kind == value.Date || t.Kind == value.Timestamp }}},
		resolve: func(c *site) (value.Type, Impl) {
			return c.typ(1), Impl{Two: truncateTime}
		}})
}

const microsPerDay = 24 * 60 * 60 * 1_000_000

// truncateTime sets everything smaller than the unit to its first value. Weeks begin on Monday.
func truncateTime(unit, v value.Value) (value.Value, error) {
	var t time.Time
	if v.Form() == value.FormDate {
		t = time.Unix(v.Raw()*24*60*60, 0).UTC()
	} else {
		t = time.UnixMicro(v.Raw()).UTC()
	}
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	switch strings.ToLower(unit.AsString()) {
	case "second":
	case "minute":
		second = 0
	case "hour":
		minute, second = 0, 0
	case "day":
		hour, minute, second = 0, 0, 0
	case "week":
		day -= (int(t.Weekday()) + 6) % 7
		hour, minute, second = 0, 0, 0
	case "month":
		day, hour, minute, second = 1, 0, 0, 0
	case "quarter":
		month -= (month - 1) % 3
		day, hour, minute, second = 1, 0, 0, 0
	case "year":
		month, day, hour, minute, second = 1, 1, 0, 0, 0
	default:
		return value.Null, runtimeError(stateParameter, "DATE_TRUNC does not know the unit %s", value.SQL(unit, value.TypeVarchar)).
			WithHint("write second, minute, hour, day, week, month, quarter or year")
	}
	micros := time.Date(year, month, day, hour, minute, second, 0, time.UTC).UnixMicro()
	if v.Form() == value.FormDate {
		return value.DateOf((micros - mod(micros, microsPerDay)) / microsPerDay), nil
	}
	return value.TimestampOf(micros), nil
}

// mod is the remainder that is never negative.
func mod(n, d int64) int64 { return ((n % d) + d) % d }
