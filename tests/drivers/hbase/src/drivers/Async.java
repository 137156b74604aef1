package drivers;

import static drivers.Case.b;
import static drivers.Case.cells;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of the asynchronous client. */
final class Async {
  private Async() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("async_table", Async::table);
    cases.put("async_many", Async::many);
  }

  private static <T> T wait(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static void table(Case c) throws Exception {
    TableName name = c.table("f").getName();
    try (AsyncConnection connection = wait(ConnectionFactory.createAsyncConnection(Case.configuration()))) {
      check(wait(connection.getAdmin().tableExists(name)), "the table exists");
      AsyncTable<?> table = connection.getTable(name);
      wait(table.put(put("r", 1, "f:q", "v")));
      equal(cells(wait(table.get(new Get(b("r"))))), "f:q=v", "get");
      check(wait(table.exists(new Get(b("r")))), "exists");
      equal(Bytes.toLong(wait(table.increment(new Increment(b("r")).addColumn(b("f"), b("n"), 3))).value()), 3, "increment");
      check(wait(table.checkAndMutate(CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("v")).build(put("r", 2, "f:q", "w"))))
          .isSuccess(), "checkAndMutate");
      wait(table.putAll(List.of(put("s", 1, "f:q", "1"), put("t", 1, "f:q", "2"))));
      equal(wait(table.scanAll(new Scan())).size(), 3, "scanAll");
      equal(wait(table.scanAll(new Scan().setReversed(true).setLimit(2))).size(), 2, "scanAll, reversed, a limit");
      List<Result> found = new ArrayList<>();
      try (var scanner = connection.getTable(name).getScanner(new Scan().setCaching(1))) {
        scanner.forEach(found::add);
      }
      equal(found.size(), 3, "getScanner");
      equal(wait(table.getAll(List.of(new Get(b("s")), new Get(b("none"))))).stream().map(Result::size).toList(), "[1, 0]", "getAll");
      wait(table.deleteAll(List.of(new Delete(b("r")), new Delete(b("s")))));
      check(!wait(table.exists(new Get(b("s")))), "deleteAll");
      Case.refused(org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException.class,
          () -> wait(table.put(put("r", 1, "nofamily:q", "v"))), "an unknown family");
    }
  }

  private static void many(Case c) throws Exception {
    Table made = c.table("f");
    try (AsyncConnection connection = wait(ConnectionFactory.createAsyncConnection(Case.configuration()))) {
      AsyncTable<?> table = connection.getTable(made.getName());
      List<CompletableFuture<?>> writes = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        writes.add(table.put(put("row" + i, 1, "f:q", "value" + i)));
      }
      wait(CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0])));
      List<CompletableFuture<Result>> reads = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        reads.add(table.get(new Get(b("row" + i))));
      }
      for (int i = 0; i < 1_000; i++) {
        equal(cells(wait(reads.get(i))), "f:q=value" + i, "row " + i);
      }
    }
  }
}
