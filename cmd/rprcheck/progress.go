package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// quiet is how long something takes before its progress is shown.
const quiet = 2 * time.Second

// meter shows on a terminal how far a long command is. A nil meter shows
// nothing and costs nothing.
type meter struct {
	out   io.Writer
	start time.Time
	done  atomic.Int64 // bytes or rows of the current phase
	mu    sync.Mutex
	what  string // the current phase
	unit  string
	total int64 // 0: not known
	shown int   // characters of the line that is on the terminal
	stop  chan struct{}
	once  sync.Once
	ended sync.WaitGroup
}

// newMeter returns a meter that shows its line on w, nil if w is no terminal.
func newMeter(w io.Writer) *meter {
	file, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(file.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return startMeter(w, quiet, 200*time.Millisecond)
}

func startMeter(w io.Writer, quiet, every time.Duration) *meter {
	m := &meter{out: w, start: time.Now(), stop: make(chan struct{})}
	m.ended.Add(1)
	go func() {
		defer m.ended.Done()
		wait := time.NewTimer(quiet)
		defer wait.Stop()
		for {
			select {
			case <-m.stop:
				return
			case <-wait.C:
				m.show()
				wait.Reset(every)
			}
		}
	}()
	return m
}

// finish takes the line off the terminal.
func (m *meter) finish() {
	if m == nil {
		return
	}
	m.once.Do(func() {
		close(m.stop)
		m.ended.Wait()
		if m.shown > 0 {
			fmt.Fprintf(m.out, "\r%s\r", strings.Repeat(" ", m.shown))
		}
	})
}

func (m *meter) phase(what, unit string, total int64) {
	m.mu.Lock()
	m.what, m.unit, m.total = what, unit, total
	m.mu.Unlock()
	m.done.Store(0)
}

func (m *meter) show() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.what == "" {
		return
	}
	line := m.what
	if done := m.done.Load(); m.total > 0 {
		line += fmt.Sprintf(": %d of %d %s (%d%%)", done, m.total, m.unit, 100*done/m.total)
	} else if done > 0 {
		line += fmt.Sprintf(": %d %s", done, m.unit)
	}
	line += fmt.Sprintf(", %d s", int(time.Since(m.start).Seconds()))
	fmt.Fprintf(m.out, "\r%-*s", m.shown, line)
	m.shown = max(m.shown, len([]rune(line)))
}

// reading counts what is read of an input; size 0: it is not known.
func (m *meter) reading(name string, size int64, r io.Reader) io.Reader {
	if m == nil {
		return r
	}
	m.phase("reading "+diag.Escape(name), "bytes", size)
	return &countedReader{r, &m.done}
}

type countedReader struct {
	io.Reader
	done *atomic.Int64
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.done.Add(int64(n))
	return n, err
}

// watch returns the engine with its searches counted by their starting rows.
func (m *meter) watch(e matcher.Engine) matcher.Engine {
	if m == nil {
		return e
	}
	return watched{e, m}
}

type watched struct {
	matcher.Engine
	m *meter
}

func (w watched) Compile(c *semantics.Clause, lim matcher.Limits) (matcher.Program, error) {
	p, err := w.Engine.Compile(c, lim)
	if s, ok := p.(matcher.Scanner); ok {
		return &watchedScanner{watchedProgram{Program: p, m: w.m}, s}, err
	}
	return &watchedProgram{Program: p, m: w.m}, err
}

// watchedScanner keeps the scan of a program that has its own, of which only
// the time is shown.
type watchedScanner struct {
	watchedProgram
	scan matcher.Scanner
}

func (w *watchedScanner) Recognize(ctx context.Context, in *table.Table) (*table.Table, error) {
	w.m.phase(fmt.Sprintf("matching %d rows", in.NumRows()), "", 0)
	return w.scan.Recognize(ctx, in)
}

type watchedProgram struct {
	matcher.Program
	m      *meter
	table  *table.Table // whose partitions are searched
	behind int          // rows of the partitions before the one in hand
	rows   int          // rows of the one in hand
}

func (w *watchedProgram) Partition(p *semantics.Partition) (matcher.Finder, error) {
	if w.behind += w.rows; p.Table != w.table {
		w.table, w.behind = p.Table, 0
		w.m.phase("matching", "rows", int64(p.Table.NumRows()))
	}
	w.rows = p.Len()
	f, err := w.Program.Partition(p)
	return &watchedFinder{f, w.m, int64(w.behind)}, err
}

type watchedFinder struct {
	matcher.Finder
	m      *meter
	behind int64
}

func (w *watchedFinder) Find(ctx context.Context, a matcher.Attempt) (semantics.Mapping, bool, error) {
	w.m.done.Store(w.behind + int64(a.Start))
	return w.Finder.Find(ctx, a)
}

// cases shows how many answers there are.
func (m *meter) cases(done, total int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.what, m.unit, m.total = "asking", "answers", int64(total)
	m.mu.Unlock()
	m.done.Store(int64(done))
}

// above prints a line that stays, in place of the meter's; nil prints it alone.
func (m *meter) above(w io.Writer, line string) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.shown > 0 {
			fmt.Fprintf(m.out, "\r%s\r", strings.Repeat(" ", m.shown))
		}
	}
	fmt.Fprintln(w, line)
}
