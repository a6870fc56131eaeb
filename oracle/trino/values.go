package trino

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// parseType reads a type as Trino writes it in a result. The error is a reason
// why the result cannot be compared.
func parseType(s string) (value.Type, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	args := ""
	if i := strings.IndexByte(name, '('); i >= 0 && strings.HasSuffix(name, ")") {
		name, args = strings.TrimSpace(name[:i]), name[i+1:len(name)-1]
	}
	switch name {
	case "boolean":
		return value.TypeBoolean, nil
	case "tinyint", "smallint":
		return value.TypeSmallint, nil
	case "integer":
		return value.TypeInteger, nil
	case "bigint":
		return value.TypeBigint, nil
	case "real":
		return value.TypeReal, nil
	case "double":
		return value.TypeDouble, nil
	case "varbinary":
		return value.TypeBinary, nil
	case "date":
		return value.TypeDate, nil
	case "interval day to second":
		return value.TypeIntervalDay, nil
	case "interval year to month":
		return value.TypeIntervalYear, nil
	case "unknown":
		return value.TypeUnknown, nil
	case "decimal":
		p, sc, ok := strings.Cut(args, ",")
		precision, err1 := strconv.Atoi(strings.TrimSpace(p))
		scale, err2 := strconv.Atoi(strings.TrimSpace(sc))
		if ok && err1 == nil && err2 == nil && precision >= 1 && precision <= value.MaxPrecision && scale >= 0 && scale <= precision {
			return value.DecimalType(precision, scale), nil
		}
	case "varchar", "char", "time", "timestamp":
		n := 0
		if args != "" {
			var err error
			if n, err = strconv.Atoi(args); err != nil || n < 0 {
				break
			}
		}
		switch {
		case name == "varchar":
			return value.Type{Kind: value.Varchar, Precision: n}, nil
		case name == "char":
			return value.Type{Kind: value.Char, Precision: max(n, 1)}, nil
		case n > 6:
			return value.Type{}, fmt.Errorf("the answer has the type %s, which has no counterpart here", s)
		case name == "time":
			return value.Type{Kind: value.Time, Precision: n}, nil
		}
		return value.Type{Kind: value.Timestamp, Precision: n}, nil
	case "array":
		elem, err := parseType(args)
		return value.ArrayType(elem), err
	}
	return value.Type{}, fmt.Errorf("the answer has the type %s, which has no counterpart here", s)
}

// parseValue reads a value of a result.
func parseValue(raw json.RawMessage, t value.Type) (value.Value, error) {
	if string(raw) == "null" {
		return value.Null, nil
	}
	switch {
	case t.Kind == value.Array:
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return value.Null, fmt.Errorf("the answer has no array where %s is promised", t)
		}
		elems := make([]value.Value, len(list))
		for i, e := range list {
			var err error
			if elems[i], err = parseValue(e, *t.Elem); err != nil {
				return value.Null, err
			}
		}
		return value.ArrayOf(elems), nil
	case t.Kind == value.Decimal && len(raw) > 1 && raw[0] == '"':
		raw = raw[1 : len(raw)-1] // decimals come as strings
	case t.Kind == value.Binary:
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return value.Null, fmt.Errorf("the answer has no string where %s is promised", t)
		}
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return value.Null, fmt.Errorf("the answer has no base64 where %s is promised", t)
		}
		raw = json.RawMessage(`"` + hex.EncodeToString(b) + `"`)
	}
	return value.FromJSON(raw, t)
}

// toTable makes a table of a result. Columns get the names and types of want,
// as far as Trino's names and values are the same but for what a profile
// settles: letter case of names, width of integers, length of strings,
// precision of times. Where they are not the same the column keeps Trino's
// type, so that the difference is seen. want is nil if nothing is known.
func toTable(res *result, want []semantics.Field) (*table.Table, error) {
	if len(want) != len(res.columns) {
		want = nil
	}
	cols := make([]*table.Column, len(res.columns))
	for i, c := range res.columns {
		from, err := parseType(c.Type)
		if err != nil {
			return nil, err
		}
		vals := make([]value.Value, len(res.rows))
		for r, row := range res.rows {
			if vals[r], err = parseValue(row[i], from); err != nil {
				return nil, err
			}
		}
		name, to := table.FoldName(c.Name), from
		if want != nil {
			name = columnName(name, want[i].Name)
			if fitted, ok := fitAll(vals, from, want[i].Type); ok {
				vals, to = fitted, want[i].Type
			}
		}
		b := table.NewBuilder(name, to)
		for _, v := range vals {
			if err := b.Append(v); err != nil {
				return nil, err
			}
		}
		cols[i] = b.Column()
	}
	return table.New(cols...)
}

// columnName gives the wanted name if Trino's is the same: Trino's names have
// no case, and it numbers columns without a name from 0.
func columnName(got, want string) string {
	if strings.EqualFold(got, want) || strings.HasPrefix(got, "_COL") && strings.HasPrefix(want, "_COL") {
		return want
	}
	return got
}

// fitAll converts the values of a column to the type that the standard gives
// it, if the two types are of one family and no value changes.
func fitAll(vals []value.Value, from, to value.Type) ([]value.Value, bool) {
	if from.Equal(to) {
		return vals, true
	}
	if !sameFamily(from, to) {
		return nil, false
	}
	out := make([]value.Value, len(vals))
	for i, v := range vals {
		w, err := value.Convert(v, to)
		if err != nil {
			return nil, false
		}
		out[i] = w
	}
	return out, true
}

// sameFamily reports types whose values are the same but for a length or
// precision. A decimal without fixed scale (TYPE-3) is not of the family of one
// with a scale: Trino may have rounded, which Profile.Same decides.
func sameFamily(a, b value.Type) bool {
	switch {
	case a.Kind == value.Unknown:
		return true // only NULLs
	case a.IsInteger():
		return b.IsInteger()
	case a.Kind == value.Decimal:
		return b.Kind == value.Decimal && a.Precision > 0 && b.Precision > 0
	case a.Kind == value.Array:
		return b.Kind == value.Array && b.Elem != nil && (a.Elem.Equal(*b.Elem) || sameFamily(*a.Elem, *b.Elem))
	case a.IsString():
		return a.Kind == b.Kind
	}
	return a.Kind == b.Kind
}
