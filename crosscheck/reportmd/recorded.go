package reportmd

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
)

//go:embed all:recorded seeds
var files embed.FS

// Embedded are the recorded answers that the program is built with.
func Embedded() fs.FS {
	sub, err := fs.Sub(files, "recorded")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}

// Seeds are the cases of the cross-check, named seeds/FILE#ID.
func Seeds() ([]*corpus.Case, error) {
	suite, err := crosscheck.LoadFS(files, "seeds")
	if err != nil {
		return nil, err
	}
	if len(suite.Errs) > 0 {
		return nil, suite.Errs[0]
	}
	return suite.Cases, nil
}

// Recording is what one engine was recorded to answer.
type Recording struct {
	Stream   *crosscheck.Stream
	Findings []*diff.Finding
}

// Engine is the engine's name and version.
func (r *Recording) Engine() crosscheck.Speaker { return r.Stream.Head.Opinions[0] }

// maxRecording bounds one recording, unpacked.
const maxRecording = 256 << 20

// Load reads the recordings of a folder, in the order of their names. The error
// names the file.
func Load(dir fs.FS) ([]*Recording, error) {
	names, err := fs.Glob(dir, "*.jsonl.gz")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var out []*Recording
	for _, name := range names {
		data, err := unpack(dir, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		stream, err := crosscheck.ReadStream(name, bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if len(stream.Head.Opinions) != 1 {
			return nil, fmt.Errorf("%s: a recording is of one engine, this one of %d", name, len(stream.Head.Opinions))
		}
		r := &Recording{Stream: stream}
		found := strings.TrimSuffix(name, ".jsonl.gz") + ".findings"
		if data, err := fs.ReadFile(dir, found); err == nil {
			if r.Findings, err = diff.ReadFindings(found, bytes.NewReader(data)); err != nil {
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func unpack(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, maxRecording+1))
	if err == nil && len(data) > maxRecording {
		err = fmt.Errorf("more than %d bytes, unpacked", maxRecording)
	}
	return data, err
}

var notInNames = regexp.MustCompile(`[^a-z0-9.-]+`)

// Save records a run over cases in a folder: one file for each engine that was
// reached and one with its findings. What depends on the machine, times and
// paths, is left out; the date, as 2026-12-31, is kept.
func Save(dir string, r *diff.Report, cases []*corpus.Case, date string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	hashes := hashesOf(cases)
	var written []string
	for _, o := range r.Stream.Head.Opinions {
		if o.Problem != "" {
			continue
		}
		one := &crosscheck.Stream{Head: r.Stream.Head}
		o.Recorded = date
		one.Head.Opinions = []crosscheck.Speaker{o}
		for _, res := range r.Stream.Results {
			if res.Opinion == o.Name {
				res.Micros, res.File, res.Line, res.Expected = 0, "", 0, nil
				res.Hash = hashes[res.Case]
				one.Results = append(one.Results, res)
			}
		}
		var findings []*diff.Finding
		for _, f := range r.Findings {
			if f.Engine == o.Name {
				findings = append(findings, f)
			}
		}
		base := filepath.Join(dir, strings.Trim(notInNames.ReplaceAllString(strings.ToLower(o.Name+"-"+o.Version), "-"), "-"))
		var packed, list bytes.Buffer
		z := gzip.NewWriter(&packed)
		if err := one.Replay(z); err != nil {
			return written, err
		}
		if err := z.Close(); err != nil {
			return written, err
		}
		if err := diff.WriteFindings(&list, findings); err != nil {
			return written, err
		}
		for name, data := range map[string][]byte{base + ".jsonl.gz": packed.Bytes(), base + ".findings": list.Bytes()} {
			if err := os.WriteFile(name, data, 0o644); err != nil {
				return written, err
			}
		}
		written = append(written, base+".jsonl.gz")
	}
	return written, nil
}
