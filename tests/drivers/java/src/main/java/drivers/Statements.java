package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

final class Statements {
  static void add(Map<String, Case.Body> cases) {
    cases.put("simple_statements", Statements::simple);
    cases.put("prepared_statements", Statements::prepared);
    cases.put("null_unset", Statements::nullAndUnset);
    cases.put("named_values", Statements::named);
    cases.put("batches", Statements::batches);
    cases.put("counters", Statements::counters);
    cases.put("conditions", Statements::conditions);
    cases.put("timestamps", Statements::timestamps);
    cases.put("use_keyspace", Statements::useKeyspace);
  }

  private static List<List<Object>> rows(ResultSet result) {
    List<List<Object>> all = new ArrayList<>();
    for (Row row : result) {
      List<Object> one = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) one.add(row.getObject(i));
      all.add(one);
    }
    return all;
  }

  private static List<String> columns(ColumnDefinitions definitions) {
    List<String> all = new ArrayList<>();
    for (ColumnDefinition d : definitions) all.add(d.getName().asInternal() + " " + d.getType().asCql(false, false));
    return all;
  }

  private static void simple(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE simple (k int PRIMARY KEY, v text, w bigint)");
    Case.run(s, "INSERT INTO simple (k, v, w) VALUES (1, 'one', 10)");
    Case.run(s, "INSERT INTO simple (k, v, w) VALUES (?, ?, ?) USING TTL 1000", 2, "two", 20L);
    ResultSet result = Case.run(s, "SELECT k, v AS name, w, writetime(v), ttl(v) FROM simple WHERE k = ?", 2);
    Case.equal(columns(result.getColumnDefinitions()),
        List.of("k int", "name text", "w bigint", "writetime(v) bigint", "ttl(v) int"), "columns");
    ColumnDefinition first = result.getColumnDefinitions().get(0);
    Case.equal(List.of(first.getKeyspace().asInternal(), first.getTable().asInternal()), List.of(Main.keyspace, "simple"), "from");
    Row row = result.one();
    Case.equal(List.of(row.getInt(0), row.getString(1), row.getLong(2)), List.of(2, "two", 20L), "row");
    Case.check(row.getLong(3) > 1_500_000_000_000_000L && row.getInt(4) > 900, "writetime and ttl");
    Case.equal(Case.run(s, "SELECT count(*) FROM simple").one().getLong(0), 2L, "count");
    Case.run(s, "BEGIN BATCH INSERT INTO simple (k, v) VALUES (3, 'three'); DELETE FROM simple WHERE k = 1; APPLY BATCH");
    Case.equal(Case.run(s, "SELECT count(*) FROM simple").one().getLong(0), 2L, "count after a batch by text");
    Case.run(s, "TRUNCATE simple");
    Case.equal(Case.run(s, "SELECT count(*) FROM simple").one().getLong(0), 0L, "count after TRUNCATE");
    Case.equal(rows(Case.run(s, "DESCRIBE TABLE simple")).size(), 1, "rows of DESCRIBE");
  }

  private static void prepared(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE prepared (a int, b text, c int, v double, PRIMARY KEY ((a, b), c))");
    PreparedStatement insert = s.prepare("INSERT INTO prepared (v, c, b, a) VALUES (?, ?, ?, ?)");
    Case.equal(columns(insert.getVariableDefinitions()), List.of("v double", "c int", "b text", "a int"), "markers");
    Case.equal(insert.getPartitionKeyIndices(), List.of(3, 2), "partition key indices");
    for (int i = 0; i < 100; i++) s.execute(insert.bind(i / 2.0, i, "b", 7));
    PreparedStatement select = s.prepare("SELECT c, v FROM prepared WHERE a = ? AND b = ? AND c IN ?");
    Case.equal(columns(select.getResultSetDefinitions()), List.of("c int", "v double"), "result");
    Case.equal(columns(select.getVariableDefinitions()), List.of("a int", "b text", "in(c) list<int>"), "markers of IN ?");
    Case.equal(rows(s.execute(select.bind(7, "b", List.of(3, 5, 1000)))), List.of(List.of(3, 1.5), List.of(5, 2.5)), "IN ?");
    PreparedStatement limited = s.prepare("SELECT c FROM prepared WHERE a = 7 AND b = 'b' LIMIT ?");
    Case.equal(columns(limited.getVariableDefinitions()), List.of("[limit] int"), "marker of LIMIT ?");
    Case.equal(rows(s.execute(limited.bind(2))), List.of(List.of(0), List.of(1)), "LIMIT ?");
    Case.equal(rows(s.execute(s.prepare("SELECT count(*) FROM prepared").bind())), List.of(List.of(100L)), "no markers");
    newColumn(c, "V4");
    newColumn(c, "V5");
  }

  /**
   * After ADD, a `SELECT *` that was prepared before must show the new column: with v5 by the new metadata id, with v4 after it is
   * prepared again.
   */
  private static void newColumn(Case c, String version) {
    CqlSession s = c.session(version, "none");
    String table = "grows_" + version;
    Case.run(s, "CREATE TABLE " + table + " (k int PRIMARY KEY, v int)");
    Case.run(s, "INSERT INTO " + table + " (k, v) VALUES (1, 2)");
    PreparedStatement select = s.prepare("SELECT * FROM " + table + " WHERE k = 1");
    Case.equal(rows(s.execute(select.bind())), List.of(List.of(1, 2)), version + " before ADD");
    Case.run(s, "ALTER TABLE " + table + " ADD added int");
    Case.run(s, "UPDATE " + table + " SET added = 3 WHERE k = 1");
    if (version.equals("V4")) select = s.prepare("SELECT  * FROM " + table + " WHERE k = 1");
    Case.equal(rows(s.execute(select.bind())), List.of(List.of(1, 3, 2)), version + " after ADD");
  }

  private static void nullAndUnset(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE unset (k int PRIMARY KEY, v text, w text)");
    PreparedStatement insert = s.prepare("INSERT INTO unset (k, v, w) VALUES (?, ?, ?)");
    s.execute(insert.bind(1, "v", "w"));
    s.execute(insert.bind(1, null)); // w stays unset.
    Case.equal(rows(Case.run(s, "SELECT v, w FROM unset WHERE k = 1")), List.of(Arrays.asList(null, "w")), "v is null, w stays");
    Server.refused(() -> s.execute(insert.boundStatementBuilder().setString("v", "x").build()), InvalidQueryException.class,
        "Invalid unset value for column k");
    Server.refused(() -> s.execute(insert.bind(null, "x")), InvalidQueryException.class, "Invalid null value in condition for column k");
    PreparedStatement limited = s.prepare("SELECT k FROM unset LIMIT ?");
    Case.equal(rows(s.execute(limited.bind())), List.of(List.of(1)), "LIMIT unset");
    CqlSession v3 = c.session("V3", "none");
    PreparedStatement old = v3.prepare("INSERT INTO unset (k, v, w) VALUES (?, ?, ?)");
    try {
      v3.execute(old.bind(1, "v"));
      Case.fail("an unset value went out by v3");
    } catch (IllegalStateException e) { // The driver itself refuses.
      Case.check(e.getMessage().startsWith("Unset value at index 2"), e.getMessage());
    }
  }

  private static void named(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE named (k int PRIMARY KEY, v text, w int)");
    s.execute(SimpleStatement.newInstance("INSERT INTO named (k, v, w) VALUES (:key, :value, :w)", Map.of("w", 3, "key", 1, "value", "x")));
    s.execute(SimpleStatement.newInstance("INSERT INTO named (k, v, w) VALUES (?, ?, ?)", Map.of("w", 4, "k", 2, "v", "y")));
    PreparedStatement update = s.prepare("UPDATE named SET v = :value WHERE k = :key");
    s.execute(update.boundStatementBuilder().setInt("key", 3).setString("value", "z").build());
    Case.equal(rows(s.execute(SimpleStatement.newInstance("SELECT k, v, w FROM named WHERE k IN :keys", Map.of("keys", List.of(1, 2, 3))))),
        List.of(List.of(1, "x", 3), List.of(2, "y", 4), Arrays.asList(3, "z", null)), "rows");
  }

  private static void batches(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE batched (k int, c int, v text, PRIMARY KEY (k, c))");
    PreparedStatement insert = s.prepare("INSERT INTO batched (k, c, v) VALUES (?, ?, ?)");
    PreparedStatement update = s.prepare("UPDATE batched SET v = :v WHERE k = :k AND c = :c");
    for (DefaultBatchType kind : List.of(DefaultBatchType.LOGGED, DefaultBatchType.UNLOGGED)) {
      int k = kind.getProtocolCode();
      long time = 1000 + k;
      BoundStatement third = update.boundStatementBuilder().setInt("k", k).setInt("c", 3).setString("v", "updated").build();
      s.execute(BatchStatement.newInstance(kind, insert.bind(k, 1, "prepared"),
          SimpleStatement.newInstance("INSERT INTO batched (k, c, v) VALUES (" + k + ", 2, 'simple')"), third,
          SimpleStatement.newInstance("INSERT INTO batched (k, c, v) VALUES (?, ?, ?)", k, 4, "values")).setQueryTimestamp(time));
      Case.equal(rows(Case.run(s, "SELECT c, v, writetime(v) FROM batched WHERE k = ?", k)),
          List.of(List.of(1, "prepared", time), List.of(2, "simple", time), List.of(3, "updated", time), List.of(4, "values", time)),
          "rows");
    }
    BatchStatementBuilder many = BatchStatement.builder(DefaultBatchType.UNLOGGED);
    for (int i = 0; i < 1000; i++) many.addStatement(insert.bind(100, i, "many"));
    s.execute(many.build());
    Case.equal(Case.run(s, "SELECT count(*) FROM batched WHERE k = 100").one().getLong(0), 1000L, "rows of the batch of 1,000");
  }

  private static void counters(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE counted (k int, c int, s counter static, n counter, m counter, PRIMARY KEY (k, c))");
    PreparedStatement add = s.prepare("UPDATE counted SET n = n + ?, m = m - ? WHERE k = ? AND c = ?");
    Case.equal(columns(add.getVariableDefinitions()), List.of("n counter", "m counter", "k int", "c int"), "markers");
    Case.run(s, "UPDATE counted SET n = n + 5 WHERE k = 1 AND c = 1");
    s.execute(add.bind(1L << 40, 2L, 1, 1));
    s.execute(BatchStatement.newInstance(DefaultBatchType.COUNTER, add.bind(10L, 20L, 1, 1), add.bind(-1L, 1L, 1, 2),
        SimpleStatement.newInstance("UPDATE counted SET s = s + 3 WHERE k = 1")));
    Case.equal(rows(Case.run(s, "SELECT c, s, n, m FROM counted WHERE k = 1")),
        List.of(List.of(1, 3L, (1L << 40) + 15, -22L), List.of(2, 3L, -1L, -1L)), "rows");
    Case.run(s, "DELETE n FROM counted WHERE k = 1 AND c = 1");
    Case.equal(rows(Case.run(s, "SELECT n FROM counted WHERE k = 1 AND c = 1")), List.of(Arrays.asList((Object) null)), "deleted");
    Server.refused(() -> s.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, add.bind(1L, 1L, 1, 1), add.bind(1L, 1L, 1, 2))),
        InvalidQueryException.class, "Cannot include a counter statement in a logged batch");
  }

  private static void conditions(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE asked (k int, c int, v int, m map<text, int>, PRIMARY KEY (k, c))");
    PreparedStatement set = s.prepare("UPDATE asked SET v = ? WHERE k = ? AND c = ? IF v = ?");
    PreparedStatement put = s.prepare("UPDATE asked SET m[?] = ? WHERE k = ? AND c = ? IF m[?] = ? AND v IN ?");
    Case.equal(columns(put.getVariableDefinitions()),
        List.of("key(m) text", "value(m) int", "k int", "c int", "key(m) text", "value(m) int", "in(v) list<int>"), "markers");
    Case.check(s.execute(set.bind(1, 1, 1, null)).wasApplied(), "null is not null");
    ResultSet refused = s.execute(set.bind(2, 1, 1, 7));
    Case.check(!refused.wasApplied(), "applied though v is not 7");
    Case.equal(columns(refused.getColumnDefinitions()), List.of("[applied] boolean", "v int"), "columns of a refusal");
    Case.equal(rows(refused), List.of(List.of(false, 1)), "the value that was found");
    Case.check(s.execute(put.bind("a", 1, 1, 1, "a", null, List.of(1, 2))).wasApplied(), "an element and IN");
    ResultSet half = s.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, set.bind(3, 1, 1, 1), set.bind(3, 1, 2, 5)));
    Case.check(!half.wasApplied(), "half a batch");
    Case.equal(rows(half), List.of(List.of(false, 1, 1, 1)), "the row that was found");
    Case.check(s.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED, set.bind(3, 1, 1, 1), set.bind(3, 1, 2, null))).wasApplied(), "a batch");
    Case.equal(rows(Case.run(s, "SELECT c, v FROM asked WHERE k = 1")), List.of(List.of(1, 3), List.of(2, 3)), "rows");
  }

  private static void timestamps(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE times (k int PRIMARY KEY, v text)");
    SimpleStatement insert = SimpleStatement.newInstance("INSERT INTO times (k, v) VALUES (?, ?)");
    long begin = System.currentTimeMillis() * 1000;
    s.execute(insert.setPositionalValues(List.of(1, "default")));
    long written = Case.run(s, "SELECT writetime(v) FROM times WHERE k = 1").one().getLong(0);
    Case.check(written >= begin && written <= (System.currentTimeMillis() + 1) * 1000, "default timestamp " + written);
    s.execute(insert.setPositionalValues(List.of(2, "given")).setQueryTimestamp(5000));
    s.execute(insert.setPositionalValues(List.of(2, "older")).setQueryTimestamp(4999));
    Case.equal(rows(Case.run(s, "SELECT v, writetime(v) FROM times WHERE k = 2")), List.of(List.of("given", 5000L)), "the newer stays");
  }

  private static void useKeyspace(Case c) {
    CqlSession s = c.session();
    String other = Main.keyspace + "_use";
    Case.run(s, "CREATE KEYSPACE " + other + Case.REPLICATION);
    Case.run(s, "CREATE TABLE place (k int PRIMARY KEY, v text)");
    Case.run(s, "CREATE TABLE " + other + ".place (k int PRIMARY KEY, v text)");
    Case.run(s, "INSERT INTO place (k, v) VALUES (1, 'first')");
    Case.run(s, "INSERT INTO " + other + ".place (k, v) VALUES (1, 'other')");
    SimpleStatement select = SimpleStatement.newInstance("SELECT v FROM place WHERE k = 1");
    Case.equal(s.execute(select).one().getString(0), "first", "the session's keyspace");
    Case.equal(s.execute(select.setKeyspace(other)).one().getString(0), "other", "the request's keyspace (v5)");
    Case.run(s, "USE " + other);
    Case.equal(s.getKeyspace().orElseThrow().asInternal(), other, "the session's keyspace after USE");
    Case.equal(s.execute(select).one().getString(0), "other", "after USE");
    Server.refused(() -> s.execute("USE " + other + "_missing"), InvalidQueryException.class,
        "Keyspace '" + other + "_missing' does not exist");
    try {
      c.session(other + "_missing", options -> {});
      Case.fail("a session of a missing keyspace was made");
    } catch (com.datastax.oss.driver.api.core.InvalidKeyspaceException e) {
      Case.check(e.getMessage().contains(other + "_missing"), e.getMessage());
    }
  }
}
