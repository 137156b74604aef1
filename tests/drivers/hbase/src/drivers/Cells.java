package drivers;

import static drivers.Case.b;
import static drivers.Case.cells;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;
import static drivers.Case.timed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of Put, Get and Delete. */
final class Cells {
  private Cells() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("put_get", Cells::putGet);
    cases.put("bytes", Cells::bytes);
    cases.put("get_forms", Cells::getForms);
    cases.put("get_lists", Cells::getLists);
    cases.put("delete_forms", Cells::deleteForms);
    cases.put("delete_masks", Cells::deleteMasks);
    cases.put("large_values", Cells::largeValues);
    cases.put("wide_row", Cells::wideRow);
  }

  private static void putGet(Case c) throws Exception {
    Table table = c.table("f", "g");
    long before = System.currentTimeMillis();
    table.put(new Put(b("r")).addColumn(b("f"), b("q"), b("v")).addColumn(b("g"), b("q"), 7, b("w")));
    Result result = table.get(new Get(b("r")));
    equal(cells(result), "f:q=v g:q=w", "cells");
    long time = result.getColumnLatestCell(b("f"), b("q")).getTimestamp();
    check(time >= before && time <= System.currentTimeMillis(), "the server's time " + time);
    equal(result.getColumnLatestCell(b("g"), b("q")).getTimestamp(), 7, "the given time");
    equal(result.getColumnLatestCell(b("f"), b("q")).getType(), Cell.Type.Put, "type");
    table.put(new Put(b("r")).addColumn(b("f"), b("q"), b("v2")));
    equal(Bytes.toString(table.get(new Get(b("r"))).getValue(b("f"), b("q"))), "v2", "the newer value");
    check(table.get(new Get(b("none"))).isEmpty(), "a row that does not exist");
    table.put(List.of(put("a", 1, "f:q", "1"), put("b", 1, "f:q", "2"), put("c", 1, "g:x", "3")));
    equal(Case.rows(table, new Scan()), "a b c r", "rows of a list");
    check(table.exists(new Get(b("a"))) && !table.exists(new Get(b("d"))), "exists");
  }

  private static void bytes(Case c) throws Exception {
    Table table = c.table("f");
    String[] rows = {"\\x00", "\\x00\\x00", "\\x00\\x01", "a", "a\\x00", "a\\x00b", "a\\x01", "aa", "\\x7F", "\\x80", "\\xFF", "\\xFF\\xFF"};
    for (String row : rows) {
      table.put(put(row, 1, "f:" + row, row, "f:", ""));
    }
    equal(Case.rows(table, new Scan()), String.join(" ", rows), "rows in the order of their bytes");
    for (String row : rows) {
      equal(cells(table.get(new Get(b(row)))), "f:= f:" + row + "=" + row, "the row " + row);
    }
    Put qualifiers = new Put(b("q"));
    Arrays.stream(rows).forEach(row -> qualifiers.addColumn(b("f"), b(row), 1, new byte[0]));
    table.put(qualifiers);
    equal(cells(table.get(new Get(b("q")))), String.join(" ", Arrays.stream(rows).map(row -> "f:" + row + "=").toList()),
        "qualifiers in the order of their bytes");
    byte[] all = new byte[256];
    for (int i = 0; i < 256; i++) {
      all[i] = (byte) i;
    }
    table.put(new Put(all).addColumn(b("f"), all, all));
    check(Arrays.equals(table.get(new Get(all)).getValue(b("f"), all), all), "all bytes in row, qualifier and value");
    byte[] longest = new byte[1000];
    Arrays.fill(longest, (byte) 'k');
    table.put(new Put(longest).addColumn(b("f"), longest, b("v")));
    equal(table.get(new Get(longest)).getValue(b("f"), longest).length, 1, "a row key of 1,000 bytes");
  }

  private static void getForms(Case c) throws Exception {
    Table table = c.table(Case.family("f", 5), Case.family("g", 5));
    for (int time = 1; time <= 4; time++) {
      table.put(put("r", time, "f:a", "a" + time, "f:b", "b" + time, "g:a", "c" + time));
    }
    equal(timed(table.get(new Get(b("r")))), "f:a@4=a4 f:b@4=b4 g:a@4=c4", "newest versions");
    equal(timed(table.get(new Get(b("r")).addFamily(b("g")))), "g:a@4=c4", "a family");
    equal(timed(table.get(new Get(b("r")).addColumn(b("f"), b("b")).addFamily(b("g")))), "f:b@4=b4 g:a@4=c4", "a column and a family");
    equal(timed(table.get(new Get(b("r")).addColumn(b("f"), b("a")).readVersions(2))), "f:a@4=a4 f:a@3=a3", "two versions");
    equal(timed(table.get(new Get(b("r")).addFamily(b("g")).readAllVersions())), "g:a@4=c4 g:a@3=c3 g:a@2=c2 g:a@1=c1", "all versions");
    equal(timed(table.get(new Get(b("r")).addFamily(b("g")).setTimeRange(2, 4).readAllVersions())), "g:a@3=c3 g:a@2=c2", "a time range");
    equal(timed(table.get(new Get(b("r")).addFamily(b("g")).setTimestamp(2))), "g:a@2=c2", "one time");
    equal(timed(table.get(new Get(b("r")).setMaxResultsPerColumnFamily(1))), "f:a@4=a4 g:a@4=c4", "at most one of a family");
    equal(timed(table.get(new Get(b("r")).setRowOffsetPerColumnFamily(1).setMaxResultsPerColumnFamily(1))), "f:b@4=b4", "an offset");
    equal(table.get(new Get(b("r")).setCheckExistenceOnly(true)).getExists(), true, "existence only");
    equal(table.get(new Get(b("no")).setCheckExistenceOnly(true)).getExists(), false, "existence only, no row");
    equal(timed(table.get(new Get(b("r")).setColumnFamilyTimeRange(b("f"), 1, 3).addColumn(b("f"), b("a")))), "f:a@2=a2",
        "a time range of a family");
  }

  private static void getLists(Case c) throws Exception {
    Table table = c.table("f");
    table.put(List.of(put("a", 1, "f:q", "1"), put("c", 1, "f:q", "3")));
    Result[] results = table.get(List.of(new Get(b("c")), new Get(b("b")), new Get(b("a"))));
    equal(cells(results[0]) + "," + cells(results[1]) + "," + cells(results[2]), "f:q=3,,f:q=1", "results in the order of the Gets");
    equal(Arrays.toString(table.exists(List.of(new Get(b("a")), new Get(b("b"))))), "[true, false]", "exists of a list");
  }

  private static Table versions(Case c) throws Exception {
    Table table = c.table(Case.family("f", 9), Case.family("g", 9));
    for (int time = 1; time <= 3; time++) {
      table.put(put("r", time, "f:a", "a" + time, "f:b", "b" + time, "g:a", "c" + time));
    }
    return table;
  }

  private static void deleteForms(Case c) throws Exception {
    String[] expected = {"", "f:b@3=b3 f:b@2=b2 f:b@1=b1", "f:a@3=a3 f:b@3=b3 f:b@2=b2 f:b@1=b1",
        "f:a@3=a3 f:a@1=a1 f:b@3=b3 f:b@2=b2 f:b@1=b1", "f:a@2=a2 f:a@1=a1 f:b@3=b3 f:b@2=b2 f:b@1=b1", "f:a@3=a3 f:b@3=b3",
        "f:a@3=a3 f:a@1=a1 f:b@3=b3 f:b@1=b1"};
    for (int form = 0; form < expected.length; form++) {
      Table table = versions(c);
      Delete delete = new Delete(b("r"));
      switch (form) {
        case 0 -> delete.addFamily(b("f"));
        case 1 -> delete.addColumns(b("f"), b("a"));
        case 2 -> delete.addColumns(b("f"), b("a"), 2);
        case 3 -> delete.addColumn(b("f"), b("a"), 2);
        case 4 -> delete.addColumn(b("f"), b("a"));
        case 5 -> delete.addFamily(b("f"), 2);
        default -> delete.addFamilyVersion(b("f"), 2);
      }
      table.delete(delete);
      equal(timed(table.get(new Get(b("r")).addFamily(b("f")).readAllVersions())), expected[form], "form " + form);
      equal(timed(table.get(new Get(b("r")).addFamily(b("g")).readAllVersions())), "g:a@3=c3 g:a@2=c2 g:a@1=c1", "the other family");
    }
    Table table = versions(c);
    table.delete(new Delete(b("r"), 2));
    equal(timed(table.get(new Get(b("r")).readAllVersions())), "f:a@3=a3 f:b@3=b3 g:a@3=c3", "a row to a time");
    table.delete(new ArrayList<>(List.of(new Delete(b("r")), new Delete(b("none")))));
    check(!table.exists(new Get(b("r"))), "a list of rows");
  }

  private static void deleteMasks(Case c) throws Exception {
    Table table = c.table(Case.family("f", 5));
    table.delete(new Delete(b("r")).addColumns(b("f"), b("q"), 10));
    table.put(put("r", 5, "f:q", "masked"));
    check(table.get(new Get(b("r"))).isEmpty(), "a put with an older time than a delete");
    table.put(put("r", 10, "f:q", "masked"));
    check(table.get(new Get(b("r"))).isEmpty(), "a put with the time of a delete");
    table.put(put("r", 11, "f:q", "v"));
    equal(timed(table.get(new Get(b("r")).readAllVersions())), "f:q@11=v", "a put with a newer time");
    table.delete(new Delete(b("r")).addColumn(b("f"), b("q"), 12));
    table.put(put("r", 12, "f:q", "masked"));
    table.put(put("r", 13, "f:q", "w"));
    equal(timed(table.get(new Get(b("r")).readAllVersions())), "f:q@13=w f:q@11=v", "a deleted version");
    table.put(put("r", 11, "f:q", "again"));
    equal(timed(table.get(new Get(b("r")).readAllVersions())), "f:q@13=w f:q@11=again", "a second put with one time");
    table.delete(new Delete(b("s")).addFamily(b("f"), 20));
    table.put(put("s", 20, "f:q", "masked"));
    table.put(put("s", 21, "f:q", "v"));
    equal(timed(table.get(new Get(b("s")).readAllVersions())), "f:q@21=v", "a deleted family");
  }

  private static void largeValues(Case c) throws Exception {
    Table table = c.table("f");
    for (int size : new int[] {100_000, 1_000_000, 8_000_000}) {
      byte[] value = new byte[size];
      for (int i = 0; i < size; i++) {
        value[i] = (byte) (i * 31 + i / 256);
      }
      table.put(new Put(b("r" + size)).addColumn(b("f"), b("q"), value));
      check(Arrays.equals(table.get(new Get(b("r" + size))).value(), value), size + " bytes");
    }
    equal(Case.rows(table, new Scan()), "r100000 r1000000 r8000000", "a scan over large values");
    Case.refused(IllegalArgumentException.class,
        () -> table.put(new Put(b("r")).addColumn(b("f"), b("q"), new byte[11_000_000])), "above hbase.client.keyvalue.maxsize");
  }

  private static void wideRow(Case c) throws Exception {
    Table table = c.table("f");
    Put put = new Put(b("r"));
    for (int i = 0; i < 10_000; i++) {
      put.addColumn(b("f"), Bytes.toBytes(String.format("q%05d", i)), Bytes.toBytes(i));
    }
    table.put(put);
    Result result = table.get(new Get(b("r")));
    equal(result.size(), 10_000, "columns");
    equal(Bytes.toInt(result.getValue(b("f"), b("q07777"))), 7777, "a column");
    int results = 0;
    int found = 0;
    try (var scanner = table.getScanner(new Scan().setBatch(999))) {
      for (Result part : scanner) {
        found += part.size();
        results++;
      }
    }
    equal(found + " in " + results, "10000 in 11", "columns in batches");
    found = 0;
    try (var scanner = table.getScanner(new Scan().setAllowPartialResults(true).setMaxResultSize(20_000))) {
      for (Result part : scanner) {
        check(part.size() < 10_000, "a part of the row");
        found += part.size();
      }
    }
    equal(found, 10_000, "columns in partial results");
    equal(table.get(new Get(b("r")).setRowOffsetPerColumnFamily(9_990)).size(), 10, "an offset near the end");
  }
}
