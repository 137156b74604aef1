package drivers;

import static drivers.Case.b;
import static drivers.Case.check;
import static drivers.Case.connection;
import static drivers.Case.equal;
import static drivers.Case.put;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of several threads that use one row. */
final class Races {
  private static final int COLUMNS = 10;

  private Races() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("rows_are_atomic", Races::rowsAreAtomic);
    cases.put("conditions_race", Races::conditionsRace);
  }

  private interface Work {
    void run(Table table) throws Exception;
  }

  /** Runs each work in a thread of its own and returns the failures. */
  private static List<Throwable> together(TableName name, List<Work> works) throws InterruptedException {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (Work work : works) {
      threads.add(new Thread(() -> {
        try (Table table = connection().getTable(name)) {
          work.run(table);
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return failures;
  }

  private static Put wholeRow(int number) {
    Put put = new Put(b("r"));
    for (int i = 0; i < COLUMNS; i++) {
      put.addColumn(b(i % 2 == 0 ? "f" : "g"), Bytes.toBytes("q" + i), Bytes.toBytes(number));
    }
    return put;
  }

  private static void checkRow(Result result, String what) {
    Set<Integer> numbers = new HashSet<>();
    result.listCells().forEach(cell -> numbers.add(Bytes.toInt(cell.getValueArray(), cell.getValueOffset())));
    check(result.size() == COLUMNS && numbers.size() == 1, what + " sees " + result.size() + " cells with the numbers " + numbers);
  }

  private static void rowsAreAtomic(Case c) throws Exception {
    Table made = c.table("f", "g");
    made.put(wholeRow(0));
    AtomicBoolean done = new AtomicBoolean();
    List<Work> works = new ArrayList<>();
    works.add(table -> {
      try {
        for (int number = 1; number <= 300; number++) {
          if (number % 2 == 0) {
            table.put(wholeRow(number));
          } else {
            RowMutations mutations = new RowMutations(b("r"));
            mutations.add(new Delete(b("r"), 1));
            mutations.add(wholeRow(number));
            table.mutateRow(mutations);
          }
        }
      } finally {
        done.set(true);
      }
    });
    works.add(table -> {
      while (!done.get()) {
        checkRow(table.get(new Get(b("r"))), "a Get");
      }
    });
    works.add(table -> {
      while (!done.get()) {
        try (ResultScanner scanner = table.getScanner(new Scan())) {
          checkRow(scanner.next(), "a Scan");
        }
      }
    });
    equal(together(made.getName(), works), "[]", "a Put and RowMutations are seen whole or not at all");
  }

  private static void conditionsRace(Case c) throws Exception {
    Table made = c.table("f");
    made.put(put("r", 1, "f:n", "0"));
    AtomicInteger applied = new AtomicInteger();
    List<Work> works = Collections.nCopies(6, table -> {
      for (int i = 0; i < 60; i++) {
        Result now = table.get(new Get(b("r")));
        int number = Integer.parseInt(Bytes.toString(now.value()));
        Put next = put("r", now.rawCells()[0].getTimestamp() + 1, "f:n", "" + (number + 1));
        if (table.checkAndMutate(CheckAndMutate.newBuilder(b("r")).ifEquals(b("f"), b("n"), b("" + number)).build(next)).isSuccess()) {
          applied.incrementAndGet();
        }
      }
    });
    equal(together(made.getName(), works), "[]", "failures");
    equal(Bytes.toString(made.get(new Get(b("r"))).value()), applied.get(), "each condition that held has added one");
    check(applied.get() >= 60, applied.get() + " conditions held");
  }
}
