package drivers;

import static drivers.Case.b;
import static drivers.Case.cells;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of Increment, Append, checkAndMutate and RowMutations. */
final class Atomic {
  private Atomic() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("increment", Atomic::increment);
    cases.put("increments_add_up", Atomic::incrementsAddUp);
    cases.put("append", Atomic::append);
    cases.put("check_and_mutate", Atomic::checkAndMutate);
    cases.put("check_and_mutate_forms", Atomic::forms);
    cases.put("row_mutations", Atomic::rowMutations);
  }

  private static void increment(Case c) throws Exception {
    Table table = c.table("f", "g");
    equal(table.incrementColumnValue(b("r"), b("f"), b("n"), 5), 5, "the first increment");
    equal(table.incrementColumnValue(b("r"), b("f"), b("n"), -7), -2, "a second one");
    Result result = table.increment(new Increment(b("r")).addColumn(b("f"), b("n"), 10).addColumn(b("g"), b("m"), 1));
    equal(Bytes.toLong(result.getValue(b("f"), b("n"))) + " " + Bytes.toLong(result.getValue(b("g"), b("m"))), "8 1", "two columns");
    check(table.increment(new Increment(b("r")).addColumn(b("f"), b("n"), 1).setReturnResults(false)).isEmpty(), "no result is asked for");
    equal(Bytes.toLong(table.get(new Get(b("r"))).getValue(b("f"), b("n"))), 9, "the value");
    equal(table.incrementColumnValue(b("r"), b("f"), b("n"), Long.MAX_VALUE), Long.MIN_VALUE + 8, "an overflow wraps");
    table.put(put("r", System.currentTimeMillis() + 60_000, "f:text", "abc"));
    Case.refused(org.apache.hadoop.hbase.DoNotRetryIOException.class,
        () -> table.incrementColumnValue(b("r"), b("f"), b("text"), 1), "an increment of a text");
  }

  private static void incrementsAddUp(Case c) throws Exception {
    Table table = c.table("f");
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 8; i++) {
      threads.add(new Thread(() -> {
        try (Table mine = Case.connection().getTable(table.getName())) {
          for (int n = 0; n < 100; n++) {
            mine.incrementColumnValue(b("r"), b("f"), b("n"), 1);
          }
        } catch (Exception e) {
          failures.add(e);
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    equal(failures, "[]", "failures");
    equal(Bytes.toLong(table.get(new Get(b("r"))).value()), 800, "800 increments from 8 threads");
  }

  private static void append(Case c) throws Exception {
    Table table = c.table("f");
    equal(cells(table.append(new Append(b("r")).addColumn(b("f"), b("q"), b("ab")))), "f:q=ab", "to nothing");
    equal(cells(table.append(new Append(b("r")).addColumn(b("f"), b("q"), b("cd")).addColumn(b("f"), b("p"), b("x")))), "f:p=x f:q=abcd",
        "to a value and to nothing");
    Result nothing = table.append(new Append(b("r")).addColumn(b("f"), b("q"), b("!")).setReturnResults(false));
    check(nothing == null || nothing.isEmpty(), "no result is asked for");
    equal(cells(table.get(new Get(b("r")))), "f:p=x f:q=abcd!", "the row");
  }

  private static boolean applied(Table table, CheckAndMutate request) throws Exception {
    return table.checkAndMutate(request).isSuccess();
  }

  private static void checkAndMutate(Case c) throws Exception {
    Table table = c.table("f");
    Put first = put("r", 1, "f:q", "5");
    check(applied(table, CheckAndMutate.newBuilder(b("r")).ifNotExists(b("f"), b("q")).build(first)), "if not exists");
    check(!applied(table, CheckAndMutate.newBuilder(b("r")).ifNotExists(b("f"), b("q")).build(first)), "if not exists, again");
    Put second = put("r", 2, "f:q", "6");
    check(!applied(table, CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("4")).build(second)), "another value");
    check(applied(table, CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("5")).build(second)), "the value");
    equal(cells(table.get(new Get(b("r")))), "f:q=6", "the row");
    // The given value stands before the operator, the cell's value after it.
    Map<String, String> expected = Map.of("LESS", "true false false", "LESS_OR_EQUAL", "true true false", "EQUAL", "false true false",
        "NOT_EQUAL", "true false true", "GREATER_OR_EQUAL", "false true true", "GREATER", "false false true");
    for (Map.Entry<String, String> each : expected.entrySet()) {
      List<String> found = new ArrayList<>();
      for (String value : new String[] {"5", "6", "7"}) {
        CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(b("r"))
            .ifMatches(b("f"), b("q"), CompareOperator.valueOf(each.getKey()), b(value));
        found.add("" + applied(table, builder.build(put("r", 1, "f:other", "v"))));
      }
      equal(String.join(" ", found), each.getValue(), each.getKey());
    }
    check(applied(table, CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("6")).build(new Delete(b("r")))), "a delete");
    check(!table.exists(new Get(b("r"))), "the row is deleted");
  }

  private static void forms(Case c) throws Exception {
    Table table = c.table("f");
    table.put(put("r", 5, "f:q", "v", "f:z", "w"));
    CheckAndMutate.Builder isV = CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("v"));
    CheckAndMutateResult result = table.checkAndMutate(isV.build(new Increment(b("r")).addColumn(b("f"), b("n"), 3)));
    check(result.isSuccess() && Bytes.toLong(result.getResult().value()) == 3, "an increment and its result");
    result = table.checkAndMutate(isV.build(new Append(b("r")).addColumn(b("f"), b("z"), b("!"))));
    equal(cells(result.getResult()), "f:z=w!", "an append and its result");
    RowMutations mutations = new RowMutations(b("r"));
    mutations.add(put("r", 6, "f:q", "v2"));
    mutations.add(new Delete(b("r")).addColumns(b("f"), b("n")));
    check(applied(table, isV.build(mutations)), "row mutations");
    equal(cells(table.get(new Get(b("r")))), "f:q=v2 f:z=w!", "the row");
    check(applied(table, CheckAndMutate.newBuilder(b("r")).ifMatches(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("v2"))))
        .build(put("r", 7, "f:q", "v3"))), "a filter that finds something");
    check(!applied(table, CheckAndMutate.newBuilder(b("r")).ifMatches(new PrefixFilter(b("x"))).build(put("r", 8, "f:q", "v4"))),
        "a filter that finds nothing");
    check(!applied(table, CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("v3")).timeRange(TimeRange.between(0, 7))
        .build(put("r", 9, "f:q", "v5"))), "a time range");
    List<CheckAndMutateResult> results = table.checkAndMutate(List.of(
        CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("q"), b("v3")).build(put("r", 10, "f:q", "v6")),
        CheckAndMutate.newBuilder(b("s")).ifNotExists(b("f"), b("q")).build(put("s", 1, "f:q", "new")),
        CheckAndMutate.newBuilder(b("t")).ifEquals(b("f"), b("q"), b("x")).build(put("t", 1, "f:q", "no"))));
    equal(results.stream().map(CheckAndMutateResult::isSuccess).toList(), "[true, true, false]", "a list");
  }

  private static void rowMutations(Case c) throws Exception {
    Table table = c.table(Case.family("f", 3));
    table.put(put("r", 1, "f:a", "1", "f:b", "2"));
    RowMutations mutations = new RowMutations(b("r"));
    mutations.add(put("r", 2, "f:c", "3"));
    mutations.add(new Delete(b("r")).addColumns(b("f"), b("a")));
    mutations.add(new Append(b("r")).addColumn(b("f"), b("b"), b("+")));
    mutations.add(new Increment(b("r")).addColumn(b("f"), b("n"), 4));
    Result result = table.mutateRow(mutations);
    equal(cells(result), "f:b=2+ f:n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x04", "results of the append and of the increment");
    equal(cells(table.get(new Get(b("r")))), "f:b=2+ f:c=3 f:n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x04", "the row");
    RowMutations wrong = new RowMutations(b("r"));
    wrong.add(put("r", 9, "f:c", "lost"));
    wrong.add(put("r", 9, "nofamily:c", "lost"));
    Case.refused(org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException.class, () -> table.mutateRow(wrong), "one wrong mutation");
    equal(cells(table.get(new Get(b("r")).addColumn(b("f"), b("c")))), "f:c=3", "none of them was applied");
  }
}
