package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

final class Connect {
  static void add(Map<String, Case.Body> cases) {
    for (String version : List.of("V3", "V4", "V5")) {
      String name = "connect_" + version.toLowerCase(Locale.ROOT);
      cases.put(name, c -> with(c, version, "none"));
      cases.put(name + "_lz4", c -> {
        with(c, version, "lz4");
        if (!version.equals("V5")) with(c, version, "snappy"); // v5 supports only lz4.
      });
    }
    cases.put("connect_default", Connect::byDefault);
    cases.put("idle_heartbeat", Connect::idle);
  }

  private static void with(Case c, String version, String compression) {
    CqlSession s = c.session(version, compression);
    Case.equal(s.getContext().getProtocolVersion().name(), version, "protocol version");
    String table = "connect_" + version + "_" + compression;
    Case.run(s, "CREATE TABLE " + table + " (k int PRIMARY KEY, v text)");
    for (int length : new int[] {0, 5, 100_000, 300_000}) {
      String text = "wide rows ".repeat(length / 10) + "x".repeat(length % 10);
      Case.run(s, "INSERT INTO " + table + " (k, v) VALUES (?, ?)", length, text);
      ResultSet rows = Case.run(s, "SELECT v FROM " + table + " WHERE k = ?", length);
      Case.check(rows.one().getString(0).equals(text), "a text of " + length + " bytes returns as another");
      int wire = rows.getExecutionInfo().getCompressedResponseSizeInBytes();
      if (length > 1000 && !compression.equals("none") && !version.equals("V5")) {
        Case.check(wire > 0 && wire < length / 2, "the answer was not compressed: " + wire + " bytes");
      }
    }
  }

  private static void byDefault(Case c) {
    List<Long> micros = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      long begin = System.nanoTime();
      CqlSession s = c.session(null, options -> {});
      micros.add((System.nanoTime() - begin) / 1000);
      Case.equal(s.getContext().getProtocolVersion().name(), "V5", "the version that was negotiated");
      Case.equal(Case.run(s, "SELECT key FROM system.local").one().getString(0), "local", "key");
    }
    Collections.sort(micros);
    Main.say(String.format(Locale.ROOT, "time connect %.1f", micros.get(5) / 1000.0));
  }

  private static void idle(Case c) throws InterruptedException {
    CqlSession s = c.session(null, options -> {
      options.withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, Duration.ofSeconds(1));
      options.withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, Duration.ofMillis(500)); // If there is no answer, the driver closes the connection.
    });
    var node = s.getMetadata().getNodes().values().iterator().next();
    Case.eventually("a connection", () -> node.getOpenConnections() >= 2);
    Thread.sleep(3500);
    Case.check(node.getOpenConnections() >= 2, "a heartbeat was not answered");
    Case.equal(Case.run(s, "SELECT key FROM system.local").one().getString(0), "local", "after idling");
  }
}
