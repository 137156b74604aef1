package main

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

const answerSecondsMax = 4 // Clients wait this long for an answer.

// kind is one kind of operations. It has tables of its own.
type kind struct {
	name    string
	table   []string // Its CREATE TABLE statements.
	initial int32    // The value of every cell of a new group.
	workers int
	run     func(w *worker, group int64) (input, output, error)
	totals  totals
}

// worker runs one operation after the other.
type worker struct {
	campaign *campaign
	kind     *kind
	client   int
	random   *rand.Rand
	last     int32 // The value that this worker has read last. Its conditions expect this value.
}

// errNothing says that the server certainly did not get the request.
var errNothing = errors.New("nothing was sent")

// once runs one operation and records it.
func (w *worker) once() {
	c := w.campaign
	c.gate.RLock()
	g, h := c.recorder.enter(w.kind, w.random.IntN(c.recorder.slots))
	call := time.Since(campaignBegin)
	in, out, err := w.kind.run(w, h.group)
	switch {
	case err == nil:
		h.add(w.client, call, in, out)
	case in.action == readAll || errors.Is(err, errNothing) || errors.Is(err, gocql.ErrNoConnections):
		// It changed nothing, so there is nothing to check.
	default:
		h.add(w.client, call, in, output{unknown: true})
	}
	c.recorder.leave(g)
	c.gate.RUnlock()
	if err != nil {
		w.campaign.note(err)
		time.Sleep(10 * time.Millisecond)
	}
	c.done.Add(1)
}

func (w *worker) session() *gocql.Session { return w.campaign.session.Load() }

func (w *worker) query(text string, values ...any) *gocql.Query {
	return w.session().Query(text, values...)
}

var values atomic.Int32

// newValue returns a number that no other write of the campaign has.
func newValue() int32 { return values.Add(1) }

// scanned returns the value of the column v that a driver has read, or absent if there was no row.
func scanned(v int32, err error) (int32, error) {
	if errors.Is(err, gocql.ErrNotFound) {
		return absent, nil
	}
	return v, err
}

// rowValues reads rows of (cell, value) into `width` cells. A cell without a row gets the value `missing`.
func rowValues(q *gocql.Query, width int, missing int32) ([]cellValue, error) {
	seen := make([]cellValue, width)
	for i := range seen {
		seen[i] = cellValue{i, missing}
	}
	iter := q.Iter()
	var cell int
	var value int64
	for iter.Scan(&cell, &value) {
		seen[cell].value = int32(value)
	}
	return seen, iter.Close()
}

// asOne returns the single value of rows that always change together. If the rows differ, the output is torn.
func asOne(seen []cellValue) output {
	for _, c := range seen {
		if c.value != seen[0].value {
			return output{torn: true, seen: seen}
		}
	}
	return output{seen: []cellValue{{0, seen[0].value}}}
}
