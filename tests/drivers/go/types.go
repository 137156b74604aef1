package main

import (
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"time"
)

var typeCases = []testCase{
	{"types_scalars", func(c *caseRun) { roundTrip(c, c.session(inKeyspace), "scalars", scalars()) }},
	{"types_limits", limits},
	{"types_collections", collections},
	{"types_structured", structured},
	{"types_vectors", vectors},
	{"types_all_versions", allVersions},
}

func scalars() []value {
	when := time.Date(2024, 2, 29, 12, 34, 56, 789_000_000, time.UTC)
	return []value{
		{"ascii", "'plain'", "plain"},
		{"bigint", "-9007199254740993", int64(-9007199254740993)},
		{"blob", "0x00ff10", []byte{0, 255, 16}},
		{"boolean", "true", true},
		{"date", "'2024-02-29'", day(2024, 2, 29)},
		{"decimal", "-12345.6789", decimal("-12345.6789")},
		{"double", "1.7976931348623157E308", math.MaxFloat64},
		{"duration", "1mo2d3ns", Duration{Months: 1, Days: 2, Nanoseconds: 3}},
		{"float", "1.5", float32(1.5)},
		{"inet", "'127.0.0.1'", net.ParseIP("127.0.0.1")},
		{"inet", "'2001:db8::1'", net.ParseIP("2001:db8::1")},
		{"int", "-42", -42},
		{"smallint", "-4242", int16(-4242)},
		{"text", "'Größe 𝄞'", "Größe 𝄞"},
		{"time", "'12:34:56.789'", 12*time.Hour + 34*time.Minute + 56789*time.Millisecond},
		{"timestamp", "'2024-02-29T12:34:56.789Z'", when},
		{"timeuuid", "50554d6e-29bb-11e5-b345-feff819cdc9f", uuid("50554d6e-29bb-11e5-b345-feff819cdc9f")},
		{"tinyint", "-42", int8(-42)},
		{"uuid", "6bddc89a-5644-4d19-9d48-b1f7b5a1d2c3", uuid("6bddc89a-5644-4d19-9d48-b1f7b5a1d2c3")},
		{"varchar", "'it''s'", "it's"},
		{"varint", "123456789012345678901234567890", varint("123456789012345678901234567890")},
	}
}

func limits(c *caseRun) {
	s := c.session(inKeyspace)
	roundTrip(c, s, "limits", []value{
		{"tinyint", "-128", int8(math.MinInt8)}, {"tinyint", "127", int8(math.MaxInt8)},
		{"smallint", "-32768", int16(math.MinInt16)}, {"smallint", "32767", int16(math.MaxInt16)},
		{"int", "-2147483648", int32(math.MinInt32)}, {"int", "2147483647", int32(math.MaxInt32)},
		{"bigint", "-9223372036854775808", int64(math.MinInt64)}, {"bigint", "9223372036854775807", int64(math.MaxInt64)},
		{"varint", "-18446744073709551617", varint("-18446744073709551617")}, {"varint", "0", varint("0")},
		{"varint", "-1" + strings.Repeat("0", 60), varint("-1" + strings.Repeat("0", 60))},
		{"decimal", "1E-30", decimal("0.000000000000000000000000000001")},
		{"decimal", "-98765432109876543210.987654321", decimal("-98765432109876543210.987654321")},
		{"float", "3.4028235E38", float32(math.MaxFloat32)}, {"float", "1.4E-45", float32(math.SmallestNonzeroFloat32)},
		{"float", "NaN", float32(math.NaN())}, {"float", "Infinity", float32(math.Inf(1))},
		{"double", "4.9E-324", math.SmallestNonzeroFloat64}, {"double", "-1.7976931348623157E308", -math.MaxFloat64},
		{"double", "NaN", math.NaN()}, {"double", "-Infinity", math.Inf(-1)}, {"double", "Infinity", math.Inf(1)},
		{"date", "0", day(-5877641, 6, 23)}, {"date", "4294967295", day(5881580, 7, 11)}, {"date", "'1969-12-31'", day(1969, 12, 31)},
		{"time", "0", time.Duration(0)}, {"time", "86399999999999", time.Duration(86399999999999)},
		{"timestamp", "-9223372036854775808", int64(math.MinInt64)}, {"timestamp", "9223372036854775807", int64(math.MaxInt64)},
		{"duration", "-2147483647mo2147483647d", Duration{Months: -math.MaxInt32, Days: -math.MaxInt32}},
		{"text", "''", ""}, {"blob", "0x", []byte{}}, {"ascii", "''", ""}, {"text", "'𝄞😀'", "𝄞😀"},
	})
	nulls(c, s)
}

// nulls reads back a null of each type, bound and literal.
func nulls(c *caseRun, s *Session) {
	for i, v := range scalars() {
		table := "nulls"
		c.do(s, "DROP TABLE IF EXISTS "+table)
		c.do(s, "CREATE TABLE "+table+" (k int PRIMARY KEY, v "+v.cql+")")
		c.do(s, "INSERT INTO "+table+" (k, v) VALUES (1, ?)", nil)
		c.do(s, "INSERT INTO "+table+" (k, v) VALUES (2, null)")
		for k := 1; k <= 2; k++ {
			back := rawBytes{1}
			c.must(s.Query("SELECT v FROM "+table+" WHERE k = ?", k).Scan(&back), "select")
			c.check(back == nil, "type %d, %s: %x instead of null", i, v.cql, back)
		}
	}
}

// rawBytes has the bytes of a value as the answer has them. nil is null.
type rawBytes []byte

func (r *rawBytes) UnmarshalCQL(_ TypeInfo, data []byte) error {
	*r = nil
	if data != nil {
		*r = append(rawBytes{}, data...)
	}
	return nil
}
func (r rawBytes) MarshalCQL(TypeInfo) ([]byte, error) { return r, nil }

func collections(c *caseRun) {
	s := c.session(inKeyspace)
	nested := map[string][]int{"a": {1, 2}, "b": {3}}
	roundTrip(c, s, "collections", []value{
		{"list<int>", "[3, 1, 2]", []int{3, 1, 2}},
		{"set<text>", "{'a', 'b'}", []string{"a", "b"}},
		{"map<text, bigint>", "{'a': 1, 'b': 2}", map[string]int64{"a": 1, "b": 2}},
		{"frozen<list<int>>", "[3, 1, 2]", []int{3, 1, 2}},
		{"frozen<set<text>>", "{'a', 'b'}", []string{"a", "b"}},
		{"frozen<map<text, bigint>>", "{'a': 1}", map[string]int64{"a": 1}},
		{"frozen<map<text, list<int>>>", "{'a': [1, 2], 'b': [3]}", nested},
		{"map<text, frozen<list<int>>>", "{'a': [1, 2], 'b': [3]}", nested},
		{"list<uuid>", "[6bddc89a-5644-4d19-9d48-b1f7b5a1d2c3]", []UUID{uuid("6bddc89a-5644-4d19-9d48-b1f7b5a1d2c3")}},
		{"frozen<list<int>>", "[]", []int{}},
	})
	c.do(s, "CREATE TABLE empties (k int PRIMARY KEY, l list<int>, f frozen<list<int>>)")
	c.do(s, "INSERT INTO empties (k, l, f) VALUES (1, ?, ?)", []int{}, []int{})
	var l, f rawBytes
	c.must(s.Query("SELECT l, f FROM empties WHERE k = 1").Scan(&l, &f), "select")
	c.check(l == nil, "an empty list that is not frozen reads as %x instead of null", l)
	c.equal([]byte(f), []byte{0, 0, 0, 0}, "an empty frozen list")
	collectionUpdates(c, s)
}

func collectionUpdates(c *caseRun, s *Session) {
	c.do(s, "CREATE TABLE updates (k int, c frozen<set<int>>, l list<int>, s set<text>, m map<text, int>, PRIMARY KEY (k, c))")
	key := []int{1, 2}
	c.do(s, "INSERT INTO updates (k, c, l, s, m) VALUES (1, ?, [2], {'b'}, {'b': 2})", key)
	for _, assignment := range []struct {
		text  string
		value any
	}{
		{"l = l + ?", []int{3, 4}}, {"l = ? + l", []int{1}}, {"l = l - ?", []int{4}}, {"l[1] = ?", 20},
		{"s = s + ?", []string{"a", "c"}}, {"s = s - ?", []string{"c"}},
		{"m = m + ?", map[string]int{"a": 1, "c": 3}}, {"m = m - ?", []string{"c"}}, {"m['b'] = ?", 22},
	} {
		c.do(s, "UPDATE updates SET "+assignment.text+" WHERE k = 1 AND c = ?", assignment.value, key)
	}
	var clustering, l []int
	var set []string
	var m map[string]int
	c.must(s.Query("SELECT c, l, s, m FROM updates WHERE k = 1").Scan(&clustering, &l, &set, &m), "select")
	c.equal(clustering, key, "clustering key")
	c.equal(l, []int{1, 20, 3}, "list")
	c.equal(set, []string{"a", "b"}, "set")
	c.equal(m, map[string]int{"a": 1, "b": 22}, "map")
}

type address struct {
	Street *string `cql:"street"`
	Zip    *int    `cql:"zip"`
}

type person struct {
	Name  *string   `cql:"name"`
	Home  *address  `cql:"home"`
	Notes *[]string `cql:"notes"`
}

func structuredValues() []value {
	home := address{Street: pointer("Elm"), Zip: pointer(12345)}
	return []value{
		{"tuple<int, text>", "(1, 'a')", tuple{pointer(1), pointer("a")}},
		{"frozen<tuple<int, text, boolean>>", "(1, null, true)", tuple{pointer(1), (*string)(nil), pointer(true)}},
		{"frozen<address>", "{street: 'Elm', zip: 12345}", home},
		{"address", "{street: 'Elm', zip: null}", address{Street: pointer("Elm")}},
		{"frozen<person>", "{name: 'Ann', home: {street: 'Elm', zip: 12345}, notes: ['x']}",
			person{Name: pointer("Ann"), Home: &home, Notes: &[]string{"x"}}},
		{"list<frozen<address>>", "[{street: 'Elm', zip: 12345}]", []address{home}},
		{"map<int, frozen<address>>", "{1: {street: 'Elm', zip: 12345}}", map[int]address{1: home}},
	}
}

func createTypes(c *caseRun, s *Session) {
	c.do(s, "CREATE TYPE IF NOT EXISTS address (street text, zip int)")
	c.do(s, "CREATE TYPE IF NOT EXISTS person (name text, home frozen<address>, notes frozen<list<text>>)")
}

func structured(c *caseRun) {
	s := c.session(inKeyspace)
	createTypes(c, s)
	roundTrip(c, s, "structured", structuredValues())
	c.do(s, "CREATE TABLE tuples (k int PRIMARY KEY, l list<frozen<tuple<int, text>>>)")
	type pair struct {
		A int
		B string
	}
	c.do(s, "INSERT INTO tuples (k, l) VALUES (1, ?)", []pair{{1, "a"}, {2, "b"}})
	var l []pair
	c.must(s.Query("SELECT l FROM tuples WHERE k = 1").Scan(&l), "select")
	c.equal(l, []pair{{1, "a"}, {2, "b"}}, "list of tuples")

	c.do(s, "CREATE TABLE fields (k int PRIMARY KEY, a address)")
	c.do(s, "INSERT INTO fields (k, a) VALUES (1, ?)", rawBytes{0, 0, 0, 3, 'E', 'l', 'm'}) // The bytes have no second field.
	var a address
	c.must(s.Query("SELECT a FROM fields WHERE k = 1").Scan(&a), "select")
	c.equal(a, address{Street: pointer("Elm")}, "a missing trailing field")
	c.do(s, "UPDATE fields SET a.zip = ? WHERE k = 1", 99)
	a = address{}
	c.must(s.Query("SELECT a FROM fields WHERE k = 1").Scan(&a), "select")
	c.equal(a, address{Street: pointer("Elm"), Zip: pointer(99)}, "a field update")
}

func vectorValues() []value {
	return []value{
		{"vector<float, 3>", "[1.5, -2, 0]", []float32{1.5, -2, 0}},
		{"vector<text, 2>", "['a', 'bcd']", []string{"a", "bcd"}},
		{"list<frozen<vector<float, 2>>>", "[[1, 2], [3, 4]]", [][]float32{{1, 2}, {3, 4}}},
	}
}

func vectors(c *caseRun) {
	if !hasVectors {
		panic(notApplicable("gocql 1.x has no vectors"))
	}
	roundTrip(c, c.session(inKeyspace), "vectors", vectorValues())
}

// In v3, these types exist only as custom types, and gocql 1.x does not know the names of their classes.
var customInV3 = []string{"date", "time", "smallint", "tinyint", "duration"}

func allVersions(c *caseRun) {
	for v := 3; v <= versionMax; v++ {
		for name, compression := range map[string]func(*ClusterConfig){
			"plain": func(*ClusterConfig) {}, "lz4": lz4Compression, "snappy": snappyCompression,
		} {
			if v == 5 && name == "snappy" { // v5 supports only lz4.
				continue
			}
			s := c.session(inKeyspace, version(v), compression)
			createTypes(c, s)
			values := append(scalars(), structuredValues()...)
			if v == 3 && driverName == "gocql-v1" {
				values = slices.DeleteFunc(values, func(v value) bool { return slices.Contains(customInV3, v.cql) })
			}
			if hasVectors {
				values = append(values, vectorValues()...)
			}
			values = append(values, value{"list<int>", "[3, 1, 2]", []int{3, 1, 2}}, value{"map<text, int>", "{'a': 1}", map[string]int{"a": 1}})
			roundTrip(c, s, fmt.Sprintf("all_%d_%s", v, name), values)
		}
	}
}
