package main

import "fmt"

// alteredTables is the case altered_tables. One session alters tables and types, and other sessions have prepared statements about
// them. gocql prepares every statement here by itself.
func alteredTables(c *caseRun) {
	for v := 3; v <= versionMax; v++ {
		alteredTable(c, v)
	}
}

func alteredTable(c *caseRun, v int) {
	first, second, other := c.session(inKeyspace, version(v)), c.session(inKeyspace, version(v)), c.session(inKeyspace)
	table, place := fmt.Sprintf("altering_v%d", v), fmt.Sprintf("place_v%d", v)
	readers := []*Session{first}
	if isWiderow || v >= 5 { // With older versions, Cassandra tells only one of the sessions about the change.
		readers = append(readers, second)
	}
	reads := func(what string, expected map[string]any) {
		for i, s := range readers {
			for range 3 { // The driver has two connections to a host, so several executions use both.
				rows, err := s.Query("SELECT * FROM "+table+" WHERE id = ?", "u1").Iter().SliceMap()
				c.must(err, what)
				c.equal(rows, []map[string]any{expected}, fmt.Sprintf("v%d, session %d, %s", v, i+1, what))
			}
		}
	}
	insert := "INSERT INTO " + table + " (id, role) VALUES (?, ?)"
	c.do(other, "CREATE TYPE "+place+" (street text)")
	c.do(other, "CREATE TABLE "+table+" (id text PRIMARY KEY, role text, home frozen<"+place+">)")
	c.do(other, "INSERT INTO "+table+" (id, home) VALUES ('u1', {street: 'x'})")
	c.do(first, insert, "u1", "ann")
	home := map[string]any{"street": "x"}
	reads("before", map[string]any{"id": "u1", "home": home, "role": "ann"})

	c.do(other, "ALTER TABLE "+table+" ADD email text")
	c.do(other, "UPDATE "+table+" SET email = 'a@x' WHERE id = 'u1'")
	reads("after ADD", map[string]any{"id": "u1", "email": "a@x", "home": home, "role": "ann"})
	c.do(first, insert, "u1", "ben")
	reads("a write after ADD", map[string]any{"id": "u1", "email": "a@x", "home": home, "role": "ben"})

	c.do(other, "ALTER TYPE "+place+" ADD number int")
	c.do(other, "UPDATE "+table+" SET home = {street: 'x', number: 2} WHERE id = 'u1'")
	home = map[string]any{"street": "x", "number": 2}
	reads("after ALTER TYPE", map[string]any{"id": "u1", "email": "a@x", "home": home, "role": "ben"})

	c.do(other, "ALTER TABLE "+table+" DROP email")
	reads("after DROP", map[string]any{"id": "u1", "home": home, "role": "ben"})
	c.do(other, "ALTER TABLE "+table+" ADD extra text")
	batch := first.NewBatch(loggedBatch)
	batch.Query(insert, "u1", "carl")
	batch.Query(insert, "u2", "dora")
	c.must(first.ExecuteBatch(batch), "a batch after ADD")
	reads("a batch after ADD", map[string]any{"id": "u1", "extra": "", "home": home, "role": "carl"})

	c.do(other, "DROP TABLE "+table)
	c.do(other, "CREATE TABLE "+table+" (id text PRIMARY KEY, added int, role text)")
	c.do(first, insert, "u1", "ann")
	reads("after the table was made again", map[string]any{"id": "u1", "added": 0, "role": "ann"})
}
