package drivers;

import static drivers.Case.b;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;
import static drivers.Case.rows;
import static drivers.Case.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of Scan without filters. */
final class Scans {
  private Scans() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("scan_ranges", Scans::ranges);
    cases.put("scan_columns", Scans::columns);
    cases.put("scan_batch", Scans::batch);
    cases.put("scan_many_rows", Scans::manyRows);
    cases.put("scan_under_writes", Scans::underWrites);
    cases.put("scanner_renewed", Scans::renewed);
  }

  private static void ranges(Case c) throws Exception {
    Table table = c.table("f");
    for (String row : "a ab abc b ba c \\xFF \\xFFz".split(" ")) {
      table.put(put(row, 1, "f:q", "v"));
    }
    equal(rows(table, new Scan()), "a ab abc b ba c \\xFF \\xFFz", "all");
    equal(rows(table, new Scan().withStartRow(b("ab")).withStopRow(b("ba"))), "ab abc b", "start and stop");
    equal(rows(table, new Scan().withStartRow(b("ab"), false).withStopRow(b("ba"), true)), "abc b ba", "exclusive start, inclusive stop");
    equal(rows(table, new Scan().withStartRow(b("aa"), false).withStopRow(b("bb"), true)), "ab abc b ba", "bounds that are no rows");
    equal(rows(table, new Scan().setStartStopRowForPrefixScan(b("ab"))), "ab abc", "a prefix");
    equal(rows(table, new Scan().setStartStopRowForPrefixScan(b("\\xFF"))), "\\xFF \\xFFz", "a prefix of the last byte");
    equal(rows(table, new Scan().withStartRow(b("c")).withStopRow(b("b"))), "", "a stop before the start");
    equal(rows(table, new Scan().setReversed(true)), "\\xFFz \\xFF c ba b abc ab a", "reversed");
    equal(rows(table, new Scan().setReversed(true).withStartRow(b("ba")).withStopRow(b("ab"))), "ba b abc", "reversed, start and stop");
    equal(rows(table, new Scan().setReversed(true).withStartRow(b("bb"), false).withStopRow(b("ab"), true)), "ba b abc ab",
        "reversed, inclusive stop");
    equal(rows(table, new Scan().setReversed(true).setLimit(2)), "\\xFFz \\xFF", "reversed, a limit");
    for (int caching : new int[] {1, 2, 3, 100}) {
      equal(rows(table, new Scan().setCaching(caching)), "a ab abc b ba c \\xFF \\xFFz", "caching " + caching);
      equal(rows(table, new Scan().setCaching(caching).setLimit(4)), "a ab abc b", "caching " + caching + " and a limit");
    }
    equal(rows(table, new Scan().withStartRow(b("b")).setOneRowLimit()), "b", "one row");
    for (Scan.ReadType type : Scan.ReadType.values()) {
      equal(rows(table, new Scan().setReadType(type).setLimit(2)), "a ab", type.name());
    }
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      equal(scanner.next(3).length + " " + Bytes.toString(scanner.next().getRow()), "3 b", "next(3), then next()");
    }
  }

  private static void columns(Case c) throws Exception {
    Table table = c.table(Case.family("f", 4), Case.family("g", 4));
    for (int time = 1; time <= 3; time++) {
      table.put(put("a", time, "f:x", "x" + time, "f:y", "y" + time, "g:x", "g" + time));
    }
    table.put(put("b", 2, "g:z", "z"));
    equal(scan(table, new Scan()), "a(f:x=x3 f:y=y3 g:x=g3) b(g:z=z)", "all");
    equal(scan(table, new Scan().addFamily(b("g"))), "a(g:x=g3) b(g:z=z)", "a family");
    equal(scan(table, new Scan().addColumn(b("f"), b("y"))), "a(f:y=y3)", "a column");
    equal(scan(table, new Scan().addColumn(b("f"), b("y")).addFamily(b("g"))), "a(f:y=y3 g:x=g3) b(g:z=z)", "a column and a family");
    equal(scan(table, new Scan().addColumn(b("f"), b("x")).readVersions(2)), "a(f:x=x3 f:x=x2)", "two versions");
    equal(scan(table, new Scan().addFamily(b("g")).readAllVersions()), "a(g:x=g3 g:x=g2 g:x=g1) b(g:z=z)", "all versions");
    equal(scan(table, new Scan().setTimeRange(1, 3)), "a(f:x=x2 f:y=y2 g:x=g2) b(g:z=z)", "a time range");
    equal(scan(table, new Scan().setTimestamp(3)), "a(f:x=x3 f:y=y3 g:x=g3)", "one time");
    equal(scan(table, new Scan().setColumnFamilyTimeRange(b("f"), 0, 2)), "a(f:x=x1 f:y=y1 g:x=g3) b(g:z=z)", "a time range of a family");
    equal(scan(table, new Scan().setMaxResultsPerColumnFamily(1)), "a(f:x=x3 g:x=g3) b(g:z=z)", "at most one of a family");
    equal(scan(table, new Scan().setRowOffsetPerColumnFamily(1)), "a(f:y=y3)", "an offset in each family");
  }

  private static String parts(Table table, Scan scan) throws Exception {
    List<String> parts = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        parts.add(Bytes.toString(result.getRow()) + result.size());
      }
    }
    return String.join(" ", parts);
  }

  private static void batch(Case c) throws Exception {
    Table table = c.table(Case.family("f", 3), Case.family("g", 3));
    Put put = new Put(b("a"));
    for (int i = 0; i < 5; i++) {
      put.addColumn(b("f"), Bytes.toBytes(i), 1, b("v"));
    }
    table.put(put.addColumn(b("g"), b("q"), 1, b("w")));
    table.put(put("b", 1, "f:q", "v"));
    equal(parts(table, new Scan().setBatch(2)), "a2 a2 a2 b1", "a batch of 2");
    equal(parts(table, new Scan().setBatch(4)), "a4 a2 b1", "a batch of 4");
    equal(parts(table, new Scan().setBatch(6)), "a6 b1", "a batch of the whole row");
    equal(parts(table, new Scan().setBatch(2).setCaching(1)), "a2 a2 a2 b1", "a batch and caching");
    equal(parts(table, new Scan().setBatch(4).setReversed(true)), "b1 a4 a2", "a batch, reversed");
    equal(parts(table, new Scan().setBatch(4).setLimit(1)), "a4 a2", "a limit counts rows");
    equal(parts(table, new Scan().setMaxResultSize(1)), "a6 b1", "a small size of results gives whole rows");
    try (ResultScanner scanner = table.getScanner(new Scan().setAllowPartialResults(true).setMaxResultSize(1))) {
      int cells = 0;
      for (Result result : scanner) {
        cells += result.size();
      }
      equal(cells, 7, "cells of partial results");
    }
  }

  private static void manyRows(Case c) throws Exception {
    Table table = c.table("f");
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      puts.add(put(String.format("%06d", i), 1, "f:q", "value-" + i));
    }
    table.put(puts);
    int count = 0;
    for (Scan scan : List.of(new Scan(), new Scan().setCaching(100), new Scan().setReversed(true), new Scan().setMaxResultSize(10_000),
        new Scan().setAsyncPrefetch(true))) {
      count = 0;
      String last = null;
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result result : scanner) {
          String row = Bytes.toString(result.getRow());
          check(last == null || (last.compareTo(row) < 0) != scan.isReversed(), row + " after " + last);
          last = row;
          count++;
        }
      }
      equal(count, 20_000, "rows of " + scan.toMap(1));
    }
    equal(rows(table, new Scan().withStartRow(b("010000")).setLimit(2)), "010000 010001", "a range in the middle");
    equal(rows(table, new Scan().setReversed(true).withStartRow(b("010000")).setLimit(2)), "010000 009999", "a reversed range");
  }

  /** A scanner that is open sees the rows as they were, or each as it is when the scanner gets there; none is lost. */
  private static void underWrites(Case c) throws Exception {
    Table table = c.table("f");
    for (int i = 0; i < 100; i++) {
      table.put(put(String.format("%03d", i), 1, "f:q", "v"));
    }
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(10))) {
      int count = 0;
      for (Result result : scanner) {
        check(result.size() == 1, "one cell");
        String row = Bytes.toString(result.getRow());
        if (row.length() == 3) {
          count++;
        }
        table.put(put(row + "x", 1, "f:q", "w"));
        table.delete(new org.apache.hadoop.hbase.client.Delete(result.getRow()));
      }
      equal(count, 100, "rows that existed at the start");
    }
    check(rows(table, new Scan()).startsWith("000x "), "the rows that were put meanwhile");
  }

  private static void renewed(Case c) throws Exception {
    Table table = c.table("f");
    for (int i = 0; i < 30; i++) {
      table.put(put(String.format("%03d", i), 1, "f:q", "v"));
    }
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(5))) {
      scanner.next(5);
      boolean renewed = scanner.renewLease();
      check(renewed || scanner.getClass().getSimpleName().startsWith("Async"), "the lease is renewed");  // 3.0 reads ahead.
      equal(Bytes.toString(scanner.next().getRow()), "005", "the next row");
    }
    List<ResultScanner> open = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ResultScanner scanner = table.getScanner(new Scan().setCaching(2));
      equal(Bytes.toString(scanner.next().getRow()), "000", "the first row of scanner " + i);
      open.add(scanner);
    }
    for (ResultScanner scanner : open) {
      equal(scanner.next(29).length, 29, "the rest of a scanner beside others");
      scanner.close();
    }
  }
}
