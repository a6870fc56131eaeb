package diff

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/known"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/exec"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/oracle/perl"
	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Settings are what all engines of a run have in common.
type Settings struct {
	Timeout  time.Duration        // of one question; 0: the engine's own
	Hostile  bool                 // put hostile cases, and to servers that others use unbounded ones
	Insecure bool                 // Trino: send secrets over plain http, do not verify certificates
	Clients  int                  // Trino: statements at a time, to a server started here
	Catalog  string               // Trino: where tables without one are looked up
	Schema   string               // Trino: likewise
	Sent     func(sql string)     // Trino: told of every statement that is sent; may be nil
	Readings []string             // choices that the engines make, such as IMP-NULLS=alternative
	Log      func(string, ...any) // told of slow steps; may be nil
}

// Engine is an engine of a run.
type Engine struct {
	Spec     string // as it was selected
	Name     string // in tables; what the engine calls itself, once it is connected
	Version  string
	Opinion  crosscheck.Opinion
	Subject  oracle.Oracle // answers Map cases
	Readings []string      // its choices where the standard leaves one
	Known    *known.List

	sets     int // inputs for each random pattern; 0: the usual number
	together int // random patterns that are asked together; 0: the usual number
	hostile  bool
	fixed    bool // the name does not come from the engine
	once     sync.Once
	err      error
}

// Forms are the ways in which an engine is written on the command line.
const Forms = "exec:COMMAND, trino, trino:http(s)://HOST:PORT, trino:docker[:IMAGE], trino:jvm[:VERSION], trino-window... (patterns in windows), perl, faux:FAULT"

// Open makes the engine of a spec. Nothing is started before it is asked. The
// error is a *diag.Error about the spec or the settings.
func Open(spec string, s Settings) (*Engine, error) {
	if _, err := readings.Parse(s.Readings...); err != nil {
		return nil, err
	}
	e := &Engine{Spec: spec, Name: spec, Readings: s.Readings, hostile: s.Hostile}
	kind, rest, _ := strings.Cut(spec, ":")
	switch kind {
	case "exec":
		command, err := exec.SplitCommand(rest)
		if err != nil {
			return nil, err
		}
		e.outside(&viaQuery{exec.New(exec.Options{Command: command, Timeout: s.Timeout})}, s.Hostile)
	case "perl":
		e.fixed = true
		e.outside(perl.New(perl.Options{Command: rest, Timeout: s.Timeout}), s.Hostile)
	case "trino", "trino-window":
		o, err := trino.New(strings.Replace(spec, "trino-window", "trino", 1), trino.Options{Insecure: s.Insecure, Hostile: s.Hostile, Timeout: s.Timeout, Clients: s.Clients, Catalog: s.Catalog, Schema: s.Schema, Sent: s.Sent, Log: s.Log})
		if err != nil {
			return nil, err
		}
		if kind == "trino-window" {
			o = o.Window()
		}
		e.Name, e.fixed, e.hostile = o.Name(), true, true // the oracle withholds what it must itself
		// A pattern costs Trino its planning, and rows next to nothing.
		e.sets, e.together = 20, 96
		e.Readings = append(o.Profile().Readings.List(), s.Readings...)
		e.outside(o, s.Hostile)
	case "faux":
		m, err := faux.New(rest)
		if err != nil {
			return nil, err
		}
		e.Name, e.fixed, e.hostile = m.Name(), true, true
		e.Opinion = &opinion{engine: e, from: mutantOpinion(m.Name())}
		e.Subject = newLocalSubject(m)
	default:
		return nil, diag.New(diag.Semantic, "DATA-1", diag.Pos{}, "there is no engine %.60q", spec).WithHint("write %s", Forms)
	}
	return e, nil
}

// mutantOpinion finds the opinion of a mutant, or of the engine of the mutants
// without a fault.
func mutantOpinion(name string) crosscheck.Opinion {
	for _, o := range crosscheck.Mutants() {
		if o.Name() == name {
			return o
		}
	}
	return crosscheck.HonestMutant("")
}

func (e *Engine) outside(o oracle.Oracle, hostile bool) {
	e.Opinion, e.Subject = newOpinion(e, o, hostile), o
}

// Connect reaches the engine, and learns its name and version. The error says
// why it cannot be reached.
func (e *Engine) Connect(ctx context.Context) error {
	e.once.Do(func() {
		version, err := e.Subject.Version(ctx)
		if err != nil {
			e.err = err
			return
		}
		e.Version = version
		if i := strings.LastIndexByte(version, ' '); i > 0 && !e.fixed {
			e.Name, e.Version = version[:i], version[i+1:]
		}
	})
	return e.err
}

// Close ends what was started.
func (e *Engine) Close() error { return e.Opinion.Close() }

// withheld says why a case is not put to the engine.
func (e *Engine) withheld(c *corpus.Case) string {
	if !e.hostile && c.Theme() == "hostile" {
		return "hostile cases are put with --hostile only"
	}
	return ""
}

// SQL writes a question as the engine gets it: its own SQL where it has one,
// else the statement of the standard with its tables as VALUES.
func (e *Engine) SQL(c *oracle.Case) string {
	if s, ok := e.Subject.(interface {
		SQL(*oracle.Case) (string, error)
	}); ok {
		if sql, err := s.SQL(c); err == nil {
			return sql
		}
	}
	return StandardSQL(c)
}

// Ask puts one case.
func (e *Engine) Ask(ctx context.Context, c *corpus.Case) crosscheck.Reply {
	return e.Opinion.Ask(ctx, []*corpus.Case{c})[0]
}

// localSubject is an engine within this process that answers Map cases.
type localSubject struct {
	oracle.Oracle
	name string
}

func newLocalSubject(m matcher.Engine) oracle.Oracle {
	return &localSubject{Oracle: subjectOf(m), name: m.Name()}
}

func (l *localSubject) Name() string { return l.name }

// Reachable describes an engine for the list of engines.
type Reachable struct {
	Spec    string
	Version string
	Problem string // why it cannot be reached
	Help    string // how to get it
}

// Survey says of every kind of engine whether it can be reached here. Engines
// of more are asked too; without probe nothing is started but Perl, whose start
// is quick, and the engines of more.
func Survey(ctx context.Context, more []string, probe bool, s Settings) []Reachable {
	specs := append([]string{"perl"}, more...)
	if url := os.Getenv(trino.EnvURL); url != "" {
		specs = append(specs, "trino:"+url)
	}
	if probe {
		specs = append(specs, "trino:docker", "trino:jvm")
	}
	var out []Reachable
	for _, spec := range specs {
		r := Reachable{Spec: spec, Help: help(spec)}
		e, err := Open(spec, s)
		if err == nil {
			if err = e.Connect(ctx); err == nil {
				r.Version = strings.TrimSpace(e.Name + " " + e.Version)
			}
			e.Close()
		}
		if err != nil {
			r.Problem = diag.From(err).Message
		}
		out = append(out, r)
	}
	if !probe {
		for _, spec := range []string{"trino:docker", "trino:jvm"} {
			out = append(out, Reachable{Spec: spec, Problem: "not tried: it is started for a run, or by engines --start", Help: help(spec)})
		}
	}
	out = append(out, Reachable{Spec: "faux:FAULT", Version: "part of rprcheck", Help: "an engine with one published fault; corpus lint lists them"})
	return append(out, Reachable{Spec: "exec:COMMAND", Problem: "name it with --engine", Help: help("exec:")})
}

func help(spec string) string {
	kind, rest, _ := strings.Cut(spec, ":")
	switch {
	case kind == "perl":
		return "install the package perl; patterns only"
	case kind == "exec":
		return "any program that speaks the protocol: adapters/template, adapters/pandas"
	case rest == "docker":
		return "needs a Docker engine and the image " + trino.DefaultImage
	case rest == "jvm":
		return "needs a JDK 25 and Maven, which fetches the server's jars once"
	case kind == "trino":
		return "a server of yours, by its address or by " + trino.EnvURL
	}
	return ""
}
