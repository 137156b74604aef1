package drivers;

import static drivers.Case.b;
import static drivers.Case.cells;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** Cases of the connection itself. */
final class Server {
  private Server() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("connect", Server::connect);
    cases.put("threads", Server::threads);
    cases.put("reconnect", Server::reconnect);
  }

  private static void connect(Case c) throws Exception {
    Table made = c.table("f");
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long begun = System.nanoTime();
      try (Connection connection = ConnectionFactory.createConnection(Case.configuration());
          Table table = connection.getTable(made.getName())) {
        check(!table.exists(new Get(b("r"))), "no row");
        best = Math.min(best, (System.nanoTime() - begun) / 1_000_000);
        check(connection.getClusterId() == null || !connection.getClusterId().isEmpty(), "the cluster has an id");
      }
    }
    Main.say("time connect " + best);
  }

  private static void threads(Case c) throws Exception {
    Table made = c.table("f");
    List<String> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String row = "thread" + i;
      threads.add(new Thread(() -> {
        try (Table table = Case.connection().getTable(made.getName())) {
          for (int n = 0; n < 100; n++) {
            table.put(put(row, n, "f:q", row + n));
            String found = cells(table.get(new Get(b(row))));
            if (!found.equals("f:q=" + row + n)) {
              failures.add(row + " read " + found + " after " + n);
            }
          }
        } catch (Exception e) {
          failures.add(String.valueOf(e));
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    equal(failures, "[]", "each thread reads what it wrote");
  }

  private static void reconnect(Case c) throws Exception {
    if (!Main.restart) {
      throw new Case.Verdict("not-run", "nobody restarts the server");
    }
    Table table = c.table(Case.family("f", 3));
    table.put(put("r", 1, "f:q", "v1"));
    table.put(put("r", 2, "f:q", "v2"));
    table.delete(new org.apache.hadoop.hbase.client.Delete(b("s")).addColumns(b("f"), b("q"), 10));
    Main.say("RESTART");
    equal(Main.input.readLine(), "GO", "the harness's answer");
    equal(Case.timed(table.get(new Get(b("r")).readAllVersions())), "f:q@2=v2 f:q@1=v1", "the old connection, the data");
    table.put(put("s", 9, "f:q", "masked"));
    check(!table.exists(new Get(b("s"))), "a delete from before the restart masks a put with an older time");
    table.put(put("r", 3, "f:q", "v3"));
    equal(cells(table.get(new Get(b("r")))), "f:q=v3", "a put after the restart");
    equal(table.getDescriptor().getColumnFamily(b("f")).getMaxVersions(), 3, "the table's description");
  }
}
