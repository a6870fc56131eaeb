package crosscheck

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// maxCaseFile is the size of the largest case file that is read.
const maxCaseFile = 16 << 20

// Suite is a set of cases with the hash of the files that they came from.
type Suite struct {
	Cases []*corpus.Case
	Files []*corpus.File
	Hash  string
	Errs  []error // broken files and cases, each with file and line; the others still run
}

// LoadFS loads the case files of a file system below root.
func LoadFS(fsys fs.FS, root string) (*Suite, error) {
	names, err := corpus.Walk(fsys, root)
	if err != nil {
		return nil, err
	}
	s := &Suite{}
	sum := sha256.New()
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		s.add(strings.TrimPrefix(strings.TrimPrefix(name, root), "/"), name, data)
	}
	s.Hash = fmt.Sprintf("%x", sum.Sum(nil))[:16]
	return s, nil
}

// LoadPaths loads a person's own case files: files, or folders of them.
func LoadPaths(paths []string) (*Suite, error) {
	s := &Suite{}
	sum := sha256.New()
	for _, p := range paths {
		var files []string
		info, err := os.Stat(p)
		if err != nil {
			return nil, inputError(p, err)
		}
		if !info.IsDir() {
			files = []string{p}
		} else if files, err = corpus.Walk(os.DirFS(p), "."); err != nil {
			return nil, inputError(p, err)
		} else {
			for i := range files {
				files[i] = filepath.Join(p, files[i])
			}
		}
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && info.Size() > maxCaseFile {
				s.Errs = append(s.Errs, inputError(f, fmt.Errorf("the file is larger than %d bytes", maxCaseFile)))
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				s.Errs = append(s.Errs, inputError(f, err))
				continue
			}
			fmt.Fprintf(sum, "%s %d\n", f, len(data))
			sum.Write(data)
			s.add(nameOf(p, f), f, data)
		}
	}
	s.Hash = fmt.Sprintf("%x", sum.Sum(nil))[:16]
	return s, nil
}

// suiteRoot is the folder of the suite in a copy of the repository.
const suiteRoot = "/testdata/rpr/"

// nameOf names a case file by its theme and topic. A file of the suite has the
// name that it has in the suite, however it is reached. Another one is named by
// its place below the folder that was asked for, or, where that is no folder
// above it, by the folder that it lies in.
func nameOf(asked, file string) string {
	path := file
	if abs, err := filepath.Abs(file); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if i := strings.LastIndex(path, suiteRoot); i >= 0 {
		if name := path[i+len(suiteRoot):]; strings.Contains(name, "/") {
			return name
		}
	}
	if name, err := filepath.Rel(asked, file); err == nil && strings.Contains(filepath.ToSlash(name), "/") {
		return filepath.ToSlash(name)
	}
	parts := strings.Split(path, "/")
	return strings.TrimPrefix(strings.Join(parts[max(0, len(parts)-2):], "/"), "/")
}

func inputError(file string, err error) error {
	e := diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "%v", err)
	e.File = file
	return e
}

// add reads one file; its cases are called after name.
func (s *Suite) add(name, path string, data []byte) {
	f, err := corpus.ReadItems(path, bytes.NewReader(data))
	if err != nil {
		s.Errs = append(s.Errs, err)
		return
	}
	f.Name = name
	s.Files = append(s.Files, f)
	cases, errs := corpus.Decode(f)
	s.Cases = append(s.Cases, cases...)
	s.Errs = append(s.Errs, errs...)
}

// Select is what a run takes of a suite. Empty fields take everything.
type Select struct {
	Run, Skip []string // globs on theme/file#id; * also matches / and #
	Rules     []string // ids or chapters: PREF-8, PREF
	Clauses   []string // prefixes of TR clauses: 7.2
	Names     map[string]bool
	Shard     int // 1 to Shards
	Shards    int
}

// Cases returns the selected cases, in order.
func (s Select) Cases(all []*corpus.Case) []*corpus.Case {
	var out []*corpus.Case
	n := 0
	for _, c := range all {
		if !s.takes(c) {
			continue
		}
		if n++; s.Shards > 1 && n%s.Shards != s.Shard%s.Shards {
			continue
		}
		out = append(out, c)
	}
	return out
}

func (s Select) takes(c *corpus.Case) bool {
	if len(s.Run) > 0 && !matchAny(s.Run, c.Name) || matchAny(s.Skip, c.Name) || s.Names != nil && !s.Names[c.Name] {
		return false
	}
	if len(s.Rules) > 0 {
		hit := false
		for _, want := range s.Rules {
			for _, r := range c.Rules {
				hit = hit || strings.EqualFold(r, want) || strings.HasPrefix(strings.ToUpper(r), strings.ToUpper(want)+"-")
			}
		}
		if !hit {
			return false
		}
	}
	if len(s.Clauses) > 0 {
		hit := false
		for _, want := range s.Clauses {
			hit = hit || c.Clause == want || strings.HasPrefix(c.Clause, want+".")
		}
		return hit
	}
	return true
}

func matchAny(globs []string, name string) bool {
	for _, g := range globs {
		if Glob(g, name) {
			return true
		}
	}
	return false
}

// Glob matches a name against a pattern in which * stands for any text and ?
// for one character. It takes time proportional to the product of the lengths.
func Glob(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
