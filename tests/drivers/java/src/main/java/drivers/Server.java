package drivers;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.protocol.internal.util.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Map;

final class Server {
  static void add(Map<String, Case.Body> cases) {
    cases.put("errors", Server::errors);
    cases.put("tracing", Server::tracing);
    cases.put("warnings_payload", Server::warningsAndPayload);
    cases.put("reconnect", Server::reconnect);
  }

  /** Checks that the server refuses with an exception of this class and a message that begins with `begin`. */
  static void refused(Runnable request, Class<? extends Exception> kind, String begin) {
    try {
      request.run();
    } catch (Exception e) {
      Case.check(kind.isInstance(e), kind.getSimpleName() + " is wanted, not " + e);
      Case.check(e.getMessage().startsWith(begin), "message \"" + e.getMessage() + "\" instead of \"" + begin + "\"");
      return;
    }
    Case.fail("not refused: " + begin);
  }

  private record Refused(String statement, Class<? extends Exception> kind, String begin) {}

  private static void errors(Case c) {
    CqlSession s = c.session();
    String keyspace = Main.keyspace;
    Case.run(s, "CREATE TABLE wrong (a int, b int, c int, v text, PRIMARY KEY ((a, b), c))");
    for (Refused r : List.of(
        new Refused("SELEC * FROM wrong", SyntaxError.class, "line 1:0 no viable alternative at input 'SELEC'"),
        new Refused("SELECT * FROM missing", InvalidQueryException.class, "table missing does not exist"),
        new Refused("SELECT * FROM nowhere_at_all.t", InvalidQueryException.class, "keyspace nowhere_at_all does not exist"),
        new Refused("SELECT missing FROM wrong", InvalidQueryException.class, "Undefined column name missing in table " + keyspace),
        new Refused("INSERT INTO wrong (a, b, c, v) VALUES ('x', 1, 1, 'v')", InvalidQueryException.class,
            "Invalid STRING constant (x) for \"a\" of type int"),
        new Refused("INSERT INTO wrong (a, c, v) VALUES (1, 1, 'v')", InvalidQueryException.class,
            "Some partition key parts are missing: b"),
        new Refused("INSERT INTO wrong (a, b, v) VALUES (1, 1, 'v')", InvalidQueryException.class,
            "Some clustering keys are missing: c"),
        new Refused("SELECT * FROM wrong WHERE v = 'x'", InvalidQueryException.class,
            "Cannot execute this query as it might involve data filtering"),
        new Refused("DROP TABLE system.local", UnauthorizedException.class, ""),
        new Refused("CREATE TABLE wrong (k int PRIMARY KEY)", AlreadyExistsException.class,
            "Object " + keyspace + ".wrong already exists"), // The driver makes this sentence from the names in the answer.
        new Refused("CREATE KEYSPACE " + keyspace + Case.REPLICATION, AlreadyExistsException.class,
            "Keyspace " + keyspace + " already exists"))) {
      refused(() -> s.execute(r.statement()), r.kind(), r.begin());
      if (r.kind() != AlreadyExistsException.class && r.kind() != UnauthorizedException.class) {
        refused(() -> s.prepare(r.statement()), r.kind(), r.begin());
      }
    }
    PreparedStatement insert = s.prepare("INSERT INTO wrong (a, b, c, v) VALUES (?, 1, 1, 'v')");
    refused(() -> s.execute(insert.boundStatementBuilder().setBytesUnsafe(0, Bytes.fromHexString("0x010203")).build()),
        InvalidQueryException.class, "Expected 4 or 0 byte int (3)");
    refused(() -> s.execute(SimpleStatement.newInstance("INSERT INTO wrong (a, b, c, v) VALUES (?, ?, 1, 'v')", 1)),
        InvalidQueryException.class, "Invalid amount of bind variables");
  }

  private static void tracing(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE traced (k int PRIMARY KEY, v text)");
    ResultSet traced = s.execute(SimpleStatement.newInstance("INSERT INTO traced (k, v) VALUES (1, 'x')").setTracing(true));
    QueryTrace trace = traced.getExecutionInfo().getQueryTrace();
    Case.check(trace.getCoordinatorAddress() != null && trace.getDurationMicros() > 0, "coordinator or duration is missing");
    Case.check(!trace.getEvents().isEmpty(), "the trace has no events");
    Case.check(trace.getRequestType() != null && trace.getStartedAt() > 0, "request or start is missing");
  }

  private static void warningsAndPayload(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE warned (k int PRIMARY KEY, v text)");
    s.execute(SimpleStatement.newInstance("INSERT INTO warned (k, v) VALUES (?, ?)", 1, "x")
        .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
        .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
        .setCustomPayload(Map.of("who", Bytes.fromHexString("0x6a617661"))));
    String keyspace = Main.keyspace + "_warned";
    ResultSet result = Case.run(s, "CREATE KEYSPACE " + keyspace + Case.REPLICATION.replace("'1'", "'3'"));
    List<String> warnings = result.getExecutionInfo().getWarnings();
    String begin = "Your replication factor 3 for keyspace " + keyspace + " is higher than the number of nodes 1";
    Case.check(!warnings.isEmpty() && warnings.get(0).startsWith(begin), "warnings: " + warnings);
  }

  private static void reconnect(Case c) throws Exception {
    if (!Main.restart) throw new Case.Verdict("not-run", "nobody restarts the server (restart=yes)");
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE lasting (k int PRIMARY KEY, v text)");
    PreparedStatement insert = s.prepare("INSERT INTO lasting (k, v) VALUES (?, ?)");
    PreparedStatement select = s.prepare("SELECT v FROM lasting WHERE k = ?");
    s.execute(insert.bind(1, "v1"));
    Main.say("RESTART");
    Case.equal(Main.input.readLine(), "GO", "answer to RESTART");
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (true) {
      try {
        Case.equal(s.execute(select.bind(1)).one().getString(0), "v1", "the row written before the restart");
        break;
      } catch (AllNodesFailedException | com.datastax.oss.driver.api.core.connection.ClosedConnectionException e) {
        Case.check(System.nanoTime() < end, "no connection 30 s after the restart: " + e);
        Thread.sleep(100);
      }
    }
    s.execute(insert.bind(2, "v2"));
    Case.equal(s.execute(select.bind(2)).one().getString(0), "v2", "a row written after the restart");
  }
}
