package bench

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// CSVRows is the number of rows of the large CSV file, of about 500 MB.
const CSVRows = 10_000_000

// csvQuery is the three-step funnel over the large file.
const csvQuery = `SELECT * FROM events MATCH_RECOGNIZE (
  PARTITION BY visitor ORDER BY seq
  MEASURES FIRST(ts) AS t0, LAST(ts) AS t1, SUM(amount) AS amount
  PATTERN (BROWSE SELECT_IT CHECKOUT)
  DEFINE BROWSE AS action = 'browse', SELECT_IT AS action = 'select', CHECKOUT AS action = 'checkout') AS m`

// WriteCSV writes the rows of the three-step funnel with a time, an amount and
// a text besides: about 50 bytes a row.
func WriteCSV(w io.Writer, n int) error {
	out := bufio.NewWriterSize(w, 1<<20)
	action := cycle("browse", "select", "checkout", "idle")
	line := []byte("visitor,seq,ts,action,amount,page\n")
	for i := range n {
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = strconv.AppendInt(line[:0], int64(i/10), 10)
		line = append(line, ',')
		line = strconv.AppendInt(line, int64(i), 10)
		second := i / 8
		line = fmt.Appendf(line, ",2026-%02d-%02d %02d:%02d:%02d,", 1+second/86400/28%12, 1+second/86400%28, second/3600%24, second/60%60, second%60)
		line = append(line, action(i)...)
		line = fmt.Appendf(line, ",%d.%02d,/p/%d\n", random(i, 1000), random(i+1, 100), random(i+2, 100))
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.Flush()
}

// csvMatches is the number of matches among n rows: visitors have ten rows, of
// which the steps begin at rows 0, 4 and 8 or at 2 and 6 of the ten.
func csvMatches(n int) int {
	matches := 0
	for i := 0; i+2 < n; i++ {
		if i%4 == 0 && i/10 == (i+2)/10 {
			matches++
		}
	}
	return matches
}

// largeCSV compares a query over a file with the reading alone, and the reading
// with encoding/csv. The file is made if it is not there, and stays.
func (r *runner) largeCSV(path string) error {
	n := CSVRows / r.o.Divide
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := makeCSV(path, n); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	rows, matches := 0, 0
	costs, err := inTurns(r.o.Times, func() (err error) {
		rows, err = splitCSV(path)
		return err
	}, func() error {
		in, err := readCSV(path)
		if err == nil && in.NumRows() != rows {
			r.report.Wrong++
		}
		return err
	}, func() error {
		in, err := readCSV(path)
		if err != nil {
			return err
		}
		matches, err = r.query(r.ctx, in)
		return err
	})
	if err != nil {
		return err
	}
	split, reading, whole := costs[0], costs[1], costs[2]
	if want := csvMatches(rows); matches != want {
		r.report.Wrong++
		r.printf("| large CSV | WRONG: %d matches, not %d | | |\n", matches, want)
	}
	r.printf("| CSV of %d rows, %d MB: encoding/csv %.0f ms, reading %.0f ms, query %.0f ms, peak %d MB | | | |\n",
		rows, info.Size()>>20, ms(split), ms(reading), ms(whole), whole.Peak>>20)
	r.judge("reading a CSV against encoding/csv", float64(reading.CPU)/float64(split.CPU), 2, "")
	r.judge("a query over a CSV against its reading", float64(whole.CPU)/float64(reading.CPU), 1.3, "")
	return nil
}

func makeCSV(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(WriteCSV(f, n), f.Close())
}

// splitCSV counts the rows of a file by encoding/csv.
func splitCSV(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	c := csv.NewReader(bufio.NewReaderSize(f, 1<<20))
	c.ReuseRecord = true
	for n := -1; ; n++ { // the header is no row
		if _, err := c.Read(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

func readCSV(path string) (*table.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return table.ReadCSV(f, table.ReadOptions{File: path})
}

// query returns the number of matches.
func (r *runner) query(ctx context.Context, in *table.Table) (int, error) {
	res, err := query.Run(ctx, csvQuery, query.Options{
		Recognizer: matcher.Using(r.o.Engine, r.o.Limits),
		Tables:     func(name string, _ bool) (*table.Table, bool, error) { return in, name == "EVENTS", nil },
	})
	if err != nil {
		return 0, err
	}
	return res.Table.NumRows(), nil
}
