package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// scan is one way to read. `read` returns the number of rows that it found, and the sum of their amounts.
type scan struct {
	name                 string
	weight               int
	control              bool // Each page of it shows another moment, so it must find halves of batches.
	read                 func(r *reader) (found, error)
	want                 found
	reads, halves, early atomic.Int64
}

// found is a number of rows and the sum of an amount over them.
type found struct{ rows, sum int64 }

func of(rows, each int64) found { return found{rows, rows * each} }

// reader makes one random read after the other.
type reader struct {
	campaign *scanCampaign
	random   *rand.Rand
}

const (
	pageOfAll = 50_000 // A page of this size holds every table that is read by rows.
	noPages   = 0
)

var (
	allAccounts = of(accountPartitions*accountRows, amount)
	ofATag      = of(rowsOfATag, amount)
	allWide     = of(wideRows, amount)
	allBuckets  = of(bucketRows, amount)
	accounts    = "SELECT v FROM ks.accounts"
	partitions  = strings.TrimSuffix(strings.Repeat("?,", accountPartitions), ",")
)

var scans = []*scan{
	{name: "page of rows: a partition", weight: 8, want: allWide,
		read: rows("SELECT v FROM ks.wide WHERE p = 0", pageOfAll)},
	{name: "page of rows: a partition, backwards", weight: 8, want: allWide,
		read: rows("SELECT v FROM ks.wide WHERE p = 0 ORDER BY c DESC", pageOfAll)},
	{name: "page of rows: a whole table", weight: 8, want: allAccounts, read: rows(accounts, pageOfAll)},
	{name: "page of rows: filtered", weight: 6, want: allAccounts,
		read: rows(accounts+" WHERE x > -1000000000 ALLOW FILTERING", pageOfAll)},
	{name: "page of rows: 30 partitions by IN", weight: 6, want: allAccounts,
		read: rows(accounts+" WHERE p IN ("+partitions+")", pageOfAll)},
	{name: "page of rows: token range", weight: 5, want: allAccounts,
		read: rows(accounts+" WHERE token(p) > -9223372036854775808", pageOfAll)},
	{name: "rows without pages: a whole table", weight: 6, want: allAccounts, read: rows(accounts, noPages)},
	{name: "rows without pages: a merge of 16 buckets", weight: 6, want: allBuckets,
		read: rows("SELECT v FROM ks.buckets WHERE ts >= 0", noPages)},
	{name: "page of rows: a merge of 16 buckets, backwards", weight: 6, want: allBuckets,
		read: rows("SELECT v FROM ks.buckets WHERE ts >= 0 ORDER BY ts DESC", pageOfAll)},
	{name: "page of rows: an index", weight: 8, want: ofATag,
		read: taggedRows("SELECT v FROM ks.accounts WHERE tag = ?")},
	{name: "page of rows: a view", weight: 8, want: ofATag, read: taggedRows("SELECT v FROM ks.by_tag WHERE tag = ?")},
	{name: "aggregate: a partition", weight: 10, want: allWide,
		read: aggregate("SELECT count(*), sum(v) FROM ks.wide WHERE p = 0")},
	{name: "aggregate: a whole table", weight: 10, want: allAccounts,
		read: aggregate("SELECT count(*), sum(v) FROM ks.accounts")},
	{name: "aggregate: a merge of 16 buckets", weight: 10, want: allBuckets,
		read: aggregate("SELECT count(*), sum(v) FROM ks.buckets WHERE ts >= 0")},
	{name: "aggregate: an index", weight: 10, want: ofATag,
		read: taggedAggregate("SELECT count(*), sum(v) FROM ks.accounts WHERE tag = ?")},
	{name: "aggregate: a view", weight: 10, want: ofATag,
		read: taggedAggregate("SELECT count(*), sum(v) FROM ks.by_tag WHERE tag = ?")},
	{name: "aggregate: 110,000 partitions in several threads", weight: 1, want: of(spreadRows, amount),
		read: aggregate("SELECT count(*), sum(v) FROM ks.spread")},
	{name: "page of groups: a whole table", weight: 8, want: allAccounts,
		read: groups("SELECT count(*), sum(v) FROM ks.accounts GROUP BY p")},
	{name: "HTTP without pages, JSON: a whole table", weight: 4, want: allAccounts, read: httpRows(accounts)},
	{name: "HTTP without pages, CSV: a whole table", weight: 5, want: allAccounts, read: httpCSV(accounts)},
	{name: "HTTP without pages, JSON: a partition", weight: 4, want: allWide,
		read: httpRows("SELECT v FROM ks.wide WHERE p = 0")},
	{name: "snapshot: pages of 700 rows", weight: 4, want: allAccounts, read: snapshotPages},
	{name: "snapshot: two tables in two statements", weight: 6, want: of(accountPartitions*accountRows+bucketRows, shared),
		read: snapshotTables},
	{name: "pages of 500 rows without a snapshot", weight: 1, control: true, want: allAccounts, read: severalPages},
}

// once makes one read and compares its result with the expected one.
func (r *reader) once() {
	all := 0
	for _, s := range scans {
		all += s.weight
	}
	dice := r.random.IntN(all)
	for _, s := range scans {
		if dice -= s.weight; dice >= 0 {
			continue
		}
		got, err := s.read(r)
		switch {
		case err == errEarly:
			s.early.Add(1)
		case err != nil:
			r.campaign.fail(fmt.Errorf("%s: %w", s.name, err))
		default:
			s.reads.Add(1)
			if got != s.want {
				if s.halves.Add(1) <= 3 && !s.control {
					fmt.Printf("%s: %d rows, sum %d, not %d rows, sum %d\n", s.name, got.rows, got.sum, s.want.rows, s.want.sum)
				}
			}
		}
		return
	}
}

var errEarly = fmt.Errorf("the page ended early")

func (r *reader) query(text string, values ...any) *gocql.Query {
	return r.campaign.session.Query(text, values...)
}

// sumOf adds up the rows of one page. If `page` is 0, it reads without pages.
func sumOf(q *gocql.Query, page int) (found, error) {
	iter := q.PageSize(page).PageState(nil).Iter()
	var got found
	var v int64
	for iter.Scan(&v) {
		got.rows++
		got.sum += v
	}
	more := len(iter.PageState()) > 0
	if err := iter.Close(); err != nil {
		return got, err
	}
	if more {
		return got, errEarly
	}
	return got, nil
}

func rows(text string, page int) func(*reader) (found, error) {
	return func(r *reader) (found, error) {
		var values []any
		for i := range strings.Count(text, "?") {
			values = append(values, i)
		}
		return sumOf(r.query(text, values...), page)
	}
}

func taggedRows(text string) func(*reader) (found, error) {
	return func(r *reader) (found, error) { return sumOf(r.query(text, r.random.IntN(tags)), pageOfAll) }
}

// one reads a single row, which has a number of rows and a sum.
func one(q *gocql.Query) (got found, err error) {
	err = q.Scan(&got.rows, &got.sum)
	return got, err
}

func aggregate(text string) func(*reader) (found, error) {
	return func(r *reader) (found, error) { return one(r.query(text)) }
}

func taggedAggregate(text string) func(*reader) (found, error) {
	return func(r *reader) (found, error) { return one(r.query(text, r.random.IntN(tags))) }
}

func groups(text string) func(*reader) (found, error) {
	return func(r *reader) (found, error) {
		iter := r.query(text).Iter()
		var got, group found
		for iter.Scan(&group.rows, &group.sum) {
			got.rows += group.rows
			got.sum += group.sum
		}
		return got, iter.Close()
	}
}

func (f *found) add(rows [][]*int64) {
	for _, row := range rows {
		f.rows++
		f.sum += *row[0]
	}
}

func httpRows(text string) func(*reader) (found, error) {
	return func(r *reader) (got found, err error) {
		var answer rowsAnswer
		err = r.campaign.http.ask("POST", "/v1/query", queryBody{Query: text}, &answer)
		got.add(answer.Rows)
		return got, err
	}
}

func httpCSV(text string) func(*reader) (found, error) {
	return func(r *reader) (got found, err error) {
		body := strings.NewReader(fmt.Sprintf(`{"query": %q, "format": "csv"}`, text))
		answer, err := r.campaign.http.client.Post("http://"+r.campaign.http.address+"/v1/query", "application/json", body)
		if err != nil {
			return got, err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return got, fmt.Errorf("status %d", answer.StatusCode)
		}
		lines := csv.NewReader(answer.Body)
		lines.ReuseRecord = true
		for line := 0; ; line++ {
			record, err := lines.Read()
			if err == io.EOF {
				return got, nil
			}
			if err != nil {
				return got, err
			}
			if line > 0 { // The first line has the names.
				v, err := strconv.ParseInt(record[0], 10, 64)
				if err != nil {
					return got, err
				}
				got.rows++
				got.sum += v
			}
		}
	}
}

// pages reads ks.accounts in pages: on a snapshot, or without one, so that each page shows another moment.
func (r *reader) pages(size int, snapshot string) (got found, err error) {
	body := queryBody{Query: accounts, PageSize: size, Snapshot: snapshot}
	for {
		var answer rowsAnswer
		if err := r.campaign.http.ask("POST", "/v1/query", body, &answer); err != nil {
			return got, err
		}
		got.add(answer.Rows)
		if body.Page = answer.Page; body.Page == "" {
			return got, nil
		}
	}
}

func severalPages(r *reader) (found, error) { return r.pages(500, "") }

func snapshotPages(r *reader) (found, error) {
	id, err := r.campaign.http.openSnapshot()
	if err != nil {
		return found{}, err
	}
	defer r.campaign.http.closeSnapshot(id)
	return r.pages(700, id)
}

// snapshotTables reads two tables on a snapshot and adds up the amounts that move between them.
func snapshotTables(r *reader) (got found, err error) {
	id, err := r.campaign.http.openSnapshot()
	if err != nil {
		return found{}, err
	}
	defer r.campaign.http.closeSnapshot(id)
	for _, text := range []string{"SELECT count(*), sum(x) FROM ks.accounts", "SELECT count(*), sum(x) FROM ks.buckets WHERE ts >= 0"} {
		var answer rowsAnswer
		if err := r.campaign.http.ask("POST", "/v1/query", queryBody{Query: text, Snapshot: id}, &answer); err != nil {
			return got, err
		}
		got.rows += *answer.Rows[0][0]
		got.sum += *answer.Rows[0][1]
	}
	return got, nil
}
