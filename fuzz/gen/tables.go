package gen

import (
	"math"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Tables says what random tables are like. Their columns are
//
//	P varchar        partition key, few values
//	K bigint         order key, with ties
//	X integer        small numbers
//	Y decimal(6,1)   the same, with a digit behind the point
//	Z double         whole and half numbers, which doubles hold exactly
//	S varchar        short strings, one of them empty
//	D date           a few days
//
// and, where they are wide:
//
//	E timestamp      a few seconds, with fractions
type Tables struct {
	Min, Max   int // rows
	Partitions int // values of P, at most; NULL is one more
	Nulls      int // percent of the values, P and K included
	Ties       int // percent of the rows: the key of the row before
	// Unique makes K different on every row and never NULL: with K among the
	// order keys nothing is left to the implementation (NUL-3).
	Unique bool
	Keyed  bool // K is never NULL
	Runs   int  // percent of the rows: like the row before, but for K
	// Wide tables have the column E, strings with trailing blanks, and doubles
	// that are no numbers or infinite.
	Wide bool
}

// DefaultTables are small, with everything that chapter 11 is about.
var DefaultTables = Tables{Min: 1, Max: 8, Partitions: 2, Nulls: 12, Ties: 25}

// Column names a column of the tables, with its type.
type Column struct {
	Name string
	Type value.Type
}

// Columns are those of a table that is not wide, in order.
var Columns = []Column{{"P", value.TypeVarchar}, {"K", value.TypeBigint}, {"X", value.TypeInteger},
	{"Y", value.DecimalType(6, 1)}, {"Z", value.TypeDouble}, {"S", value.TypeVarchar}, {"D", value.TypeDate}}

var wideColumns = append(slices.Clone(Columns), Column{"E", value.Type{Kind: value.Timestamp, Precision: 3}})

// columnsOf returns the columns that rows have.
func columnsOf(rows []Row) []Column {
	if len(rows) > 0 && len(rows[0]) > len(Columns) {
		return wideColumns
	}
	return Columns
}

// KeyColumn is the index of K.
const KeyColumn = 1

// Row is a row of a table: one value a column.
type Row []value.Value

var (
	strs     = []string{"", "a", "b", "ab", "B"}
	wideStrs = []string{"", " ", "a", "a ", "b", "b  ", "ab", "a b", "B"}
	// doubles are the values of Z in wide tables beside the usual ones.
	doubles = []float64{math.NaN(), math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300}
)

// Draw draws the rows of a table, in no order.
func (o Tables) Draw(r *Rand) []Row {
	rows := make([]Row, r.Between(o.Min, o.Max))
	parts := r.Between(1, max(o.Partitions, 1))
	key := int64(0)
	for i := range rows {
		if i == 0 || o.Unique || !r.Chance(o.Ties) {
			key += int64(r.Between(1, 3))
		}
		row := Row{value.String(VarName(r.IntN(parts))), value.Int(key), value.Int(int64(r.Between(-1, 4))),
			value.ScaledInt(int64(r.Between(-10, 30)), 1), value.Float(float64(r.Between(-2, 6)) / 2),
			value.String(Pick(r, strs)), value.DateOf(20_000 + int64(r.IntN(4)))}
		if o.Wide {
			row = o.widen(r, row)
		}
		for c := range row {
			if r.Chance(o.Nulls) && (c != KeyColumn || !o.Unique && !o.Keyed) {
				row[c] = value.Null
			}
		}
		if o.Runs > 0 && i > 0 && r.Chance(o.Runs) {
			k := row[KeyColumn]
			row = slices.Clone(rows[i-1])
			row[KeyColumn] = k
		}
		rows[i] = row
	}
	for i := len(rows) - 1; i > 0; i-- { // order comes from ORDER BY alone
		if j := r.IntN(i + 1); r.Chance(50) {
			rows[i], rows[j] = rows[j], rows[i]
		}
	}
	return rows
}

// widen makes a row one of a wide table.
func (o Tables) widen(r *Rand, row Row) Row {
	if r.Chance(20) {
		row[0] = value.String(row[0].AsString() + " ")
	}
	if r.Chance(25) {
		row[4] = value.Float(Pick(r, doubles))
	}
	row[5] = value.String(Pick(r, wideStrs))
	return append(row, value.TimestampOf(1_728_172_800_000_000+int64(r.IntN(16))*250_000))
}

// MakeTable makes a table of rows.
func MakeTable(rows []Row) (*table.Table, error) {
	columns := columnsOf(rows)
	cols := make([]*table.Column, len(columns))
	for i, c := range columns {
		b := table.NewBuilder(c.Name, c.Type)
		b.Reserve(len(rows))
		for _, row := range rows {
			if err := b.Append(row[i]); err != nil {
				return nil, err
			}
		}
		cols[i] = b.Column()
	}
	return table.New(cols...)
}

// RowsSQL writes rows as a table directive of a case file has them.
func RowsSQL(rows []Row) string {
	var b strings.Builder
	for _, row := range rows {
		for i, v := range row {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(value.SQL(v, columnsOf(rows)[i].Type))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
