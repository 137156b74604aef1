package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A run of one case: its checks, and its sessions, which are closed at the end. */
final class Case implements AutoCloseable {
  interface Body {
    void run(Case c) throws Exception;
  }

  /** Ends a case with its verdict: FAIL, not-applicable or not-run. */
  static final class Verdict extends RuntimeException {
    final String kind;

    Verdict(String kind, String why) {
      super(why);
      this.kind = kind;
    }
  }

  static final String REPLICATION = " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}";

  private final List<CqlSession> sessions = new ArrayList<>();

  static void fail(String why) {
    throw new Verdict("FAIL", why);
  }

  static void check(boolean holds, String why) {
    if (!holds) fail(why);
  }

  static void equal(Object actual, Object expected, String what) {
    String a = Values.show(actual);
    String e = Values.show(expected);
    check(a.equals(e), what + ": " + a + " instead of " + e);
  }

  static void eventually(String what, BooleanSupplier holds) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!holds.getAsBoolean()) {
      check(System.nanoTime() < end, what + ": not within 10 s");
      Thread.sleep(50);
    }
  }

  /** Connects with the driver's defaults, but longer timeouts and no delay of schema events (docs/reference/drivers.md). */
  static CqlSession connect(String keyspace, Consumer<ProgrammaticDriverConfigLoaderBuilder> configure) {
    return connect(keyspace, Main.port, "ann", configure);
  }

  /** With TLS, `certificate` is the client's own; null: none. */
  static CqlSession connect(String keyspace, int port, String certificate,
      Consumer<ProgrammaticDriverConfigLoaderBuilder> configure) {
    ProgrammaticDriverConfigLoaderBuilder options = DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ZERO)
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
        .withDuration(DefaultDriverOption.NETTY_IO_SHUTDOWN_TIMEOUT, Duration.ofSeconds(1))
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
    configure.accept(options);
    CqlSessionBuilder session = CqlSession.builder()
        .addContactPoint(new InetSocketAddress(Main.host, port))
        .withKeyspace(keyspace)
        .withConfigLoader(options.build());
    if (Main.user != null) session = session.withAuthCredentials(Main.user, Main.password);
    if (Main.tls != null) session = session.withSslEngineFactory(Main.tls.engines(certificate));
    return session.build();
  }

  CqlSession session(String keyspace, Consumer<ProgrammaticDriverConfigLoaderBuilder> configure) {
    CqlSession session = connect(keyspace, configure);
    sessions.add(session);
    return session;
  }

  CqlSession session() {
    return session(Main.keyspace, options -> {});
  }

  CqlSession session(String version, String compression) {
    return session(Main.keyspace, options -> {
      options.withString(DefaultDriverOption.PROTOCOL_VERSION, version);
      options.withString(DefaultDriverOption.PROTOCOL_COMPRESSION, compression);
    });
  }

  /** Runs a statement that must succeed. The message of a failure has the statement. */
  static ResultSet run(CqlSession s, String statement, Object... values) {
    try {
      return s.execute(SimpleStatement.newInstance(statement, values));
    } catch (RuntimeException e) {
      throw new Verdict("FAIL", statement + ": " + e);
    }
  }

  @Override
  public void close() {
    sessions.forEach(CqlSession::close);
  }
}
