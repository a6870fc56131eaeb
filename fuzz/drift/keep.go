package drift

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// keep writes a found input as a case file of one labels case. Its name is made
// of the input, so that the same one is kept once.
func keep(dir, subject string, d *Drift, mappings []oracle.Mapping) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\n%s", d.Pattern, gen.RowsText(d.Rows))
	id := fmt.Sprintf("drift-%08x", h.Sum32())
	return os.WriteFile(filepath.Join(dir, id), []byte(KeptText(id, subject, d, mappings)), 0o644)
}

// KeptText writes a drift as a labels case, with what the rules prefer at each
// row.
func KeptText(id, subject string, d *Drift, mappings []oracle.Mapping) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Found by a drift check of %s.\n\n", oneLine(subject))
	fmt.Fprintf(&b, "# At row %d it gives %s: %s.\n", d.Start+1, MappingText(d.Got, d.Start), oneLine(d.Why))
	rule := d.Rule
	if rule == Unexplained {
		rule = "MAT-1" // what every preferred match rests on
	}
	fmt.Fprintf(&b, "labels id=%s rule=%s\nPATTERN (%s)\nROWS %s\n----\n", id, rule, d.Pattern, gen.RowsText(d.Rows))
	for i, m := range mappings {
		fmt.Fprintf(&b, "%d: %s\n", i+1, caseMapping(m))
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(diag.Escape(s)), " ") }

// caseMapping writes a mapping as case files do.
func caseMapping(m oracle.Mapping) string {
	switch {
	case !m.Found:
		return "-"
	case len(m.Vars) == 0:
		return "()"
	}
	out := slices.Clone(m.Vars)
	for i := range out {
		if m.Excluded != nil && m.Excluded[i] {
			out[i] = "{" + out[i] + "}"
		}
	}
	return strings.Join(out, " ")
}

// readKept reads pattern and rows of the labels cases of a folder, in the order
// of the file names. A folder that does not exist holds none.
func readKept(dir string) ([]gen.Input, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []gen.Input
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		in, err := readCases(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, in...)
	}
	return out, nil
}

// readCases reads pattern and rows of the labels cases of one file.
func readCases(path string) (out []gen.Input, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fail := func(line int, format string, args ...any) error {
		e := diag.New(diag.Syntax, "DATA-1", diag.Pos{Line: line, Column: 1}, format, args...).
			WithHint("the folder of kept inputs holds labels cases as this command writes them; use another folder")
		e.File = path
		return e
	}
	var in *gen.Input
	sc := bufio.NewScanner(f)
	n := 0
	for sc.Scan() {
		n++
		line := strings.TrimSpace(sc.Text())
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case in == nil && word == "labels":
			in = &gen.Input{}
		case in == nil:
		case word == "PATTERN" && strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")"):
			if in.Pattern, err = semantics.ParsePattern(rest[1 : len(rest)-1]); err != nil {
				return nil, fail(n, "%s", diag.From(err).Message)
			}
		case word == "ROWS":
			in.Rows = [][]string{}
			for _, row := range strings.Fields(rest) {
				in.Rows = append(in.Rows, splitRow(row))
			}
		case word == "----":
			if in.Pattern == nil || in.Rows == nil {
				return nil, fail(n, "a labels case needs PATTERN ( ) and ROWS before the dashes")
			}
			out = append(out, *in)
			in = nil
		default:
			return nil, fail(n, "the line %.40q is none of a labels case", line)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fail(n+1, "cannot read: %v", err)
	}
	if in != nil {
		return nil, fail(n, "a labels case without dashes")
	}
	return out, nil
}

func splitRow(row string) []string {
	switch {
	case row == "-":
		return nil
	case strings.Contains(row, ","):
		return strings.Split(row, ",")
	}
	return strings.Split(row, "")
}
