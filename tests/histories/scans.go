package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// This campaign reads beside batches. Writers send random batches over one and many partitions. The batches move amounts and rows
// so that all sums and all numbers of rows stay the same. Readers read in every way that Widerow has. If a sum is wrong, the
// reader has seen half a batch.

// The sizes of the tables, and the values of their rows at the beginning.
const (
	accountPartitions, accountRows = 30, 100 // The table has an index and a view on `tag`.
	tags                           = 3
	wideRows                       = 2_500   // All are in one partition.
	bucketRows                     = 2_000   // They are in 16 buckets, which a read merges.
	spreadRows                     = 110_000 // Each is a partition. An aggregate reads this many with several threads.
	amount, shared                 = 100, 50 // The values of the columns v and x of each row. Amounts in x also move between tables.
	rowsOfATag                     = accountPartitions * accountRows / tags
)

var scanTables = []string{
	"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
	"CREATE TABLE ks.accounts (p int, c int, tag int, v bigint, x bigint, PRIMARY KEY (p, c))",
	"CREATE INDEX ON ks.accounts (tag)",
	"CREATE MATERIALIZED VIEW ks.by_tag AS SELECT p, c, tag, v FROM ks.accounts " +
		"WHERE tag IS NOT NULL AND p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (tag, p, c)",
	"CREATE TABLE ks.wide (p int, c int, v bigint, PRIMARY KEY (p, c))",
	"CREATE TABLE ks.buckets (b int GENERATED ALWAYS AS (bucket(ts, 16)), ts bigint, v bigint, x bigint, PRIMARY KEY ((b), ts))",
	"CREATE TABLE ks.spread (p int PRIMARY KEY, v bigint)",
}

// scanCampaign has the server's clients and the state of the campaign.
type scanCampaign struct {
	session *gocql.Session
	http    *httpReader
	stop    atomic.Bool
	batches atomic.Int64
	failure atomic.Pointer[error]
}

func (c *scanCampaign) fail(err error) { c.failure.CompareAndSwap(nil, &err) }

// shown tells whether a read of several moments has seen half a batch.
func shown() bool {
	for _, s := range scans {
		if s.control && s.halves.Load() > 0 {
			return true
		}
	}
	return false
}

func runScans(o options, reads int) error {
	server := &process{name: "the server", shim: o.shim, clock: clock{filepath.Join(o.directory, "no-shift")}, arguments: func() []string {
		return []string{o.widerow, "serve", "--data", filepath.Join(o.directory, "data"), "--port", "0", "--http-port", "0",
			"--durability", "none", "--memtable", "1M"} // With 1M, folds run all the time.
	}}
	line, err := server.start()
	if err != nil {
		return err
	}
	found := addresses(line)
	c := &scanCampaign{http: newHTTPReader(found["http"])}
	c.http.client.Timeout = time.Minute
	if c.session, err = connect(found["cql"], time.Minute); err != nil {
		return err
	}
	writers, err := c.load()
	if err != nil {
		return err
	}
	begin := time.Now()
	var writing, reading sync.WaitGroup
	for _, w := range writers {
		writing.Go(w.run)
	}
	left := &atomic.Int64{}
	left.Store(int64(reads))
	for n := range 2 * runtime.NumCPU() {
		r := &reader{c, rand.New(rand.NewPCG(o.seed, uint64(1000+n)))}
		reading.Go(func() {
			// On a busy machine, the reads may end before a read of several moments has seen a half. So they then go on for a while.
			for c.failure.Load() == nil && !o.over() && (left.Add(-1) >= 0 || !shown() && time.Since(begin) < time.Minute) {
				r.once()
			}
		})
	}
	reading.Wait()
	c.stop.Store(true)
	writing.Wait()
	c.session.Close()
	if err := c.failure.Load(); err != nil {
		return *err
	}
	if err := server.stop(); err != nil {
		return err
	}
	return c.report(time.Since(begin), o.seed)
}

// load makes the tables and returns the writers. A row belongs to one writer only.
func (c *scanCampaign) load() ([]*batchWriter, error) {
	for _, statement := range scanTables {
		if err := c.session.Query(statement).Exec(); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
	}
	writers := make([]*batchWriter, 3)
	for n := range writers {
		writers[n] = &batchWriter{campaign: c, random: rand.New(rand.NewPCG(uint64(n), 5))}
	}
	var inserts []statement
	for i := range accountPartitions * accountRows {
		w := writers[i%len(writers)]
		w.accounts = append(w.accounts, account{p: i / accountRows, c: i % accountRows, tag: i / rowsOfATag, v: amount, x: shared})
		inserts = append(inserts, w.accounts[len(w.accounts)-1].insert())
	}
	for i := range bucketRows {
		w := writers[i%len(writers)]
		w.buckets = append(w.buckets, bucketRow{ts: i, v: amount, x: shared})
		inserts = append(inserts, statement{"INSERT INTO ks.buckets (ts, v, x) VALUES (?, ?, ?)", []any{int64(i), int64(amount), int64(shared)}})
	}
	for i := range wideRows {
		w := writers[i%len(writers)]
		w.wide = append(w.wide, single{"UPDATE ks.wide SET v = ? WHERE p = 0 AND c = ?", i, amount})
		inserts = append(inserts, w.wide[len(w.wide)-1].update())
	}
	for i := range spreadRows {
		w := writers[i%len(writers)]
		w.spread = append(w.spread, single{"UPDATE ks.spread SET v = ? WHERE p = ?", i, amount})
		inserts = append(inserts, w.spread[len(w.spread)-1].update())
	}
	const atOnce = 200 // This is less than the guardrail for batches over many partitions.
	for len(inserts) > 0 {
		b := c.session.Batch(gocql.UnloggedBatch)
		for _, s := range inserts[:min(atOnce, len(inserts))] {
			b.Query(s.text, s.values...)
		}
		if err := b.Exec(); err != nil {
			return nil, err
		}
		inserts = inserts[min(atOnce, len(inserts)):]
	}
	return writers, nil
}

// report prints the totals. Reads that promise one moment must show no halves of batches. Reads that promise less must show some:
// otherwise the campaign could not find any.
func (c *scanCampaign) report(took time.Duration, seed uint64) error {
	var reads, halves, early, control int64
	fmt.Printf("%-52s %8s %8s\n", "read", "reads", "halves")
	for _, s := range scans {
		note := ""
		if s.control {
			note = "   several moments, as documented"
			control += s.halves.Load()
		} else {
			reads += s.reads.Load()
			halves += s.halves.Load()
		}
		early += s.early.Load()
		fmt.Printf("%-52s %8d %8d%s\n", s.name, s.reads.Load(), s.halves.Load(), note)
	}
	fmt.Printf("%d reads of one moment beside %d batches, %d pages ended early; %.0f s, seed %d: %d halves\n", reads, c.batches.Load(), early,
		took.Seconds(), seed, halves)
	var problems []string
	if halves > 0 {
		problems = append(problems, fmt.Sprintf("%d reads saw half a batch", halves))
	}
	if control == 0 {
		problems = append(problems, "reads of several moments saw no half: nothing was shown")
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s", strings.Join(problems, "; "))
	}
	return nil
}
