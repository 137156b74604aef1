package main

import (
	"fmt"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

// kindsOf returns all kinds of operations. In a weak campaign, the clients do without what Widerow promises, and the checker must
// find their histories wrong.
func kindsOf(weak bool) []*kind {
	kinds := []*kind{
		{name: "registers", run: register, workers: 6, initial: absent,
			table: []string{"CREATE TABLE ks.registers (k bigint PRIMARY KEY, v int)"}},
		{name: "plain-writes", run: plain, workers: 5, initial: absent,
			table: []string{"CREATE TABLE ks.plain (k bigint PRIMARY KEY, v int)"}},
		{name: "counters", run: count, workers: 6,
			table: []string{"CREATE TABLE ks.counters (k bigint, i int, n counter, PRIMARY KEY ((k, i)))"}},
		{name: "batches", run: batch, workers: 6, initial: absent,
			table: []string{"CREATE TABLE ks.spread (g bigint, i int, v int, PRIMARY KEY ((g, i)))",
				"CREATE TABLE ks.rows (g bigint, i int, v int, PRIMARY KEY (g, i))"}},
		{name: "conditional-batches", run: conditionalBatch, workers: 6, initial: absent,
			table: []string{"CREATE TABLE ks.decided (g bigint, i int, v int, PRIMARY KEY (g, i))"}},
		{name: "snapshots", run: snapshot, workers: 8, initial: absent,
			table: []string{"CREATE TABLE ks.moments (g bigint, i int, v int, PRIMARY KEY ((g, i)))"}},
		{name: "transactions", run: transact, workers: 6, initial: absent},
	}
	if weak {
		kinds[0].run, kinds[1].run, kinds[2].run = weakRegister, weakPlain, weakCount
		kinds[3].run, kinds[4].run, kinds[5].run = weakBatch, weakConditionalBatch, weakSnapshot
	}
	return kinds
}

func createTables(s *gocql.Session, kinds []*kind) error {
	statements := []string{"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"}
	for _, k := range kinds {
		statements = append(statements, k.table...)
	}
	for _, statement := range statements {
		if err := s.Query(statement).Exec(); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// read reads a register of the given table.
func (w *worker) read(table string, k int64) (input, output, error) {
	var v int32
	v, err := scanned(v, w.query("SELECT v FROM ks."+table+" WHERE k = ?", k).Scan(&v))
	w.last = v
	return input{action: readAll}, output{seen: []cellValue{{0, v}}}, err
}

// conditional runs a statement with IF, and notes the values that its answer shows.
func (w *worker) conditional(in input, q *gocql.Query) (input, output, error) {
	row := map[string]any{}
	applied, err := q.MapScanCAS(row)
	if err != nil {
		return in, output{}, err
	}
	out := output{applied: applied}
	if !applied {
		seen := absent
		if v, ok := row["v"].(int); ok {
			seen = int32(v)
		}
		out.seen = []cellValue{{0, seen}}
		w.last = seen
	}
	return in, out, nil
}

func cell(value int32) []cellValue { return []cellValue{{0, value}} }

// register reads and writes a register with conditional statements only.
func register(w *worker, k int64) (input, output, error) {
	v, dice := newValue(), w.random.IntN(100)
	switch {
	case dice < 35 || (w.last == absent && dice < 50):
		return w.read("registers", k)
	case dice < 55:
		return w.conditional(input{action: decide, expected: cell(absent), cells: cell(v)},
			w.query("INSERT INTO ks.registers (k, v) VALUES (?, ?) IF NOT EXISTS", k, v))
	case dice < 65:
		return w.conditional(input{action: decide, expected: cell(anyValue), cells: cell(v)},
			w.query("UPDATE ks.registers SET v = ? WHERE k = ? IF EXISTS", v, k))
	case dice < 70 && w.last != absent:
		return w.conditional(input{action: decide, expected: cell(w.last), cells: cell(absent)},
			w.query("DELETE FROM ks.registers WHERE k = ? IF v = ?", k, w.last))
	case w.last != absent:
		in := input{action: decide, expected: cell(w.last), cells: cell(v)}
		_, out, err := w.conditional(in, w.query("UPDATE ks.registers SET v = ? WHERE k = ? IF v = ?", v, k, w.last))
		if err == nil && out.applied {
			w.last = v
		}
		return in, out, err
	default:
		return w.read("registers", k)
	}
}

// plain writes without conditions: the server's timestamps order them.
func plain(w *worker, k int64) (input, output, error) {
	v, dice := newValue(), w.random.IntN(100)
	switch {
	case dice < 50:
		return w.read("plain", k)
	case dice < 90:
		return input{action: writeAll, cells: cell(v)}, output{}, w.query("INSERT INTO ks.plain (k, v) VALUES (?, ?)", k, v).Exec()
	default:
		return input{action: writeAll, cells: cell(absent)}, output{}, w.query("DELETE FROM ks.plain WHERE k = ?", k).Exec()
	}
}

// count changes two counters of one group, alone or together in a batch.
func count(w *worker, k int64) (input, output, error) {
	const increment = "UPDATE ks.counters SET n = n + ? WHERE k = ? AND i = ?"
	first, second := int32(w.random.IntN(9)-3), int32(w.random.IntN(9)-3)
	switch dice := w.random.IntN(100); {
	case dice < 40:
		seen, err := rowValues(w.query("SELECT i, n FROM ks.counters WHERE k = ? AND i IN (0, 1)", k), 2, 0)
		return input{action: readAll}, output{seen: seen}, err
	case dice < 70:
		in := input{action: add, cells: []cellValue{{0, first}}}
		return in, output{}, w.query(increment, int64(first), k, 0).Exec()
	default:
		in := input{action: add, cells: []cellValue{{0, first}, {1, second}}}
		b := w.session().Batch(gocql.CounterBatch)
		b.Query(increment, int64(first), k, 0)
		b.Query(increment, int64(second), k, 1)
		return in, output{}, b.Exec()
	}
}

// batchStatements writes the same value to four partitions of one table and two rows of another, or deletes all of them.
func batchStatements(g int64, v int32, use func(text string, values ...any)) {
	for i := range 6 {
		table := "spread"
		if i >= 4 {
			table = "rows"
		}
		if v == absent {
			use("DELETE FROM ks."+table+" WHERE g = ? AND i = ?", g, i%4)
		} else {
			use("INSERT INTO ks."+table+" (g, i, v) VALUES (?, ?, ?)", g, i%4, v)
		}
	}
}

func (w *worker) readBatch(g int64) (input, output, error) {
	q, width := w.query("SELECT i, v FROM ks.spread WHERE g = ? AND i IN (0, 1, 2, 3)", g), 4
	if w.random.IntN(3) == 0 {
		q, width = w.query("SELECT i, v FROM ks.rows WHERE g = ?", g), 2
	}
	seen, err := rowValues(q, width, absent)
	return input{action: readAll}, asOne(seen), err
}

func batch(w *worker, g int64) (input, output, error) {
	if w.random.IntN(2) == 0 {
		return w.readBatch(g)
	}
	v := newValue()
	if w.random.IntN(8) == 0 {
		v = absent
	}
	b := w.session().Batch([]gocql.BatchType{gocql.LoggedBatch, gocql.UnloggedBatch}[w.random.IntN(2)])
	batchStatements(g, v, func(text string, values ...any) { b.Query(text, values...) })
	return input{action: writeAll, cells: cell(v)}, output{}, b.Exec()
}

func (w *worker) readDecided(g int64) (input, output, error) {
	seen, err := rowValues(w.query("SELECT i, v FROM ks.decided WHERE g = ?", g), 3, absent)
	out := asOne(seen)
	if !out.torn {
		w.last = seen[0].value
	}
	return input{action: readAll}, out, err
}

// decidedStatements is a conditional batch of three rows: the condition is on the first.
func decidedStatements(g int64, expected, v int32, use func(text string, values ...any)) {
	if expected == absent {
		use("INSERT INTO ks.decided (g, i, v) VALUES (?, 0, ?) IF NOT EXISTS", g, v)
	} else {
		use("UPDATE ks.decided SET v = ? WHERE g = ? AND i = 0 IF v = ?", v, g, expected)
	}
	use("INSERT INTO ks.decided (g, i, v) VALUES (?, 1, ?)", g, v)
	use("INSERT INTO ks.decided (g, i, v) VALUES (?, 2, ?)", g, v)
}

func conditionalBatch(w *worker, g int64) (input, output, error) {
	if w.random.IntN(2) == 0 {
		return w.readDecided(g)
	}
	v, expected := newValue(), w.last
	in := input{action: decide, expected: cell(expected), cells: cell(v)}
	b := w.session().Batch(gocql.LoggedBatch)
	decidedStatements(g, expected, v, func(text string, values ...any) { b.Query(text, values...) })
	applied, iter, err := b.MapExecCAS(map[string]any{})
	if iter != nil {
		if closed := iter.Close(); err == nil {
			err = closed
		}
	}
	if applied {
		w.last = v
	}
	return in, output{applied: applied}, err
}
