package rprcheck_test

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/rprcheck/rprcheck"

// packages returns the packages of the module with the packages of the module
// that they import, directly or not, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		var own []string
		for _, dep := range words[1:] {
			if name, ok := inModule(dep); ok {
				own = append(own, name)
			} else if strings.HasPrefix(dep, "github.com/pingcap/tidb/") {
				own = append(own, "tidb")
			}
		}
		name, _ := inModule(words[0])
		deps[name] = own
	}
	if len(deps) < 10 {
		t.Fatalf("go list finds %d packages", len(deps))
	}
	return deps
}

// inModule cuts the module off a path; the root package is ".".
func inModule(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// layers are the rooms of the house from the top down. A package may import
// what stands in a lower layer, and packages of its own layer as the rules
// below allow; a longer prefix wins.
var layers = []string{
	"cmd", "crosscheck", "fuzz", "oracle", ".", "matcher", "semantics/query", "semantics", "semantics/scalar",
	"semantics/internal/sqlexpr", "semantics/table", "semantics/internal/token", "semantics/readings", "semantics/value",
	"semantics/rulebook", "semantics/diag",
}

func layer(name string) int {
	best, length := -1, -1
	for i, l := range layers {
		if (name == l || strings.HasPrefix(name, l+"/")) && len(l) > length {
			best, length = i, len(l)
		}
	}
	return best
}

func TestImportsRunDownward(t *testing.T) {
	for name, deps := range packages(t) {
		if layer(name) < 0 {
			t.Errorf("%s stands in no layer", name)
		}
		for _, dep := range deps {
			if dep != "tidb" && layer(dep) < layer(name) {
				t.Errorf("%s imports %s, which stands above it", name, dep)
			}
		}
	}
}

// forbidden lists what the layers alone do not say.
var forbidden = []struct {
	from, to string
	except   []string // packages below from that may
	why      string
}{
	{"semantics", "matcher", nil, "the language knows no search"},
	{"matcher/reference", "matcher/enumerate", nil, "the matchers share no search code"},
	{"matcher/reference", "matcher/nfa", nil, "the matchers share no search code"},
	{"matcher/enumerate", "matcher/reference", nil, "the matchers share no search code"},
	{"matcher/enumerate", "matcher/nfa", nil, "the matchers share no search code"},
	{"matcher/nfa", "matcher/reference", nil, "the matchers share no search code"},
	{"matcher/nfa", "matcher/enumerate", nil, "the matchers share no search code"},
	{"oracle", "matcher/reference", []string{"oracle/faux"}, "an outside opinion is not ours"},
	{"oracle", "matcher/enumerate", []string{"oracle/faux"}, "an outside opinion is not ours"},
	{"oracle", "matcher/nfa", []string{"oracle/faux"}, "an outside opinion is not ours"},
	{"crosscheck/corpus", "matcher/reference", nil, "case files are read without any matcher"},
	{"crosscheck/corpus", "matcher/enumerate", nil, "case files are read without any matcher"},
	{"semantics/value", "tidb", nil, "only internal/sqlexpr imports the parser"},
	{"semantics/table", "tidb", nil, "only internal/sqlexpr imports the parser"},
	{"semantics/internal/token", "tidb", nil, "only internal/sqlexpr imports the parser"},
	{"semantics/diag", "tidb", nil, "only internal/sqlexpr imports the parser"},
	{"semantics/rulebook", "semantics", nil, "the rulebook knows nothing of SQL"},
}

func TestForbiddenImports(t *testing.T) {
	all := packages(t)
	for _, f := range forbidden {
		for name, deps := range all {
			if !within(name, f.from) {
				continue
			}
			allowed := false
			for _, e := range f.except {
				allowed = allowed || within(name, e)
			}
			for _, dep := range deps {
				if within(dep, f.to) && !within(dep, f.from) && !allowed {
					t.Errorf("%s imports %s: %s", name, dep, f.why)
				}
			}
		}
	}
}

func within(name, room string) bool { return name == room || strings.HasPrefix(name, room+"/") }

// Only internal/sqlexpr imports TiDB's parser itself.
func TestOnlyOneImporterOfTheParser(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name, _ := inModule(words[0])
		for _, dep := range words[1:] {
			if strings.HasPrefix(dep, "github.com/pingcap/") {
				found++
				if name != "semantics/internal/sqlexpr" {
					t.Errorf("%s imports %s", name, dep)
				}
			}
		}
	}
	if found == 0 {
		t.Error("nothing imports the parser: the test sees nothing")
	}
}
