package main

import (
	"fmt"
	"time"
)

var statementCases = []testCase{
	{"simple_statements", simpleStatements},
	{"prepared_statements", preparedStatements},
	{"altered_tables", alteredTables},
	{"null_unset", nullUnset},
	{"named_values", namedValues},
	{"batches", batches},
	{"counters", counters},
	{"conditions", conditions},
	{"timestamps", timestamps},
	{"use_keyspace", useKeyspace},
}

// simpleStatements sends texts. gocql prepares every SELECT, INSERT, UPDATE and DELETE. It sends DDL, TRUNCATE, DESCRIBE and BEGIN BATCH
// as text.
func simpleStatements(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE simple (k int PRIMARY KEY, v text, w bigint)")
	c.do(s, "INSERT INTO simple (k, v, w) VALUES (1, 'one', 10)")
	c.do(s, "INSERT INTO simple (k, v, w) VALUES (?, ?, ?) USING TTL 1000", 2, "two", int64(20))
	iter := s.Query("SELECT k, v AS name, w, writetime(v), ttl(v) FROM simple WHERE k = 2").Iter()
	columns := iter.Columns()
	var k, ttl int
	var name string
	var w, written int64
	c.check(iter.Scan(&k, &name, &w, &written, &ttl), "no row")
	c.must(iter.Close(), "select")
	c.equal([]any{k, name, w}, []any{2, "two", int64(20)}, "row")
	c.check(written > 1_500_000_000_000_000 && ttl > 900 && ttl <= 1000, "writetime %d, ttl %d", written, ttl)
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	c.equal(names, []string{"k", "name", "w", "writetime(v)", "ttl(v)"}, "column names")
	c.equal([]string{columns[0].Keyspace, columns[0].Table}, []string{keyspace, "simple"}, "where a column is from")
	c.equal([]int{typeCode(columns[0].TypeInfo), typeCode(columns[1].TypeInfo), typeCode(columns[2].TypeInfo)},
		[]int{typeInt, typeText, typeBigint}, "column types")
	var count int64
	c.must(s.Query("SELECT count(*) FROM simple").Scan(&count), "count")
	c.equal(count, int64(2), "count")
	c.do(s, "BEGIN BATCH INSERT INTO simple (k, v) VALUES (3, 'three'); DELETE FROM simple WHERE k = 1; APPLY BATCH")
	c.must(s.Query("SELECT count(*) FROM simple").Scan(&count), "count")
	c.equal(count, int64(2), "count after a batch by text")
	c.do(s, "TRUNCATE simple")
	c.must(s.Query("SELECT count(*) FROM simple").Scan(&count), "count")
	c.equal(count, int64(0), "count after TRUNCATE")
	rows, err := s.Query("DESCRIBE TABLE simple").Iter().SliceMap()
	c.must(err, "DESCRIBE")
	c.equal(len(rows), 1, "rows of DESCRIBE")
}

func preparedStatements(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE prepared (a int, b text, c int, v double, PRIMARY KEY ((a, b), c))")
	var info QueryInfo
	insert := func(values ...any) error {
		return s.Bind("INSERT INTO prepared (v, c, b, a) VALUES (?, ?, ?, ?)", func(q *QueryInfo) ([]any, error) {
			info = *q
			return values, nil
		}).Exec()
	}
	for i := range 100 {
		c.must(insert(float64(i)/2, i, "b", 7), "insert")
	}
	var markers []string
	for _, argument := range info.Args {
		markers = append(markers, fmt.Sprintf("%s %#x", argument.Name, typeCode(argument.TypeInfo)))
	}
	c.equal(markers, []string{"v 0x7", "c 0x9", "b 0xd", "a 0x9"}, "markers")
	c.equal(info.PKeyColumns, []int{3, 2}, "partition key indices")

	var count int64
	c.must(s.Query("SELECT count(*) FROM prepared WHERE a = ? AND b = ?", 7, "b").Scan(&count), "count")
	c.equal(count, int64(100), "count")
	c.must(s.Query("SELECT count(*) FROM prepared").Scan(&count), "count without markers")
	c.equal(count, int64(100), "count")
	rows, err := s.Query("SELECT c FROM prepared WHERE a = 7 AND b = 'b' AND c IN ?", []int{3, 5, 1000}).Iter().SliceMap()
	c.must(err, "IN ?")
	c.equal(rows, []map[string]any{{"c": 3}, {"c": 5}}, "IN ?")
	rows, err = s.Query("SELECT c FROM prepared WHERE a = 7 AND b = 'b' LIMIT ?", 2).Iter().SliceMap()
	c.must(err, "LIMIT ?")
	c.equal(rows, []map[string]any{{"c": 0}, {"c": 1}}, "LIMIT ?")
	for v := 4; v <= versionMax; v++ {
		newColumn(c, v)
	}
}

// newColumn adds a column after `SELECT *` was prepared. With v4, the driver asks for metadata with the rows (NoSkipMetadata). With v5,
// the server sends the new metadata id.
func newColumn(c *caseRun, v int) {
	s := c.session(inKeyspace, version(v))
	table := fmt.Sprintf("grows_%d", v)
	c.do(s, "CREATE TABLE "+table+" (k int PRIMARY KEY, v int)")
	c.do(s, "INSERT INTO "+table+" (k, v) VALUES (1, 2)")
	read := func() []map[string]any {
		query := s.Query("SELECT * FROM " + table + " WHERE k = 1")
		if v < 5 {
			query = query.NoSkipMetadata()
		}
		rows, err := query.Iter().SliceMap()
		c.must(err, "select *")
		return rows
	}
	c.equal(read(), []map[string]any{{"k": 1, "v": 2}}, "before")
	c.do(s, "ALTER TABLE "+table+" ADD added int")
	c.do(s, "UPDATE "+table+" SET added = 3 WHERE k = 1")
	c.equal(read(), []map[string]any{{"k": 1, "v": 2, "added": 3}}, fmt.Sprintf("v%d, after ADD", v))
}

func nullUnset(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE unset (k int PRIMARY KEY, v text, w text)")
	c.do(s, "INSERT INTO unset (k, v, w) VALUES (?, ?, ?)", 1, "v", "w")
	c.do(s, "INSERT INTO unset (k, v, w) VALUES (?, ?, ?)", 1, nil, unsetValue)
	var v, w *string
	c.must(s.Query("SELECT v, w FROM unset WHERE k = 1").Scan(&v, &w), "select")
	c.equal([]any{v, w}, []any{nil, "w"}, "v is null, w stays")
	c.isError(s.Query("INSERT INTO unset (k, v) VALUES (?, ?)", unsetValue, "x").Exec(), 0x2200, "Invalid unset value for column k")
	c.isError(s.Query("INSERT INTO unset (k, v) VALUES (?, ?)", nil, "x").Exec(), 0x2200, "Invalid null value in condition for column k")
	rows, err := s.Query("SELECT k FROM unset LIMIT ?", unsetValue).Iter().SliceMap()
	c.must(err, "LIMIT unset")
	c.equal(len(rows), 1, "rows with an unset LIMIT")
}

// namedValues uses values with names. The driver sends the names, but takes the values in the order of the markers.
func namedValues(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE named (k int PRIMARY KEY, v text, w int)")
	c.do(s, "INSERT INTO named (k, v, w) VALUES (:k, :value, :w)", namedValue("k", 1), namedValue("value", "x"), namedValue("w", 3))
	c.do(s, "INSERT INTO named (k, v, w) VALUES (?, ?, ?)", namedValue("k", 2), namedValue("v", "y"), namedValue("w", 4))
	var v string
	var w int
	c.must(s.Query("SELECT v, w FROM named WHERE k = :key", namedValue("key", 1)).Scan(&v, &w), "select")
	c.equal([]any{v, w}, []any{"x", 3}, "row 1")
	c.must(s.Query("SELECT v, w FROM named WHERE k = ?", 2).Scan(&v, &w), "select")
	c.equal([]any{v, w}, []any{"y", 4}, "row 2")
}

func batches(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE batched (k int, c int, v text, PRIMARY KEY (k, c))")
	for i, kind := range []BatchType{loggedBatch, unlogged} {
		batch := s.NewBatch(kind).WithTimestamp(int64(1000 + i))
		batch.Query("INSERT INTO batched (k, c, v) VALUES (?, ?, ?)", i, 1, "prepared")
		batch.Query(fmt.Sprintf("INSERT INTO batched (k, c, v) VALUES (%d, 2, 'simple')", i)) // A statement without values is sent as text.
		batch.Query("UPDATE batched SET v = ? WHERE k = ? AND c = ?", "updated", i, 3)
		c.must(s.ExecuteBatch(batch), "batch")
		rows, err := s.Query("SELECT c, v, writetime(v) AS t FROM batched WHERE k = ?", i).Iter().SliceMap()
		c.must(err, "select")
		t := int64(1000 + i)
		c.equal(rows, []map[string]any{{"c": 1, "v": "prepared", "t": t}, {"c": 2, "v": "simple", "t": t}, {"c": 3, "v": "updated", "t": t}}, "rows")
	}
	batch := s.NewBatch(unlogged)
	for i := range 1000 {
		batch.Query("INSERT INTO batched (k, c, v) VALUES (?, ?, ?)", 100, i, "many")
	}
	c.must(s.ExecuteBatch(batch), "batch of 1,000")
	var count int64
	c.must(s.Query("SELECT count(*) FROM batched WHERE k = 100").Scan(&count), "count")
	c.equal(count, int64(1000), "rows of the batch of 1,000")
}

func counters(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE counted (k int, c int, s counter static, n counter, m counter, PRIMARY KEY (k, c))")
	add := "UPDATE counted SET n = n + ?, m = m - ? WHERE k = ? AND c = ?"
	c.do(s, "UPDATE counted SET n = n + 5 WHERE k = 1 AND c = 1")
	c.do(s, add, int64(1)<<40, int64(2), 1, 1)
	batch := s.NewBatch(counted)
	batch.Query(add, int64(10), int64(20), 1, 1)
	batch.Query(add, int64(-1), int64(1), 1, 2)
	batch.Query("UPDATE counted SET s = s + 3 WHERE k = 1")
	c.must(s.ExecuteBatch(batch), "a counter batch")
	rows, err := s.Query("SELECT c, s, n, m FROM counted WHERE k = 1").Iter().SliceMap()
	c.must(err, "select")
	c.equal(rows, []map[string]any{{"c": 1, "s": int64(3), "n": int64(1)<<40 + 15, "m": int64(-22)},
		{"c": 2, "s": int64(3), "n": int64(-1), "m": int64(-1)}}, "rows")
	c.inParallel(300, 20, func(i int) error { return s.Query(add, int64(i), int64(0), 2, i%3).Exec() })
	var sum int64
	c.must(s.Query("SELECT sum(n) FROM counted WHERE k = 2").Scan(&sum), "sum")
	c.equal(sum, int64(300*299/2), "sum of what was added at a time")
	c.do(s, "DELETE n FROM counted WHERE k = 1 AND c = 1")
	var n *int64
	c.must(s.Query("SELECT n FROM counted WHERE k = 1 AND c = 1").Scan(&n), "select")
	c.check(n == nil, "a deleted counter has a value")
	logged := s.NewBatch(loggedBatch)
	logged.Query(add, int64(1), int64(1), 1, 1)
	logged.Query(add, int64(1), int64(1), 1, 2)
	c.isError(s.ExecuteBatch(logged), 0x2200, "Cannot include a counter statement in a logged batch")
}

func conditions(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE asked (k int, c int, v int, m map<text, int>, PRIMARY KEY (k, c))")
	set := "UPDATE asked SET v = ? WHERE k = ? AND c = ? IF v = ?"
	var v int
	applied, err := s.Query(set, 1, 1, 1, nil).ScanCAS(&v)
	c.must(err, "IF v = null")
	c.check(applied, "null is not null")
	applied, err = s.Query(set, 2, 1, 1, 7).ScanCAS(&v)
	c.must(err, "IF v = 7")
	c.check(!applied && v == 1, "applied %v, found %d", applied, v)
	found := map[string]any{}
	applied, err = s.Query("UPDATE asked SET m[?] = ? WHERE k = ? AND c = ? IF m[?] = ? AND v IN ?", "a", 1, 1, 1, "a", nil, []int{1, 2}).MapScanCAS(found)
	c.must(err, "IF m['a'] = null AND v IN ?")
	c.check(applied, "an element and IN: %v", found)
	batch := s.NewBatch(loggedBatch)
	batch.Query(set, 3, 1, 1, 1)
	batch.Query(set, 3, 1, 2, 5)
	applied, iter, err := s.MapExecuteBatchCAS(batch, found)
	c.must(err, "a batch")
	c.check(!applied, "half a batch")
	c.equal([]any{found["k"], found["c"], found["v"]}, []any{1, 1, 1}, "the row that was found")
	c.must(iter.Close(), "close")
	batch = s.NewBatch(loggedBatch)
	batch.Query(set, 3, 1, 1, 1)
	batch.Query(set, 3, 1, 2, nil)
	applied, iter, err = s.MapExecuteBatchCAS(batch, map[string]any{})
	c.must(err, "a batch")
	c.check(applied, "a batch whose conditions hold")
	c.must(iter.Close(), "close")
	rows, err := s.Query("SELECT c, v FROM asked WHERE k = 1").Iter().SliceMap()
	c.must(err, "select")
	c.equal(rows, []map[string]any{{"c": 1, "v": 3}, {"c": 2, "v": 3}}, "rows")
}

func timestamps(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE times (k int PRIMARY KEY, v text)")
	read := func(k int) (v string, written int64) {
		c.must(s.Query("SELECT v, writetime(v) FROM times WHERE k = ?", k).Scan(&v, &written), "select")
		return v, written
	}
	begin := time.Now().UnixMicro()
	c.do(s, "INSERT INTO times (k, v) VALUES (?, ?)", 1, "default")
	_, written := read(1)
	c.check(written >= begin && written <= time.Now().UnixMicro(), "the default timestamp %d is not this program's", written)
	c.must(s.Query("INSERT INTO times (k, v) VALUES (?, ?)", 2, "given").WithTimestamp(5000).Exec(), "insert")
	c.must(s.Query("INSERT INTO times (k, v) VALUES (?, ?)", 2, "older").WithTimestamp(4999).Exec(), "insert")
	v, written := read(2)
	c.equal([]any{v, written}, []any{"given", int64(5000)}, "the newer value stays")
}

// useKeyspace connects with a keyspace. gocql itself refuses USE, because a session has one keyspace.
func useKeyspace(c *caseRun) {
	other := keyspace + "_use"
	s := c.session(inKeyspace)
	c.do(s, "CREATE KEYSPACE "+other+replication)
	c.do(s, "CREATE TABLE "+other+".place (k int PRIMARY KEY, v text)")
	c.do(s, "INSERT INTO "+other+".place (k, v) VALUES (1, 'other')")
	second := c.session(func(cluster *ClusterConfig) { cluster.Keyspace = other })
	var v string
	c.must(second.Query("SELECT v FROM place WHERE k = 1").Scan(&v), "an unqualified name")
	c.equal(v, "other", "value")
	c.isError(s.Query("SELECT v FROM place WHERE k = 1").Scan(&v), 0x2200, "table place does not exist")
	_, err := connect(func(cluster *ClusterConfig) { cluster.Keyspace = other + "_missing" })
	c.check(err != nil, "a session of a missing keyspace was made")
}
