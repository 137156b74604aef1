package main

import (
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// These clients do without the promises that the campaign checks. They show that the checker finds wrong histories: it must
// refuse histories of every kind. Transactions have their weak form in under_test/transactor.cc (`--weak`).

// weakRegister reads and then writes, instead of using a conditional statement.
func weakRegister(w *worker, k int64) (input, output, error) {
	_, read, err := w.read("registers", k)
	if err != nil || w.random.IntN(2) == 0 {
		return input{action: readAll}, read, err
	}
	in := input{action: decide, expected: read.seen, cells: cell(newValue())}
	err = w.query("INSERT INTO ks.registers (k, v) VALUES (?, ?)", k, in.cells[0].value).Exec()
	return in, output{applied: true}, err
}

// weakPlain writes with timestamps that are wrong by up to a second.
func weakPlain(w *worker, k int64) (input, output, error) {
	if w.random.IntN(2) == 0 {
		return w.read("plain", k)
	}
	v, at := newValue(), time.Now().UnixMicro()+w.random.Int64N(1_000_000)
	q := w.query("INSERT INTO ks.plain (k, v) VALUES (?, ?)", k, v).WithTimestamp(at)
	return input{action: writeAll, cells: cell(v)}, output{}, q.Exec()
}

// weakCount sends some increments twice, as a driver does if it repeats statements after a timeout.
func weakCount(w *worker, k int64) (input, output, error) {
	in, out, err := count(w, k)
	if err == nil && in.action == add && w.random.IntN(10) == 0 {
		err = w.query("UPDATE ks.counters SET n = n + 1 WHERE k = ? AND i = 0", k).Exec()
	}
	return in, out, err
}

// weakBatch sends the statements of a batch one by one.
func weakBatch(w *worker, g int64) (in input, out output, err error) {
	if w.random.IntN(2) == 0 {
		return w.readBatch(g)
	}
	v := newValue()
	batchStatements(g, v, func(text string, values ...any) { err = w.firstError(err, w.query(text, values...)) })
	return input{action: writeAll, cells: cell(v)}, output{}, err
}

// weakConditionalBatch sends the statement with the condition by itself. If it was applied, it sends the others one by one.
func weakConditionalBatch(w *worker, g int64) (in input, out output, err error) {
	if w.random.IntN(2) == 0 {
		return w.readDecided(g)
	}
	v, expected := newValue(), w.last
	first, applied := true, false
	decidedStatements(g, expected, v, func(text string, values ...any) {
		switch {
		case first:
			applied, err = w.query(text, values...).MapScanCAS(map[string]any{})
			first = false
		case applied:
			err = w.firstError(err, w.query(text, values...))
		}
	})
	if applied {
		w.last = v
	}
	return input{action: decide, expected: cell(expected), cells: cell(v)}, output{applied: applied}, err
}

func (w *worker) firstError(before error, q *gocql.Query) error {
	if before != nil {
		return before
	}
	return q.Exec()
}

// weakSnapshot reads the cells one by one, without a snapshot.
func weakSnapshot(w *worker, g int64) (input, output, error) {
	if w.random.IntN(5) > 0 {
		return w.writeMoment(g)
	}
	seen, err := w.momentCells(g, "")
	return input{action: readAll}, output{seen: seen}, err
}
