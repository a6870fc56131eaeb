package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

var fuzzLimits = ReadOptions{MaxColumns: 64, MaxLine: 1 << 16, MaxBytes: 1 << 20}

// checkInputError holds that whatever is wrong with a file is an error of the
// file or a limit, with a line.
func checkInputError(t *testing.T, err error) {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) || e.Rule != "DATA-1" && e.Rule != "LIM-1" || e.Stage == diag.Internal || e.Pos.Line < 1 {
		t.Fatalf("wrong kind of error: %v", err)
	}
}

// FuzzReadCSV compares with encoding/csv: what that refuses is refused, what
// both accept has the same fields, and each text means the value that it became.
func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a\n\n1\n", "a,b\n\"x\"\"y\",\n\n", "\ufeffa\n1.50\n-7\n", "a\n1e5\n.5\n", "a\n2026-02-28 12:00:00.25\n",
		"a\ntrue\n", "a\n\"\n", "a,b\n1\n", "a\nx\"\n", "a\r\n1\r\n", "a\n12345678901234567890.5\n", "a\n\xff\n", "a,A\n", "a\n9223372036854775808\n-0\n",
		"a\n00:00:00\n23:59:59.9\n", "a\nNaN\n-Infinity\n1\n", "a\n007\n+1\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, err := ReadCSV(bytes.NewReader(data), fuzzLimits)
		if err != nil {
			checkInputError(t, err)
		}
		if bytes.IndexByte(data, '\r') >= 0 {
			return // encoding/csv drops carriage returns within fields
		}
		r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte(byteOrder))))
		records, wantErr := r.ReadAll()
		if wantErr != nil && err == nil {
			t.Fatalf("accepted, though %v", wantErr)
		}
		if err != nil || wantErr != nil {
			return
		}
		o := fuzzLimits
		for _, field := range tab.Fields() {
			o.Schema = append(o.Schema, Field{field.Name, value.TypeVarchar})
		}
		text, err := ReadCSV(bytes.NewReader(data), o)
		if err != nil {
			t.Fatalf("as text: %v", err)
		}
		if text.NumRows() != tab.NumRows() {
			t.Fatalf("%d rows, as text %d", tab.NumRows(), text.NumRows())
		}
		records = records[1:]
		for row := range tab.NumRows() {
			if tab.NumColumns() == 1 && tab.Column(0).IsNull(row) {
				continue // encoding/csv skips empty lines
			}
			if len(records) == 0 {
				t.Fatalf("row %d is one too many", row)
			}
			for i, c := range tab.Columns() {
				s := text.Column(i).StringAt(row)
				if s != records[0][i] || c.IsNull(row) && s != "" || c.IsNull(row) != text.Column(i).IsNull(row) {
					t.Fatalf("row %d, column %s is %q, should be %q", row, c.Name, s, records[0][i])
				}
				if !c.IsNull(row) {
					checkMeaning(t, c, row, s)
				}
			}
			records = records[1:]
		}
		if len(records) != 0 {
			t.Fatalf("%d rows are missing", len(records))
		}
	})
}

// checkMeaning holds that a value has the meaning of its text, with the help
// of the standard library.
func checkMeaning(t *testing.T, c *Column, row int, text string) {
	t.Helper()
	got := value.Format(c.Value(row), c.Type)
	same := false
	switch c.Type.Kind {
	case value.Varchar:
		same = got == text
	case value.Boolean:
		same = got == strings.ToLower(text)
	case value.Bigint:
		n, err := strconv.ParseInt(text, 10, 64)
		same = err == nil && n == c.Int64s()[row]
	case value.Decimal:
		x, ok1 := new(big.Rat).SetString(text)
		y, ok2 := new(big.Rat).SetString(got)
		same = ok1 && ok2 && x.Cmp(y) == 0
		if _, fraction, _ := strings.Cut(got, "."); c.Type.Precision > 0 && len(fraction) != c.Type.Scale {
			t.Fatalf("%s of type %s", got, c.Type)
		}
	case value.Double:
		x, err := strconv.ParseFloat(text, 64)
		y := c.Float64s()[row]
		same = err == nil && (math.Float64bits(x) == math.Float64bits(y) || x != x && y != y)
	case value.Date:
		x, err := time.Parse("2006-01-02", text)
		same = err == nil && x.Unix() == c.Int64s()[row]*86400
	case value.Time:
		x, err := time.Parse("15:04:05", text)
		same = err == nil && x.Sub(x.Truncate(24*time.Hour)).Microseconds() == c.Int64s()[row]
	case value.Timestamp:
		x, err := time.Parse("2006-01-02 15:04:05", strings.TrimSuffix(strings.Replace(text, "T", " ", 1), "Z"))
		same = err == nil && x.UnixMicro() == c.Int64s()[row]
	}
	if !same {
		t.Fatalf("%q became %s of type %s", text, got, c.Type)
	}
}

// FuzzReadJSONLines compares with encoding/json: what that refuses is refused,
// and what is accepted has as many rows and the same values.
func FuzzReadJSONLines(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "{\"a\":1.5e3,\"b\":\"x\"}\n\n{\"b\":null}\n", `{"a":[1,[2,"x"],null]}`, `{"a":"\u00e9\ud83d\ude00\n"}`,
		`{"a":1,"a":2}`, `{"a":{}}`, `[1]`, `{"a":01}`, "{\"a\":\"\xff\"}", `{"a":tru}`, `{"a":"\ud800"}`, `{`, `{"a":-}`, `{"a":12345678901234567890.5}`,
		`{"a":[1.5,20]}` + "\n" + `{"a":[]}`, " \t\r\n{}", `{"a":[true,false]}`, `{"":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, err := ReadJSONLines(bytes.NewReader(data), fuzzLimits)
		if err != nil {
			checkInputError(t, err)
			return
		}
		if !utf8.Valid(data) {
			t.Fatal("accepted, though it is not UTF-8")
		}
		row := 0
		for line := range bytes.Lines(bytes.TrimPrefix(data, []byte(byteOrder))) {
			if len(bytes.Trim(line, " \t\r\n")) == 0 {
				continue
			}
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			var object map[string]any
			if err := d.Decode(&object); err != nil {
				t.Fatalf("line %q is accepted, though %v", line, err)
			}
			if _, err := d.Token(); err != io.EOF {
				t.Fatalf("line %q is accepted, though there is more on it", line)
			}
			if row == tab.NumRows() {
				t.Fatalf("line %q is no row", line)
			}
			found := 0
			for key, want := range object {
				i := tab.Index(FoldName(key))
				if i < 0 {
					t.Fatalf("no column %q", key)
				}
				c := tab.Column(i)
				if !c.IsNull(row) {
					found++
				}
				switch want := want.(type) {
				case nil:
					if !c.IsNull(row) {
						t.Fatalf("%q is %s, should be NULL", key, value.SQL(c.Value(row), c.Type))
					}
				case string:
					if c.StringAt(row) != want || c.IsNull(row) {
						t.Fatalf("%q is %s, should be %q", key, value.SQL(c.Value(row), c.Type), want)
					}
				case bool:
					if got := value.Format(c.Value(row), c.Type); got != strconv.FormatBool(want) {
						t.Fatalf("%q is %s, should be %v", key, got, want)
					}
				case json.Number:
					checkMeaning(t, c, row, want.String())
				case []any:
					if c.Type.Kind == value.Array && len(c.Value(row).AsArray()) != len(want) {
						t.Fatalf("%q is %s, should be %v", key, value.SQL(c.Value(row), c.Type), want)
					}
				}
			}
			for _, c := range tab.Columns() {
				if !c.IsNull(row) {
					found--
				}
			}
			if found != 0 {
				t.Fatalf("line %q: values that are not in it", line)
			}
			row++
		}
		if row != tab.NumRows() {
			t.Fatalf("%d rows, should be %d", tab.NumRows(), row)
		}
		// What was read is written and read back the same.
		var out bytes.Buffer
		if err := tab.WriteJSONLines(&out); err != nil {
			t.Fatal(err)
		}
		o := ReadOptions{Schema: tab.Fields()}
		again, err := ReadJSONLines(&out, o)
		if err != nil {
			t.Fatalf("written and read back: %v\n%s", err, out.Bytes())
		}
		if dump(again) != dump(tab) {
			t.Fatalf("written and read back:\n%s\nshould be\n%s", dump(again), dump(tab))
		}
	})
}

// FuzzParseSchema: what is accepted is written and read back the same.
func FuzzParseSchema(f *testing.F) {
	for _, s := range []string{"a bigint, b decimal(10,2)", `"a "" b" varchar(3), c date`, "a", `"`, "a bigint,", "a (,", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fields, err := ParseSchema(s)
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) || e.Stage == diag.Internal || !e.Pos.IsValid() {
				t.Fatalf("wrong kind of error: %v", err)
			}
			return
		}
		var parts []string
		for _, f := range fields {
			parts = append(parts, `"`+strings.ReplaceAll(f.Name, `"`, `""`)+`" `+f.Type.String())
		}
		again, err := ParseSchema(strings.Join(parts, ", "))
		if err != nil || len(again) != len(fields) {
			t.Fatalf("%q reads back as %v, %v", parts, again, err)
		}
		for i := range fields {
			if again[i].Name != fields[i].Name || !again[i].Type.Equal(fields[i].Type) {
				t.Fatalf("%v reads back as %v", fields[i], again[i])
			}
		}
	})
}
