package drivers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A run of one case: its checks, and its tables, which are dropped at the end. All cases share a connection. */
final class Case implements AutoCloseable {
  interface Body {
    void run(Case c) throws Exception;
  }

  interface Action {
    void run() throws Exception;
  }

  /** Ends a case with its verdict: FAIL, not-applicable or not-run. */
  static final class Verdict extends RuntimeException {
    final transient String kind;

    Verdict(String kind, String why) {
      super(why);
      this.kind = kind;
    }
  }

  private static Connection shared;

  private final String name;
  private final List<TableName> tables = new ArrayList<>();

  Case(String name) {
    this.name = name;
  }

  static void fail(String why) {
    throw new Verdict("FAIL", why);
  }

  static void check(boolean holds, String why) {
    if (!holds) {
      fail(why);
    }
  }

  static void equal(Object actual, Object expected, String what) {
    check(String.valueOf(expected).equals(String.valueOf(actual)), what + ": " + actual + " instead of " + expected);
  }

  /** The action must fail, and an exception of this class must be in the chain of causes. Returns that exception. */
  static Throwable refused(Class<? extends Throwable> expected, Action action, String what) {
    try {
      action.run();
    } catch (Verdict e) {
      throw e;
    } catch (Throwable e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (expected.isInstance(cause)) {
          return cause;
        }
        if (cause instanceof RetriesExhaustedWithDetailsException details && details.getCauses().stream().allMatch(expected::isInstance)) {
          return details.getCause(0);
        }
      }
      throw new Verdict("FAIL", what + ": " + e + " instead of " + expected.getSimpleName());
    }
    throw new Verdict("FAIL", what + ": was not refused");
  }

  /** Only the settings that name the server, and those of TLS. */
  static Configuration configuration() throws IOException {
    Configuration configuration = plainConfiguration();
    if (Main.tls != null) {
      Main.tls.configure(configuration, "ann");
    }
    return configuration;
  }

  static Configuration plainConfiguration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.set("hbase.client.bootstrap.servers", Main.host + ":" + Main.port);
    return configuration;
  }

  static Connection connection() throws IOException {
    if (shared == null) {
      shared = ConnectionFactory.createConnection(configuration());
    }
    return shared;
  }

  static void closeShared() {
    try {
      if (shared != null) {
        shared.close();
      }
    } catch (IOException e) {
      Main.say("closing the connection: " + e);
    }
  }

  static Admin admin() throws IOException {
    return connection().getAdmin();
  }

  TableName tableName() {
    return TableName.valueOf(Main.prefix + "_" + name + (tables.isEmpty() ? "" : "_" + tables.size()));
  }

  /** A name that no table has. The case drops a table of that name at its end. */
  TableName freshName() throws IOException {
    TableName fresh = tableName();
    drop(fresh);
    tables.add(fresh);
    return fresh;
  }

  static ColumnFamilyDescriptor family(String family, int versions) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family)).setMaxVersions(versions).build();
  }

  /** A new table, with families of one version each. */
  Table table(String... families) throws IOException {
    ColumnFamilyDescriptor[] descriptors = new ColumnFamilyDescriptor[families.length];
    for (int i = 0; i < families.length; i++) {
      descriptors[i] = family(families[i], 1);
    }
    return table(descriptors);
  }

  Table table(ColumnFamilyDescriptor... families) throws IOException {
    TableName fresh = freshName();
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(fresh);
    for (ColumnFamilyDescriptor family : families) {
      builder.setColumnFamily(family);
    }
    admin().createTable(builder.build());
    return connection().getTable(fresh);
  }

  static void drop(TableName table) throws IOException {
    if (admin().tableExists(table)) {
      if (admin().isTableEnabled(table)) {
        admin().disableTable(table);
      }
      admin().deleteTable(table);
    }
  }

  @Override
  public void close() throws IOException {
    for (TableName table : tables) {
      drop(table);
    }
  }

  static byte[] b(String text) {
    return Bytes.toBytesBinary(text);
  }

  static Put put(String row, long time, String... columnsAndValues) {
    Put put = new Put(b(row));
    for (int i = 0; i < columnsAndValues.length; i += 2) {
      String[] column = columnsAndValues[i].split(":", 2);
      put.addColumn(b(column[0]), b(column[1]), time, b(columnsAndValues[i + 1]));
    }
    return put;
  }

  static String cell(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":" + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  /** The cells without times, as "f:q=value f:q=value". */
  static String cells(Result result) {
    return result.isEmpty() ? "" : result.listCells().stream().map(Case::cell).collect(Collectors.joining(" "));
  }

  /** The cells with times, as "f:q@time=value". */
  static String timed(Result result) {
    return result.isEmpty() ? "" : result.listCells().stream()
        .map(each -> cell(each).replaceFirst("=", "@" + each.getTimestamp() + "=")).collect(Collectors.joining(" "));
  }

  /** The rows of a scan, as "row(f:q=value …) row(…)". */
  static String scan(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toStringBinary(result.getRow()) + "(" + cells(result) + ")");
      }
    }
    return String.join(" ", rows);
  }

  /** The row keys of a scan, separated by blanks. */
  static String rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toStringBinary(result.getRow()));
      }
    }
    return String.join(" ", rows);
  }
}
