package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/reduce"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// plan is what is sent for one recognition.
type plan struct {
	rec    reduce.Recognition
	sample float64
}

// newPlans finds the recognitions of a statement, or says why it cannot be
// audited.
func newPlans(sql string, sample float64) ([]*plan, error) {
	list, windows := reduce.Recognitions(sql)
	switch {
	case windows > 0:
		return nil, usage("the query has a row pattern in a window: only MATCH_RECOGNIZE in FROM is audited").
			WithHint("a window's matches depend on frames that the server does not show: ask by MATCH_RECOGNIZE ... AFTER MATCH SKIP TO NEXT ROW, and audit that")
	case len(list) == 0:
		return nil, usage("the query has no MATCH_RECOGNIZE")
	}
	var plans []*plan
	for _, rec := range list {
		if sample > 0 && sample < 1 && len(rec.Keys) == 0 {
			return nil, usage("--sample takes whole partitions, and the recognition has no PARTITION BY").WithHint("leave --sample out")
		}
		plans = append(plans, &plan{rec: rec, sample: sample})
	}
	return plans, nil
}

func usage(format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "DATA-1", diag.Pos{}, format, args...).WithHint("rprcheck audit --help shows what can be written")
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
		where = append(where, "("+only+")")
	}
	if len(where) == 0 {
		return p.rec.Source
	}
	return "(SELECT * FROM " + p.rec.Source + " WHERE " + strings.Join(where, " AND ") + ")" + aliased(p.rec.Alias)
}

// rows is the statement for the input, in the order of the partitions.
func (p *plan) rows(only string) string {
	return p.with() + "SELECT * FROM " + p.source(only) + p.orderBy(append(p.keys(), p.rec.Order...))
}

// result is the statement for the server's result, in the same order of the
// partitions. The recognition is put as it is written.
func (p *plan) result(only string) string {
	return p.with() + "SELECT * FROM " + p.source(only) + "\n" + p.rec.Clause + " AS rprcheck_result" + p.orderBy(p.names())
}

func (p *plan) with() string {
	if p.rec.With == "" {
		return ""
	}
	return p.rec.With + "\n"
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
		out = append(out, bare(k)+" ASC NULLS LAST")
	}
	return out
}

// keyNames are the folded names of the partition columns: the server's names of
// columns have no case, in quotes or not.
func (p *plan) keyNames() []string {
	var out []string
	for _, k := range p.rec.Keys {
		k = bare(k)
		if strings.HasPrefix(k, `"`) {
			k = strings.ReplaceAll(strings.Trim(k, `"`), `""`, `"`)
		}
		out = append(out, table.FoldName(k))
	}
	return out
}

// bare takes the qualifier off a column.
func bare(k string) string {
	inQuotes := false
	from := 0
	for i := range len(k) {
		switch {
		case k[i] == '"':
			inQuotes = !inQuotes
		case k[i] == '.' && !inQuotes:
			from = i + 1
		}
	}
	return strings.TrimSpace(k[from:])
}

// folded writes the quoted names of columns as the rules fold names: the server
// finds a column whatever the case of its name. Quoted names of other things
// stay as they are.
func folded(clause string, columns []string) string {
	var b strings.Builder
	for i := 0; i < len(clause); {
		q := clause[i]
		if q != '\'' && q != '"' {
			b.WriteByte(q)
			i++
			continue
		}
		end := i + 1
		for end < len(clause) && (clause[end] != q || end+1 < len(clause) && clause[end+1] == q) {
			if clause[end] == q {
				end++
			}
			end++
		}
		end = min(end+1, len(clause))
		word := clause[i:end]
		if name := table.FoldName(strings.Trim(word, `"`)); q == '"' && slices.Contains(columns, name) {
			word = `"` + name + `"`
		}
		b.WriteString(word)
		i = end
	}
	return b.String()
}

func (p *plan) orderBy(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return "\nORDER BY " + strings.Join(keys, ", ")
}
