package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

var schemaCases = []testCase{
	{"metadata", metadata},
	{"metadata_system", metadataSystem},
	{"schema_events", schemaEvents},
}

func columnNames(columns []*ColumnMetadata) (names []string) {
	for _, column := range columns {
		names = append(names, column.Name)
	}
	return names
}

// metadata tests the driver's metadata. gocql reads no table options and makes no CREATE text.
func metadata(c *caseRun) {
	name := keyspace + "_meta"
	s := c.session()
	c.do(s, "CREATE KEYSPACE "+name+replication+" AND durable_writes = false")
	c.do(s, "CREATE TYPE "+name+".address (street text, zip int)")
	c.do(s, "CREATE TABLE "+name+`.readings (site text, day int, at timestamp, seq int, label text STATIC, v double, home frozen<address>,
		PRIMARY KEY ((site, day), at, seq)) WITH CLUSTERING ORDER BY (at DESC, seq ASC) AND comment = 'by site'`)
	var k *KeyspaceMetadata
	var err error
	c.eventually("the keyspace and what is in it", func() bool { // The driver collects events for a second.
		k, err = s.KeyspaceMetadata(name)
		return err == nil && len(k.Tables) == 1 && len(k.UserTypes) == 1
	})
	c.equal(k.Name, name, "keyspace")
	c.equal(k.DurableWrites, false, "durable_writes")
	c.check(strings.HasSuffix(k.StrategyClass, "SimpleStrategy"), "strategy class %s", k.StrategyClass)
	c.equal(fmt.Sprint(k.StrategyOptions["replication_factor"]), "1", "replication factor")

	table := k.Tables["readings"]
	c.check(table != nil, "the table is not in the metadata")
	c.equal(columnNames(table.PartitionKey), []string{"site", "day"}, "partition key")
	c.equal(columnNames(table.ClusteringColumns), []string{"at", "seq"}, "clustering columns")
	c.check(table.ClusteringColumns[0].Order == descending && table.ClusteringColumns[1].Order == ascending, "clustering order")
	c.check(table.Columns["label"].Kind == staticKind, "label is not static")
	columns := slices.Sorted(slices.Values(table.OrderedColumns))
	c.equal(columns, []string{"at", "day", "home", "label", "seq", "site", "v"}, "columns")
	for column, kind := range map[string]int{"site": typeTextV1, "day": typeInt, "at": typeTimestamp, "v": typeDouble} {
		c.equal(typeCode(table.Columns[column].Type), kind, "type of "+column)
	}
	address := k.UserTypes["address"]
	c.check(address != nil, "the type is not in the metadata")
	c.equal(address.FieldNames, []string{"street", "zip"}, "fields")
	c.equal(typeCode(address.FieldTypes[1]), typeInt, "type of zip")
	c.check(k.Tables["missing"] == nil, "a missing table is in the metadata")
	_, err = s.KeyspaceMetadata(name + "_missing")
	c.check(errors.Is(err, errNoSuchKeyspace), "a missing keyspace: %v", err)
}

func metadataSystem(c *caseRun) {
	s := c.session()
	for name, table := range map[string]string{"system": "local", "system_schema": "tables"} {
		k, err := s.KeyspaceMetadata(name)
		c.must(err, name)
		c.check(k.Tables[table] != nil, "%s.%s is not in the metadata", name, table)
	}
	iter := s.Query("SELECT key FROM system.local").Iter()
	host := iter.Host()
	c.must(iter.Close(), "select")
	c.check(host.ClusterName() != "", "no cluster name")
	c.equal(host.Partitioner(), "org.apache.cassandra.dht.Murmur3Partitioner", "partitioner")
	c.check(host.IsUp(), "the host is not up")
	c.check(host.DataCenter() != "" && host.Rack() != "" && host.HostID() != "", "data centre, rack or host id is empty")
	c.check(len(host.Tokens()) > 0, "the host has no tokens")
	c.check(host.Version().Major >= 4, "release version %v", host.Version())
}

// eventually waits up to 10 s until `holds` returns true.
func (c *caseRun) eventually(what string, holds func() bool) {
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		c.check(time.Now().Before(end), "%s: not within 10 s", what)
	}
}

// schemaEvents needs schema events: the driver keeps the schema of a keyspace until an event reports a change.
func schemaEvents(c *caseRun) {
	name := keyspace + "_events"
	watcher, changer := c.session(), c.session()
	look := func(holds func(*KeyspaceMetadata) bool) func() bool {
		return func() bool {
			k, err := watcher.KeyspaceMetadata(name)
			return err == nil && holds(k)
		}
	}
	step := func(statement string, holds func(*KeyspaceMetadata) bool) {
		c.do(changer, strings.ReplaceAll(statement, "KS", name))
		c.eventually(statement, look(holds))
	}
	step("CREATE KEYSPACE KS"+replication, func(k *KeyspaceMetadata) bool { return k.DurableWrites })
	step("ALTER KEYSPACE KS WITH durable_writes = false", func(k *KeyspaceMetadata) bool { return !k.DurableWrites })
	step("CREATE TABLE KS.t (k int PRIMARY KEY, v text)", func(k *KeyspaceMetadata) bool { return k.Tables["t"] != nil })
	step("ALTER TABLE KS.t ADD w text", func(k *KeyspaceMetadata) bool { return k.Tables["t"].Columns["w"] != nil })
	step("CREATE TYPE KS.u (a int)", func(k *KeyspaceMetadata) bool { return k.UserTypes["u"] != nil })
	step("ALTER TYPE KS.u ADD b int", func(k *KeyspaceMetadata) bool { return len(k.UserTypes["u"].FieldNames) == 2 })
	step("DROP TYPE KS.u", func(k *KeyspaceMetadata) bool { return k.UserTypes["u"] == nil })
	step("DROP TABLE KS.t", func(k *KeyspaceMetadata) bool { return k.Tables["t"] == nil })
	c.do(changer, "DROP KEYSPACE "+name)
	c.eventually("DROP KEYSPACE", func() bool {
		_, err := watcher.KeyspaceMetadata(name)
		return errors.Is(err, errNoSuchKeyspace)
	})
}
