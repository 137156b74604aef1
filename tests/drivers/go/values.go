package main

import (
	"fmt"
	"math/big"
	"net"
	"reflect"
	"slices"
	"sort"
	"strings"
	"time"

	"gopkg.in/inf.v0"
)

// value is one CQL value: its type, its literal, and its Go value.
type value struct {
	cql     string
	literal string
	goValue any
}

// tuple is the Go value of a column of type tuple. gocql scans such a column into one destination for each component.
type tuple []any

// show writes a value so that equal values have equal texts: null as "null", and an absent list as an empty one.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%q", v)
	case []byte:
		return fmt.Sprintf("0x%x", v)
	case net.IP:
		return v.String()
	case UUID:
		return v.String()
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case inf.Dec:
		return v.String()
	case *inf.Dec:
		if v == nil {
			return "null"
		}
		return v.String()
	case big.Int:
		return v.String()
	case *big.Int:
		if v == nil {
			return "null"
		}
		return v.String()
	}
	r := reflect.ValueOf(v)
	var parts []string
	switch r.Kind() {
	case reflect.Pointer:
		if r.IsNil() {
			return "null"
		}
		return show(r.Elem().Interface())
	case reflect.Slice, reflect.Array:
		for i := range r.Len() {
			parts = append(parts, show(r.Index(i).Interface()))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Map:
		for _, key := range r.MapKeys() {
			parts = append(parts, show(key.Interface())+": "+show(r.MapIndex(key).Interface()))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.Struct:
		for i := range r.NumField() {
			parts = append(parts, r.Type().Field(i).Name+": "+show(r.Field(i).Interface()))
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprint(v)
}

// destinations returns the variables that Scan fills for a column with the value `v`.
func destinations(v any) []any {
	if t, ok := v.(tuple); ok {
		var each []any
		for _, component := range t {
			each = append(each, destinations(component)...)
		}
		return each
	}
	return []any{reflect.New(reflect.TypeOf(v)).Interface()}
}

// marker returns the text of a bind marker for `v`. gocql binds each component of a tuple by itself.
func marker(v any) string {
	if t, ok := v.(tuple); ok {
		return "(" + strings.Join(slices.Repeat([]string{"?"}, len(t)), ", ") + ")"
	}
	return "?"
}

// bound returns the values for the marker of `v`.
func bound(v any) []any {
	if t, ok := v.(tuple); ok {
		return t
	}
	return []any{v}
}

// These are type codes of the native protocol.
const (
	typeBigint    = 0x02
	typeDouble    = 0x07
	typeInt       = 0x09
	typeTimestamp = 0x0B
	typeTextV1    = 0x0A // The protocol has it only before v3, but the driver still uses it in its metadata.
	typeText      = 0x0D
)

func typeCode(info TypeInfo) int { return int(info.Type()) }

// roundTrip writes `values` as one row by a prepared statement and as another row by literals. It reads both back.
func roundTrip(c *caseRun, s *Session, table string, values []value) {
	var definitions, names, literals, markers, expected []string
	bounds := []any{1}
	for i, v := range values {
		names = append(names, fmt.Sprintf("v%d", i))
		definitions = append(definitions, fmt.Sprintf("v%d %s", i, v.cql))
		literals = append(literals, v.literal)
		markers = append(markers, marker(v.goValue))
		bounds = append(bounds, bound(v.goValue)...)
		expected = append(expected, show(v.goValue))
	}
	c.do(s, "DROP TABLE IF EXISTS "+table)
	c.do(s, "CREATE TABLE "+table+" (k int PRIMARY KEY, "+strings.Join(definitions, ", ")+")")
	columns := strings.Join(names, ", ")
	c.do(s, "INSERT INTO "+table+" (k, "+columns+") VALUES (?, "+strings.Join(markers, ", ")+")", bounds...)
	c.do(s, "INSERT INTO "+table+" (k, "+columns+") VALUES (2, "+strings.Join(literals, ", ")+")")
	for k := 1; k <= 2; k++ {
		var all []any
		perColumn := make([][]any, len(values))
		for i, v := range values {
			perColumn[i] = destinations(v.goValue)
			all = append(all, perColumn[i]...)
		}
		c.must(s.Query("SELECT "+columns+" FROM "+table+" WHERE k = ?", k).Scan(all...), fmt.Sprintf("row %d of %s", k, table))
		for i, v := range values {
			actual := show(dereference(perColumn[i], v.goValue))
			c.check(actual == expected[i], "%s, row %d: %s instead of %s", v.cql, k, actual, expected[i])
		}
	}
}

func dereference(destinations []any, like any) any {
	if _, ok := like.(tuple); ok {
		var t tuple
		for _, d := range destinations {
			t = append(t, reflect.ValueOf(d).Elem().Interface())
		}
		return t
	}
	return reflect.ValueOf(destinations[0]).Elem().Interface()
}

func decimal(text string) *inf.Dec {
	d, ok := new(inf.Dec).SetString(text)
	if !ok {
		panic("not a decimal: " + text)
	}
	return d
}

func varint(text string) *big.Int {
	i, ok := new(big.Int).SetString(text, 10)
	if !ok {
		panic("not an integer: " + text)
	}
	return i
}

func uuid(text string) UUID {
	u, err := parseUUID(text)
	if err != nil {
		panic(err)
	}
	return u
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func pointer[T any](v T) *T { return &v }
