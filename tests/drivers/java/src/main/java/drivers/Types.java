package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.protocol.internal.util.Bytes;
import drivers.Values.Parts;
import drivers.Values.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

final class Types {
  static void add(Map<String, Case.Body> cases) {
    cases.put("types_scalars", c -> Values.roundTrip(c.session(), "scalars", scalars()));
    cases.put("types_limits", Types::limits);
    cases.put("types_collections", Types::collections);
    cases.put("types_structured", Types::structured);
    cases.put("types_vectors", c -> Values.roundTrip(c.session(), "vectors", vectors()));
    cases.put("types_all_versions", Types::allVersions);
  }

  private static List<Value> scalars() throws Exception {
    UUID timeuuid = UUID.fromString("50554d6e-29bb-11e5-b345-feff819cdc9f");
    UUID uuid = UUID.fromString("6bddc89a-5644-4d19-9d48-b1f7b5a1d2c3");
    return List.of(
        new Value("ascii", "'plain'", "plain"),
        new Value("bigint", "-9007199254740993", -9007199254740993L),
        new Value("blob", "0x00ff10", Bytes.fromHexString("0x00ff10")),
        new Value("boolean", "true", true),
        new Value("date", "'2024-02-29'", LocalDate.of(2024, 2, 29)),
        new Value("decimal", "-12345.6789", new BigDecimal("-12345.6789")),
        new Value("double", "1.7976931348623157E308", Double.MAX_VALUE),
        new Value("duration", "1mo2d3ns", CqlDuration.newInstance(1, 2, 3)),
        new Value("float", "1.5", 1.5f),
        new Value("inet", "'127.0.0.1'", InetAddress.getByName("127.0.0.1")),
        new Value("inet", "'2001:db8::1'", InetAddress.getByName("2001:db8::1")),
        new Value("int", "-42", -42),
        new Value("smallint", "-4242", (short) -4242),
        new Value("text", "'Größe 𝄞'", "Größe 𝄞"),
        new Value("time", "'12:34:56.789'", LocalTime.parse("12:34:56.789")),
        new Value("timestamp", "'2024-02-29T12:34:56.789Z'", Instant.parse("2024-02-29T12:34:56.789Z")),
        new Value("timeuuid", timeuuid.toString(), timeuuid),
        new Value("tinyint", "-42", (byte) -42),
        new Value("uuid", uuid.toString(), uuid),
        new Value("varchar", "'it''s'", "it's"),
        new Value("varint", "123456789012345678901234567890", new BigInteger("123456789012345678901234567890")));
  }

  private static void limits(Case c) throws Exception {
    CqlSession s = c.session();
    Values.roundTrip(s, "limits", List.of(
        new Value("tinyint", "-128", Byte.MIN_VALUE), new Value("tinyint", "127", Byte.MAX_VALUE),
        new Value("smallint", "-32768", Short.MIN_VALUE), new Value("smallint", "32767", Short.MAX_VALUE),
        new Value("int", "-2147483648", Integer.MIN_VALUE), new Value("int", "2147483647", Integer.MAX_VALUE),
        new Value("bigint", "-9223372036854775808", Long.MIN_VALUE), new Value("bigint", "9223372036854775807", Long.MAX_VALUE),
        new Value("varint", "-18446744073709551617", new BigInteger("-18446744073709551617")),
        new Value("varint", "0", BigInteger.ZERO), new Value("varint", "-1" + "0".repeat(60), BigInteger.TEN.pow(60).negate()),
        new Value("decimal", "1E-30", new BigDecimal("1E-30")), new Value("decimal", "1.00", new BigDecimal("1.00")),
        new Value("decimal", "-98765432109876543210.987654321", new BigDecimal("-98765432109876543210.987654321")),
        new Value("float", "3.4028235E38", Float.MAX_VALUE), new Value("float", "1.4E-45", Float.MIN_VALUE),
        new Value("float", "NaN", Float.NaN), new Value("float", "-Infinity", Float.NEGATIVE_INFINITY),
        new Value("double", "4.9E-324", Double.MIN_VALUE), new Value("double", "-1.7976931348623157E308", -Double.MAX_VALUE),
        new Value("double", "NaN", Double.NaN), new Value("double", "Infinity", Double.POSITIVE_INFINITY),
        new Value("date", "0", LocalDate.of(-5877641, 6, 23)), new Value("date", "4294967295", LocalDate.of(5881580, 7, 11)),
        new Value("time", "0", LocalTime.MIN), new Value("time", "86399999999999", LocalTime.MAX),
        new Value("timestamp", "-9223372036854775808", Instant.ofEpochMilli(Long.MIN_VALUE)),
        new Value("timestamp", "9223372036854775807", Instant.ofEpochMilli(Long.MAX_VALUE)),
        new Value("duration", "-1mo2d3h", CqlDuration.from("-1mo2d3h")),
        new Value("text", "''", ""), new Value("ascii", "''", ""), new Value("blob", "0x", ByteBuffer.allocate(0)),
        new Value("text", "'𝄞😀'", "𝄞😀")));
    for (Value v : scalars()) {
      Values.roundTrip(s, "nulls", List.of(new Value(v.cql(), "null", null)));
    }
  }

  private static List<Value> collectionValues() {
    Map<String, List<Integer>> nested = Map.of("a", List.of(1, 2), "b", List.of(3));
    return List.of(
        new Value("list<int>", "[3, 1, 2]", List.of(3, 1, 2)),
        new Value("set<text>", "{'a', 'b'}", Set.of("a", "b")),
        new Value("map<text, bigint>", "{'a': 1, 'b': 2}", Map.of("a", 1L, "b", 2L)),
        new Value("frozen<list<int>>", "[3, 1, 2]", List.of(3, 1, 2)),
        new Value("frozen<set<text>>", "{'a', 'b'}", Set.of("a", "b")),
        new Value("frozen<map<text, bigint>>", "{'a': 1}", Map.of("a", 1L)),
        new Value("frozen<map<text, list<int>>>", "{'a': [1, 2], 'b': [3]}", nested),
        new Value("map<text, frozen<list<int>>>", "{'a': [1, 2], 'b': [3]}", nested));
  }

  private static void collections(Case c) {
    CqlSession s = c.session();
    Values.roundTrip(s, "collections", collectionValues());
    Case.run(s, "CREATE TABLE empties (k int PRIMARY KEY, l list<int>, f frozen<list<int>>)");
    Case.run(s, "INSERT INTO empties (k, l, f) VALUES (1, ?, ?)", List.of(), List.of());
    Row row = Case.run(s, "SELECT l, f FROM empties WHERE k = 1").one();
    Case.check(row.isNull(0), "an empty list that is not frozen is not null");
    Case.equal(row.getBytesUnsafe(1), Bytes.fromHexString("0x00000000"), "an empty frozen list");

    Case.run(s, "CREATE TABLE updates (k int, c frozen<set<int>>, l list<int>, s set<text>, m map<text, int>, PRIMARY KEY (k, c))");
    Set<Integer> key = Set.of(1, 2);
    Case.run(s, "INSERT INTO updates (k, c, l, s, m) VALUES (1, ?, [2], {'b'}, {'b': 2})", key);
    Object[][] assignments = {
        {"l = l + ?", List.of(3, 4)}, {"l = ? + l", List.of(1)}, {"l = l - ?", List.of(4)}, {"l[1] = ?", 20},
        {"s = s + ?", Set.of("a", "c")}, {"s = s - ?", Set.of("c")},
        {"m = m + ?", Map.of("a", 1, "c", 3)}, {"m = m - ?", Set.of("c")}, {"m['b'] = ?", 22}};
    for (Object[] assignment : assignments) {
      PreparedStatement prepared = s.prepare("UPDATE updates SET " + assignment[0] + " WHERE k = 1 AND c = ?");
      s.execute(prepared.bind(assignment[1], key));
    }
    row = Case.run(s, "SELECT c, l, s, m FROM updates WHERE k = 1").one();
    Case.equal(row.getObject("c"), key, "clustering key");
    Case.equal(row.getObject("l"), List.of(1, 20, 3), "list");
    Case.equal(row.getObject("s"), Set.of("a", "b"), "set");
    Case.equal(row.getObject("m"), Map.of("a", 1, "b", 22), "map");
  }

  private static List<Value> structuredValues() {
    Parts home = Parts.of("Elm", 12345);
    return List.of(
        new Value("tuple<int, text>", "(1, 'a')", Parts.of(1, "a")),
        new Value("frozen<tuple<int, text, boolean>>", "(1, null, true)", Parts.of(1, null, true)),
        new Value("frozen<address>", "{street: 'Elm', zip: 12345}", home),
        new Value("address", "{street: 'Elm', zip: null}", Parts.of("Elm", null)),
        new Value("frozen<person>", "{name: 'Ann', home: {street: 'Elm', zip: 12345}, notes: ['x']}",
            Parts.of("Ann", home, List.of("x"))),
        new Value("list<frozen<address>>", "[{street: 'Elm', zip: 12345}]", List.of(home)),
        new Value("map<int, frozen<tuple<int, text>>>", "{1: (2, 'b')}", Map.of(1, Parts.of(2, "b"))));
  }

  private static void createTypes(CqlSession s) {
    Case.run(s, "CREATE TYPE IF NOT EXISTS address (street text, zip int)");
    Case.run(s, "CREATE TYPE IF NOT EXISTS person (name text, home frozen<address>, notes frozen<list<text>>)");
  }

  private static void structured(Case c) {
    CqlSession s = c.session();
    createTypes(s);
    Values.roundTrip(s, "structured", structuredValues());
    Case.run(s, "CREATE TABLE fields (k int PRIMARY KEY, a address)");
    PreparedStatement insert = s.prepare("INSERT INTO fields (k, a) VALUES (1, ?)");
    s.execute(insert.boundStatementBuilder().setBytesUnsafe(0, Bytes.fromHexString("0x00000003456c6d")).build()); // The bytes have no field `zip`.
    Case.equal(Case.run(s, "SELECT a FROM fields").one().getObject(0), Parts.of("Elm", null), "a missing trailing field");
    Case.run(s, "UPDATE fields SET a.zip = ? WHERE k = 1", 99);
    Case.equal(Case.run(s, "SELECT a FROM fields").one().getObject(0), Parts.of("Elm", 99), "a field update");
  }

  private static List<Value> vectors() {
    return List.of(
        new Value("vector<float, 3>", "[1.5, -2, 0]", CqlVector.newInstance(1.5f, -2f, 0f)),
        new Value("vector<text, 2>", "['a', 'bcd']", CqlVector.newInstance("a", "bcd")),
        new Value("list<frozen<vector<float, 2>>>", "[[1, 2], [3, 4]]",
            List.of(CqlVector.newInstance(1f, 2f), CqlVector.newInstance(3f, 4f))));
  }

  private static void allVersions(Case c) throws Exception {
    for (String version : List.of("V3", "V4", "V5")) {
      for (String compression : List.of("none", "lz4", "snappy")) {
        if (version.equals("V5") && compression.equals("snappy")) continue; // v5 supports only lz4.
        CqlSession s = c.session(version, compression);
        createTypes(s);
        List<Value> values = new ArrayList<>(scalars());
        // In v3, these types exist only as custom types, and the driver has no codec for them.
        if (version.equals("V3")) values.removeIf(v -> Set.of("date", "time", "smallint", "tinyint").contains(v.cql()));
        values.addAll(collectionValues());
        values.addAll(structuredValues());
        values.addAll(vectors());
        Values.roundTrip(s, "all_" + version + "_" + compression, values);
      }
    }
  }
}
