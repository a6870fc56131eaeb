package audit

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/reduce"
)

// plan is what is sent.
type plan struct {
	rec    reduce.Recognition
	with   string // WITH ... of the statement, which the source may need
	sample float64
}

// newPlan finds the one recognition of a statement, or says why it cannot be
// audited.
func newPlan(sql string, sample float64) (*plan, error) {
	list, windows := reduce.Recognitions(sql)
	switch {
	case windows > 0:
		return nil, usage("the query has a row pattern in a window: only MATCH_RECOGNIZE in FROM is audited")
	case len(list) == 0:
		return nil, usage("the query has no MATCH_RECOGNIZE")
	case len(list) > 1:
		return nil, usage("the query has %d recognitions: audit them one by one, each in a query of its own", len(list))
	case sample > 0 && sample < 1 && len(list[0].Keys) == 0:
		return nil, usage("--sample takes whole partitions, and the recognition has no PARTITION BY")
	}
	p := &plan{rec: list[0], sample: sample}
	if before := strings.TrimSpace(p.rec.Before); len(before) > 4 && strings.EqualFold(before[:4], "WITH") {
		if p.with = withOf(before); p.with == "" {
			return nil, usage("the recognition stands inside a WITH query: audit that query for itself")
		}
	}
	return p, nil
}

// withOf cuts WITH ... off the text before the source; "" if the source lies
// within it.
func withOf(before string) string {
	depth := 0
	for i := 0; i < len(before); i++ {
		switch before[i] {
		case '\'', '"':
			if end := strings.IndexByte(before[i+1:], before[i]); end >= 0 {
				i += end + 1
			}
		case '(':
			depth++
		case ')':
			depth--
		case 's', 'S':
			if depth == 0 && len(before) >= i+6 && strings.EqualFold(before[i:i+6], "SELECT") && (i == 0 || before[i-1] <= ' ' || before[i-1] == ')') {
				return strings.TrimSpace(before[:i]) + "\n"
			}
		}
	}
	return ""
}

// samples is how finely a sample divides the partitions, which are taken whole.
const samples = 100_000

// source is the recognised table, of which a sample takes some partitions, and
// only some one partition.
func (p *plan) source(only string) string {
	var where []string
	if p.sample > 0 && p.sample < 1 {
		var keys []string
		for _, k := range p.rec.Keys {
			keys = append(keys, "coalesce(CAST("+k+" AS varchar), '\\N')")
		}
		where = append(where, fmt.Sprintf("mod(abs(from_big_endian_64(xxhash64(to_utf8(concat_ws('|', %s)))) %% 1000000007), %d) < %d", strings.Join(keys, ", "), samples, int(p.sample*samples+0.5)))
	}
	if only != "" {
		where = append(where, only)
	}
	if len(where) == 0 {
		return p.rec.Source
	}
	alias := ""
	if p.rec.Alias != "" && !strings.Contains(p.rec.Alias, ".") {
		alias = " AS " + p.rec.Alias
	}
	return "(SELECT * FROM " + p.rec.Source + " WHERE " + strings.Join(where, " AND ") + ")" + alias
}

// rows is the statement for the input, in the order of the partitions.
func (p *plan) rows(only string) string {
	return p.with + "SELECT * FROM " + p.source(only) + p.orderBy(append(p.keys(), p.rec.Order...))
}

// result is the statement for the server's result, in the same order of the
// partitions. The recognition is put as it is written.
func (p *plan) result(only string) string {
	return p.with + "SELECT * FROM " + p.source(only) + "\n" + p.rec.Clause + " AS rprcheck_result" + p.orderBy(p.names())
}

func (p *plan) keys() []string {
	var out []string
	for _, k := range p.rec.Keys {
		out = append(out, k+" ASC NULLS LAST")
	}
	return out
}

// names are the partition columns as the output has them, without qualifiers.
func (p *plan) names() []string {
	var out []string
	for _, k := range p.rec.Keys {
		if i := strings.LastIndexByte(k, '.'); i >= 0 {
			k = k[i+1:]
		}
		out = append(out, strings.TrimSpace(k)+" ASC NULLS LAST")
	}
	return out
}

func (p *plan) orderBy(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return "\nORDER BY " + strings.Join(keys, ", ")
}
