package drivers;

import static drivers.Case.b;
import static drivers.Case.cells;
import static drivers.Case.check;
import static drivers.Case.connection;
import static drivers.Case.equal;
import static drivers.Case.put;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of many operations in one request. */
final class Bulk {
  private Bulk() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("batch", Bulk::batch);
    cases.put("batch_with_errors", Bulk::batchWithErrors);
    cases.put("batch_of_5000", Bulk::batchOfMany);
    cases.put("buffered_mutator", Bulk::bufferedMutator);
  }

  private static void batch(Case c) throws Exception {
    Table table = c.table("f");
    table.put(put("old", 1, "f:q", "v"));
    RowMutations mutations = new RowMutations(b("m"));
    mutations.add(put("m", 1, "f:q", "m"));
    List<Row> rows = List.of(put("new", 1, "f:q", "w"), new Get(b("old")), new Increment(b("n")).addColumn(b("f"), b("n"), 2),
        new Append(b("a")).addColumn(b("f"), b("q"), b("x")), new Delete(b("gone")), mutations, new Get(b("none")));
    Object[] results = new Object[rows.size()];
    table.batch(rows, results);
    for (int i = 0; i < results.length; i++) {
      check(results[i] instanceof Result, "result " + i + " is " + results[i]);
    }
    check(((Result) results[0]).isEmpty() && ((Result) results[4]).isEmpty() && ((Result) results[6]).isEmpty(), "empty results");
    equal(cells((Result) results[1]), "f:q=v", "the Get");
    equal(Bytes.toLong(((Result) results[2]).value()), 2, "the Increment");
    equal(cells((Result) results[3]), "f:q=x", "the Append");
    equal(Case.rows(table, new Scan()), "a m n new old", "rows");
    List<Integer> seen = new ArrayList<>();
    table.batchCallback(List.of(new Get(b("old"))), new Object[1], (region, row, result) -> seen.add(((Result) result).size()));
    equal(seen, "[1]", "the callback");
  }

  /** Client 3 puts the exception of the server into a RetriesExhaustedException, which quotes it. */
  private static boolean isUnknownFamily(Object result) {
    return result instanceof NoSuchColumnFamilyException
        || (result instanceof RetriesExhaustedException && result.toString().contains("NoSuchColumnFamilyException: Column family nofamily"));
  }

  private static void batchWithErrors(Case c) throws Exception {
    Table table = c.table("f");
    List<Row> rows = List.of(put("a", 1, "f:q", "1"), put("b", 1, "nofamily:q", "2"), put("c", 1, "f:q", "3"),
        new Get(b("a")).addFamily(b("nofamily")));
    Object[] results = new Object[rows.size()];
    try {
      table.batch(rows, results);
      Case.fail("an unknown family was not refused");
    } catch (java.io.IOException e) {
      check(e instanceof RetriesExhaustedException, "the class of the exception: " + e);
    }
    check(results[0] instanceof Result && results[2] instanceof Result, "the others were done");
    check(isUnknownFamily(results[1]) && isUnknownFamily(results[3]), "the errors are among the results: " + results[1] + ", " + results[3]);
    equal(Case.rows(table, new Scan()), "a c", "rows");
  }

  private static void batchOfMany(Case c) throws Exception {
    Table table = c.table("f");
    List<Put> puts = new ArrayList<>();
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      puts.add(put("row" + i, 1, "f:q", "value" + i));
      gets.add(new Get(b("row" + i)));
    }
    table.put(puts);
    Result[] results = table.get(gets);
    for (int i = 0; i < 5_000; i++) {
      equal(cells(results[i]), "f:q=value" + i, "row " + i);
    }
  }

  private static void bufferedMutator(Case c) throws Exception {
    Table table = c.table("f");
    try (BufferedMutator mutator = connection().getBufferedMutator(table.getName())) {
      for (int i = 0; i < 3_000; i++) {
        mutator.mutate(put(String.format("%04d", i), 1, "f:q", "v" + i));
      }
      mutator.flush();
      equal(Case.rows(table, new Scan()).split(" ").length, 3_000, "rows after a flush");
      List<Mutation> deletes = new ArrayList<>();
      for (int i = 0; i < 2_999; i++) {
        deletes.add(new Delete(b(String.format("%04d", i))));
      }
      mutator.mutate(deletes);
    }
    equal(Case.scan(table, new Scan()), "2999(f:q=v2999)", "after the mutator was closed");
    List<String> failures = new ArrayList<>();
    BufferedMutatorParams params = new BufferedMutatorParams(table.getName())
        .listener((e, mutator) -> failures.add(e.getNumExceptions() + " of " + Bytes.toString(e.getRow(0).getRow())));
    try (BufferedMutator mutator = connection().getBufferedMutator(params)) {
      mutator.mutate(put("r", 1, "nofamily:q", "v"));
      mutator.flush();
    }
    equal(failures, "[1 of r]", "the listener was told");
  }
}
