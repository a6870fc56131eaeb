package corpus

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Limits of what a case file may hold.
const (
	maxLine  = 1 << 20
	maxCases = 10_000
)

// Arg is one argument of a directive.
type Arg struct {
	Key  string
	Vals []string
}

// Item is one directive of a file as it is written.
type Item struct {
	Kind     string // the directive
	Args     []Arg
	Input    string // without the final newline
	Expected string // with its final newline, if there is any text
	Fenced   bool   // the expected text stands between doubled dashes
	Comment  string // the comment lines directly above, without #
	Line     int    // of the directive, from 1
	head     string // the directive line as written
}

// Get returns the values of an argument, nil if it is absent.
func (it *Item) Get(key string) []string {
	for _, a := range it.Args {
		if a.Key == key {
			return a.Vals
		}
	}
	return nil
}

// One returns the single value of an argument, "" if it is absent.
func (it *Item) One(key string) string {
	if v := it.Get(key); len(v) > 0 {
		return strings.Join(v, ",")
	}
	return ""
}

// File is a case file.
type File struct {
	Name   string // theme/topic
	Path   string
	Banner string // the comment lines at the top
	Items  []*Item
}

// fileError is an error of rule DATA-1 at a line of a case file.
func fileError(file string, line int, format string, args ...any) *diag.Error {
	e := diag.New(diag.Syntax, "DATA-1", diag.Pos{Line: line, Column: 1}, format, args...)
	e.File = file
	return e
}

// ReadItems splits a case file into its directives. It sees what datadriven sees.
func ReadItems(name string, r io.Reader) (*File, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), maxLine)
	f := &File{Name: strings.TrimPrefix(name, "testdata/rpr/"), Path: name}
	p := &itemReader{sc: sc, f: f}
	for p.scan() {
		line := strings.TrimSpace(p.text)
		switch {
		case line == "":
			p.endComment()
		case strings.HasPrefix(line, "#"):
			p.comment = append(p.comment, strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
		default:
			if err := p.item(line); err != nil {
				return nil, err
			}
			if len(f.Items) > maxCases {
				return nil, fileError(name, p.line, "more than %d directives in one file", maxCases)
			}
		}
	}
	p.endComment()
	if err := sc.Err(); err != nil {
		return nil, fileError(name, p.line+1, "cannot read: %v", err)
	}
	return f, nil
}

type itemReader struct {
	sc      *bufio.Scanner
	f       *File
	text    string
	line    int
	comment []string
}

func (p *itemReader) scan() bool {
	if !p.sc.Scan() {
		return false
	}
	p.text = p.sc.Text()
	p.line++
	return true
}

// endComment ends a run of comment lines at a blank line: the first of a file
// is its banner, others that precede no directive are dropped.
func (p *itemReader) endComment() {
	if p.f.Banner == "" && len(p.f.Items) == 0 {
		p.f.Banner = strings.Join(p.comment, "\n")
	}
	p.comment = nil
}

// item reads one directive, its input and its expected text.
func (p *itemReader) item(line string) error {
	it := &Item{Line: p.line, Comment: strings.Join(p.comment, "\n")}
	if p.f.Banner == "" && len(p.f.Items) == 0 {
		p.f.Banner = it.Comment
	}
	p.comment = nil
	for strings.HasSuffix(line, `\`) && p.scan() {
		line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(p.text)
	}
	var err error
	if it.Kind, it.Args, err = parseLine(line); err != nil {
		return fileError(p.f.Path, it.Line, "%v", err)
	}
	it.head = line
	var input []string
	separated := false
	for p.scan() {
		if p.text == "----" {
			separated = true
			break
		}
		input = append(input, p.text)
	}
	if !separated {
		return fileError(p.f.Path, it.Line, "the directive %s has no line of four dashes before its expected text", it.Kind)
	}
	it.Input = strings.TrimSpace(strings.Join(input, "\n"))
	if err := p.expected(it); err != nil {
		return err
	}
	p.f.Items = append(p.f.Items, it)
	return nil
}

func (p *itemReader) expected(it *Item) error {
	var b strings.Builder
	more := p.scan()
	if more && p.text == "----" {
		it.Fenced = true
		for p.scan() {
			if p.text == "----" {
				if p.scan() && p.text == "----" {
					if p.scan() && p.text != "" {
						return fileError(p.f.Path, p.line, "a line of text after the closing dashes")
					}
					it.Expected = b.String()
					return nil
				}
				b.WriteString("----\n")
			}
			b.WriteString(p.text + "\n")
		}
		return fileError(p.f.Path, it.Line, "the expected text has no closing dashes")
	}
	for ; more && strings.TrimSpace(p.text) != ""; more = p.scan() {
		b.WriteString(p.text + "\n")
	}
	it.Expected = b.String()
	return nil
}

// parseLine parses a directive line: a command, then key, key=value or
// key=(value, ...), values with balanced parentheses.
func parseLine(line string) (cmd string, args []Arg, err error) {
	cmd, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	for rest != "" {
		i := strings.IndexAny(rest, " =")
		if i < 0 {
			i = len(rest)
		}
		if i == 0 {
			return "", nil, fmt.Errorf("cannot parse the directive at %q", rest)
		}
		a := Arg{Key: rest[:i]}
		rest = rest[i:]
		if strings.HasPrefix(rest, "=") {
			rest = rest[1:]
			if strings.HasPrefix(rest, "(") {
				if a.Vals, rest, err = parenthesised(rest[1:]); err != nil {
					return "", nil, err
				}
			} else {
				var v string
				v, rest, _ = strings.Cut(rest, " ")
				a.Vals = []string{v}
			}
		}
		args = append(args, a)
		rest = strings.TrimSpace(rest)
	}
	return cmd, args, nil
}

func parenthesised(s string) (vals []string, rest string, err error) {
	depth, start := 1, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return append(vals, s[start:i]), s[i+1:], nil
			}
		case ',':
			if depth == 1 {
				vals = append(vals, s[start:i])
				for i+1 < len(s) && s[i+1] == ' ' {
					i++
				}
				start = i + 1
			}
		}
	}
	return nil, "", fmt.Errorf("a parenthesis of the directive is not closed")
}

// Walk finds the case files below root, in a fixed order.
func Walk(fsys fs.FS, root string) ([]string, error) {
	var out []string
	err := fs.WalkDir(fsys, root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(path.Base(p), ".") && path.Ext(p) == "" {
			out = append(out, p)
		}
		return err
	})
	sort.Strings(out)
	return out, err
}

// Write writes a file back in its format. Comments and directive lines stay as
// they are; only expected texts differ from what was read.
func Write(w io.Writer, source string, f *File) error {
	lines := strings.Split(source, "\n")
	var b strings.Builder
	at := 0
	for _, it := range f.Items {
		end := it.Line
		for end < len(lines) && lines[end] != "----" {
			end++
		}
		b.WriteString(strings.Join(lines[at:end+1], "\n") + "\n")
		at = end + 1
		old := skipExpected(lines[at:])
		at += old
		if it.Fenced || needsFence(it.Expected) {
			b.WriteString("----\n" + it.Expected + "----\n----\n")
		} else {
			b.WriteString(it.Expected)
		}
	}
	b.WriteString(strings.Join(lines[at:], "\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

// needsFence reports an expected text that a blank line would cut.
func needsFence(expected string) bool {
	for _, line := range strings.Split(strings.TrimSuffix(expected, "\n"), "\n") {
		if strings.TrimSpace(line) == "" && expected != "" || line == "----" {
			return true
		}
	}
	return false
}

// skipExpected returns how many lines an expected text takes.
func skipExpected(lines []string) int {
	if len(lines) > 0 && lines[0] == "----" {
		for i := 1; i+1 < len(lines); i++ {
			if lines[i] == "----" && lines[i+1] == "----" {
				return i + 2
			}
		}
	}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			return i
		}
	}
	return len(lines)
}
