package ordered;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Main HOST:PORT TABLE ROWS: puts random keys into a table that is partitioned, and scans it. The client must see the rows in
 * the order of their keys. Before and after the scans of one prefix it prints BEFORE or AFTER and that prefix, and waits for a line.
 */
public final class Main {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int PREFIX_LENGTH = 4;

  private final Table table;
  private final NavigableSet<String> keys = new TreeSet<>();
  private final Random random = new Random(97);

  private Main(Table table) {
    this.table = table;
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.set("hbase.client.bootstrap.servers", arguments[0]);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(TableName.valueOf(arguments[1]))) {
      Main main = new Main(table);
      main.load(Integer.parseInt(arguments[2]));
      main.scanPrefixes();
      main.scanRanges();
    }
  }

  private void load(int rows) throws Exception {
    List<Put> puts = new ArrayList<>();
    while (keys.size() < rows) {
      // 200 prefixes, so each is of many rows.
      String key = String.format("%04x%08x", random.nextInt(200) * 300, random.nextInt());
      if (!keys.add(key)) {
        continue;
      }
      puts.add(new Put(Bytes.toBytes(key)).addColumn(FAMILY, QUALIFIER, 1, Bytes.toBytes("value of " + key)));
      if (puts.size() == 2_000 || keys.size() == rows) {
        table.put(puts);
        puts.clear();
      }
    }
  }

  private void check(Scan scan, Iterable<String> expected, String what) throws Exception {
    int count = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (String key : expected) {
        Result result = scanner.next();
        String found = result == null ? "nothing" : Bytes.toString(result.getRow());
        if (!key.equals(found) || !Bytes.toString(result.value()).equals("value of " + key)) {
          throw new IllegalStateException(what + ": row " + count + " is " + found + " instead of " + key);
        }
        ++count;
      }
      Result more = scanner.next();
      if (more != null) {
        throw new IllegalStateException(what + ": " + Bytes.toString(more.getRow()) + " after the last row");
      }
    }
    System.out.println(what + ": " + count + " rows");
  }

  private void scanPrefixes() throws Exception {
    String prefix = keys.higher("8").substring(0, PREFIX_LENGTH);
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("BEFORE " + prefix);
    System.out.flush();
    input.readLine();
    for (int i = 0; i < 100; i++) {
      check(new Scan().setStartStopRowForPrefixScan(Bytes.toBytes(prefix)), keys.subSet(prefix, prefix + "g"), "prefix " + prefix);
    }
    System.out.println("AFTER " + prefix);
    System.out.flush();
    input.readLine();
  }

  private void scanRanges() throws Exception {
    check(new Scan(), keys, "all");
    check(new Scan().setCaching(1_000), keys, "all, caching 1,000");
    check(new Scan().setReversed(true), keys.descendingSet(), "all, reversed");
    for (int i = 0; i < 30; i++) {
      String one = String.format("%04x", random.nextInt(60_000));
      String other = String.format("%04x", random.nextInt(60_000));
      String from = one.compareTo(other) < 0 ? one : other;
      String to = one.compareTo(other) < 0 ? other : one;
      check(new Scan().withStartRow(Bytes.toBytes(from)).withStopRow(Bytes.toBytes(to)), keys.subSet(from, to), from + " to " + to);
      check(new Scan().setReversed(true).withStartRow(Bytes.toBytes(to)).withStopRow(Bytes.toBytes(from), true),
          keys.subSet(from, true, to, true).descendingSet(), to + " back to " + from);
    }
  }
}
