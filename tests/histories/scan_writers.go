package main

import (
	"math/rand/v2"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

type statement struct {
	text   string
	values []any
}

// account is a row of ks.accounts. Moving the row writes it under another clustering key: c + accountRows, or c again.
type account struct {
	p, c, tag int
	v, x      int64
}

func (a *account) insert() statement {
	return statement{"INSERT INTO ks.accounts (p, c, tag, v, x) VALUES (?, ?, ?, ?, ?)", []any{a.p, a.c, a.tag, a.v, a.x}}
}

func (a *account) update() statement {
	return statement{"UPDATE ks.accounts SET tag = ?, v = ?, x = ? WHERE p = ? AND c = ?", []any{a.tag, a.v, a.x, a.p, a.c}}
}

func (a *account) remove() statement {
	return statement{"DELETE FROM ks.accounts WHERE p = ? AND c = ?", []any{a.p, a.c}}
}

type bucketRow struct {
	ts   int
	v, x int64
}

func (b *bucketRow) update() statement {
	return statement{"UPDATE ks.buckets SET v = ?, x = ? WHERE ts = ?", []any{b.v, b.x, int64(b.ts)}}
}

// single is a row with one key column that changes and one amount.
type single struct {
	text string
	key  int
	v    int64
}

func (s *single) update() statement { return statement{s.text, []any{s.v, s.key}} }

// batchWriter writes random batches. No other writer changes its rows, so it knows their values.
type batchWriter struct {
	campaign *scanCampaign
	random   *rand.Rand
	accounts []account
	buckets  []bucketRow
	wide     []single
	spread   []single
	batch    []statement
	used     map[any]bool // The rows of this batch. A row is in a batch only once, because all its statements have one timestamp.
}

// pick returns a row that is not yet in this batch.
func pick[T any](w *batchWriter, rows []T) *T {
	for {
		if row := &rows[w.random.IntN(len(rows))]; !w.used[row] {
			w.used[row] = true
			return row
		}
	}
}

func (w *batchWriter) transfer(rows []single) {
	from, to, moved := pick(w, rows), pick(w, rows), w.random.Int64N(50)
	from.v -= moved
	to.v += moved
	w.batch = append(w.batch, from.update(), to.update())
}

// changeAccounts exchanges the tags and amounts of two accounts. If the tags are equal, it also moves an amount.
func (w *batchWriter) changeAccounts() {
	a, b, moved := pick(w, w.accounts), pick(w, w.accounts), w.random.Int64N(50)
	if a.tag == b.tag {
		a.v -= moved
		b.v += moved
	}
	a.tag, b.tag, a.v, b.v = b.tag, a.tag, b.v, a.v
	w.batch = append(w.batch, a.update(), b.update())
}

func (w *batchWriter) moveAccount() {
	a := pick(w, w.accounts)
	w.batch = append(w.batch, a.remove())
	a.c = (a.c + accountRows) % (2 * accountRows)
	w.batch = append(w.batch, a.insert())
}

func (w *batchWriter) moveBetweenTables() {
	a, b, moved := pick(w, w.accounts), pick(w, w.buckets), w.random.Int64N(50)
	a.x -= moved
	b.x += moved
	w.batch = append(w.batch, a.update(), b.update())
}

func (w *batchWriter) changeBuckets() {
	a, b, moved := pick(w, w.buckets), pick(w, w.buckets), w.random.Int64N(50)
	a.v -= moved
	b.v += moved
	w.batch = append(w.batch, a.update(), b.update())
}

// run writes batches until the campaign stops.
func (w *batchWriter) run() {
	changes := []func(){w.changeAccounts, w.moveAccount, w.moveBetweenTables, w.changeBuckets,
		func() { w.transfer(w.wide) }, func() { w.transfer(w.spread) }}
	for !w.campaign.stop.Load() && w.campaign.failure.Load() == nil {
		w.batch, w.used = nil, map[any]bool{}
		for range 1 + w.random.IntN(12) {
			changes[w.random.IntN(len(changes))]()
		}
		b := w.campaign.session.Batch([]gocql.BatchType{gocql.LoggedBatch, gocql.UnloggedBatch}[w.random.IntN(2)])
		for _, i := range w.random.Perm(len(w.batch)) {
			b.Query(w.batch[i].text, w.batch[i].values...)
		}
		if err := b.Exec(); err != nil {
			w.campaign.fail(err)
			return
		}
		w.campaign.batches.Add(1)
		time.Sleep(time.Duration(w.random.IntN(1000)) * time.Microsecond)
	}
}
