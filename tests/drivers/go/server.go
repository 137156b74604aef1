package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

var serverCases = []testCase{
	{"errors", errorCases},
	{"tracing", tracing},
	{"warnings_payload", warningsPayload},
	{"reconnect", reconnect},
}

// isError checks that the server refused with `code` and a message that begins with `begin`.
func (c *caseRun) isError(err error, code int, begin string) {
	var refusal RequestError
	c.check(errors.As(err, &refusal), "%q is wanted, not %v", begin, err)
	c.check(refusal.Code() == code, "code 0x%04x instead of 0x%04x: %v", refusal.Code(), code, err)
	c.check(strings.HasPrefix(refusal.Message(), begin), "message %q instead of %q", refusal.Message(), begin)
}

func errorCases(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE wrong (a int, b int, c int, v text, PRIMARY KEY ((a, b), c))")
	for _, refused := range []struct {
		statement string
		code      int
		begin     string
	}{
		{"SELEC * FROM wrong", 0x2000, "line 1:0 no viable alternative at input 'SELEC'"},
		{"SELECT * FROM missing", 0x2200, "table missing does not exist"},
		{"SELECT * FROM nowhere_at_all.t", 0x2200, "keyspace nowhere_at_all does not exist"},
		{"SELECT missing FROM wrong", 0x2200, "Undefined column name missing in table " + keyspace + ".wrong"},
		{"INSERT INTO wrong (a, b, c, v) VALUES ('x', 1, 1, 'v')", 0x2200, "Invalid STRING constant (x) for \"a\" of type int"},
		{"INSERT INTO wrong (a, c, v) VALUES (1, 1, 'v')", 0x2200, "Some partition key parts are missing: b"},
		{"INSERT INTO wrong (a, b, v) VALUES (1, 1, 'v')", 0x2200, "Some clustering keys are missing: c"},
		{"SELECT * FROM wrong WHERE v = 'x'", 0x2200, "Cannot execute this query as it might involve data filtering"},
		{"DROP TABLE system.local", 0x2100, ""},
	} {
		c.isError(s.Query(refused.statement).Exec(), refused.code, refused.begin)
	}
	c.isError(s.Query("INSERT INTO wrong (a, b, c, v) VALUES (?, 1, 1, 'v')", rawBytes{1, 2, 3}).Exec(), 0x2200,
		"Expected 4 or 0 byte int (3)")
	var exists *AlreadyExists
	err := s.Query("CREATE TABLE wrong (k int PRIMARY KEY)").Exec()
	c.isError(err, 0x2400, "Cannot add already existing table \"wrong\" to keyspace \""+keyspace+"\"")
	c.check(errors.As(err, &exists), "class %T", err)
	c.equal([]string{exists.Keyspace, exists.Table}, []string{keyspace, "wrong"}, "the table that exists")
	err = s.Query("CREATE KEYSPACE " + keyspace + replication).Exec()
	c.isError(err, 0x2400, "Cannot add existing keyspace \""+keyspace+"\"")
	c.check(errors.As(err, &exists), "class %T", err)
	c.equal([]string{exists.Keyspace, exists.Table}, []string{keyspace, ""}, "the keyspace that exists")
}

// traceIds collects the ids of the traces that the server has made.
type traceIds struct{ ids [][]byte }

func (t *traceIds) Trace(id []byte) { t.ids = append(t.ids, append([]byte(nil), id...)) }

func tracing(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE traced (k int PRIMARY KEY, v text)")
	ids := &traceIds{}
	c.must(s.Query("INSERT INTO traced (k, v) VALUES (1, 'x')").Trace(ids).Exec(), "traced insert")
	c.check(len(ids.ids) > 0, "no trace id")
	var text strings.Builder
	writer := newTraceWriter(s, &text)
	c.eventually("the trace", func() bool { // The server writes a trace after its answer.
		text.Reset()
		writer.Trace(ids.ids[len(ids.ids)-1]) // The driver traces its PREPARE as well.
		lines := strings.Split(strings.TrimSpace(text.String()), "\n")
		return len(lines) >= 2 && strings.Contains(lines[0], "coordinator: 1") && !strings.Contains(lines[0], "duration: 0s")
	})
}

func warningsPayload(c *caseRun) {
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE warned (k int PRIMARY KEY, v text)")
	query := s.Query("INSERT INTO warned (k, v) VALUES (?, ?)", 1, "x").SerialConsistency(localSerial)
	query.SetConsistency(quorum)
	c.must(query.CustomPayload(map[string][]byte{"who": []byte("gocql")}).Exec(), "consistency and payload")
	replicas := strings.Replace(replication, "'1'", "'3'", 1)
	iter := s.Query("CREATE KEYSPACE " + keyspace + "_warned" + replicas).Iter()
	warnings := iter.Warnings()
	c.must(iter.Close(), "CREATE KEYSPACE")
	begin := "Your replication factor 3 for keyspace " + keyspace + "_warned is higher than the number of nodes 1"
	c.check(len(warnings) > 0 && strings.HasPrefix(warnings[0], begin), "warnings: %q", warnings)
}

func reconnect(c *caseRun) {
	if !restart {
		panic(notRun("nobody restarts the server (restart=yes)"))
	}
	s := c.session(inKeyspace)
	c.do(s, "CREATE TABLE lasting (k int PRIMARY KEY, v text)")
	write := func(k int) error {
		return s.Query("INSERT INTO lasting (k, v) VALUES (?, ?)", k, fmt.Sprint("v", k)).Exec()
	}
	read := func(k int) (v string, err error) {
		err = s.Query("SELECT v FROM lasting WHERE k = ?", k).Scan(&v)
		return v, err
	}
	c.must(write(1), "insert")
	_, err := read(1)
	c.must(err, "select")
	fmt.Println("RESTART")
	line, err := input.ReadString('\n')
	c.check(err == nil && line == "GO\n", "GO is wanted, not %q", line)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		v, err := read(1)
		if err == nil {
			c.equal(v, "v1", "the row written before the restart")
			break
		}
		c.check(time.Now().Before(end), "no connection 30 s after the restart: %v", err)
	}
	c.must(write(2), "a prepared write after the restart")
	v, err := read(2)
	c.must(err, "a prepared read after the restart")
	c.equal(v, "v2", "row")
}
