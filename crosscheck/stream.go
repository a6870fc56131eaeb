package crosscheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// StreamSchema is the version of the result stream. The stream is JSON lines:
// one Head, then one Result for each case and opinion, then one Foot; each
// object has its "type".
const StreamSchema = 1

// Head opens a result stream.
type Head struct {
	Type     string    `json:"type"` // head
	Schema   int       `json:"schema"`
	Version  string    `json:"version"`          // of rprcheck
	Corpus   string    `json:"corpus"`           // hash of the case files
	Cases    int       `json:"cases"`            // cases selected
	Opinions []Speaker `json:"opinions"`         // in the order of the columns of a table
	Filter   string    `json:"filter,omitempty"` // what was selected, as flags
}

// Speaker is an opinion of the run. Problem says why it gives no answers.
type Speaker struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Problem string `json:"problem,omitempty"`
	// Recorded is the date, as 2026-12-31, of answers that were recorded; empty:
	// the engine was asked in this run.
	Recorded string `json:"recorded,omitempty"`
}

// Result is what came of one case with one opinion.
type Result struct {
	Type     string   `json:"type"` // result
	Case     string   `json:"case"` // theme/file#id
	Kind     string   `json:"kind"`
	Rules    []string `json:"rules"`
	Clause   string   `json:"clause,omitempty"`
	By       string   `json:"by,omitempty"`
	Reading  []string `json:"reading,omitempty"`
	Opinion  string   `json:"opinion"`
	Verdict  string   `json:"verdict"`
	Reason   string   `json:"reason,omitempty"`
	Expected []string `json:"expected,omitempty"` // only when the verdict is differs
	Answer   []string `json:"answer,omitempty"`   // only when the verdict is differs
	Micros   int64    `json:"micros,omitempty"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Hash     string   `json:"hash,omitempty"` // of the case, in recordings
}

// Foot closes a result stream. A stream without it was cut off.
type Foot struct {
	Type        string         `json:"type"` // foot
	Results     int            `json:"results"`
	Verdicts    map[string]int `json:"verdicts"`
	Interrupted bool           `json:"interrupted"`
}

// Stream is a result stream in memory.
type Stream struct {
	Head    Head
	Results []Result
	Foot    Foot
}

// StreamWriter writes a result stream as results come.
type StreamWriter struct {
	enc  *json.Encoder
	foot Foot
	err  error
}

// NewStreamWriter writes the head.
func NewStreamWriter(w io.Writer, h Head) *StreamWriter {
	h.Type, h.Schema = "head", StreamSchema
	s := &StreamWriter{enc: json.NewEncoder(w), foot: Foot{Type: "foot", Verdicts: map[string]int{}}}
	s.enc.SetEscapeHTML(false)
	s.put(h)
	return s
}

func (s *StreamWriter) put(v any) {
	if s.err == nil {
		s.err = s.enc.Encode(v)
	}
}

// Add writes one result.
func (s *StreamWriter) Add(r Result) {
	r.Type = "result"
	s.foot.Results++
	s.foot.Verdicts[r.Verdict]++
	s.put(r)
}

// Close writes the footer and returns the first error of writing.
func (s *StreamWriter) Close(interrupted bool) error {
	s.foot.Interrupted = interrupted
	s.put(s.foot)
	return s.err
}

// ReadStream reads a result stream. A stream without footer, with a wrong
// count, or with the same case and opinion twice is an error.
func ReadStream(name string, r io.Reader) (*Stream, error) {
	fail := func(line int, format string, args ...any) error {
		e := diag.New(diag.Runtime, "DATA-1", diag.Pos{Line: line, Column: 1}, format, args...).
			WithHint("a result stream is what rprcheck check -o wrote, whole")
		e.File = name
		return e
	}
	s := &Stream{}
	seen := map[[2]string]bool{}
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), 64<<20)
	line, state := 0, "head"
	for sc.Scan() {
		line++
		var kind struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(sc.Bytes(), &kind); err != nil {
			return nil, fail(line, "this is no JSON object: %v", err)
		}
		if state == "end" {
			return nil, fail(line, "text behind the footer")
		}
		switch {
		case kind.Type == "head" && state == "head":
			if err := json.Unmarshal(sc.Bytes(), &s.Head); err != nil || s.Head.Schema != StreamSchema {
				return nil, fail(line, "the head is not one of schema %d", StreamSchema)
			}
			state = "results"
		case kind.Type == "result" && state == "results":
			var r Result
			if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
				return nil, fail(line, "the result cannot be read: %v", err)
			}
			if _, ok := oracle.ParseVerdict(r.Verdict); !ok {
				return nil, fail(line, "there is no verdict %q", r.Verdict)
			}
			key := [2]string{r.Case, r.Opinion}
			if seen[key] {
				return nil, fail(line, "the case %s stands twice for %s", r.Case, r.Opinion)
			}
			seen[key] = true
			s.Results = append(s.Results, r)
		case kind.Type == "foot" && state == "results":
			if err := json.Unmarshal(sc.Bytes(), &s.Foot); err != nil {
				return nil, fail(line, "the footer cannot be read: %v", err)
			}
			if s.Foot.Results != len(s.Results) {
				return nil, fail(line, "the footer counts %d results, the stream has %d", s.Foot.Results, len(s.Results))
			}
			state = "end"
		default:
			return nil, fail(line, "a line of type %q does not belong here", kind.Type)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fail(line+1, "cannot read: %v", err)
	}
	if state != "end" {
		return nil, fail(line, "the stream has no footer: it was cut off")
	}
	return s, nil
}

// Replay writes a stream again, for reports that are made later.
func (s *Stream) Replay(w io.Writer) error {
	out := NewStreamWriter(w, s.Head)
	for _, r := range s.Results {
		out.Add(r)
	}
	return out.Close(s.Foot.Interrupted)
}

// Worst returns the exit code of design: 0 as expected, 1 differences, 130 interrupted.
func (s *Stream) Worst() int {
	code := 0
	for _, r := range s.Results {
		switch r.Verdict {
		case oracle.Agrees.String(), oracle.KnownDifference.String(), oracle.NotComparable.String():
		default:
			code = 1
		}
	}
	if s.Foot.Interrupted {
		return 130
	}
	return code
}

// Failed returns the names of the cases that failed with some opinion.
func Failed(s *Stream) map[string]bool {
	out := map[string]bool{}
	for _, r := range s.Results {
		if failing(r) {
			out[r.Case] = true
		}
	}
	return out
}

// Count returns how many results an opinion has of each verdict.
func (s *Stream) Count(opinion string) map[string]int {
	out := map[string]int{}
	for _, r := range s.Results {
		if r.Opinion == opinion {
			out[r.Verdict]++
		}
	}
	return out
}

// String names a result in a message.
func (r Result) String() string { return fmt.Sprintf("%s by %s: %s", r.Case, r.Opinion, r.Verdict) }
