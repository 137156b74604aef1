package drivers;

import static drivers.Case.admin;
import static drivers.Case.b;
import static drivers.Case.connection;
import static drivers.Case.equal;
import static drivers.Case.put;
import static drivers.Case.refused;

import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;

/** Cases of requests that are refused: the client's own class of exception, soon, and a connection that still works. */
final class Errors {
  private Errors() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("error_unknown_table", Errors::unknownTable);
    cases.put("error_unknown_family", Errors::unknownFamily);
    cases.put("error_admin", Errors::administration);
    cases.put("error_disabled_table", Errors::disabledTable);
  }

  private static void unknownTable(Case c) throws Exception {
    TableName name = c.freshName();
    Table table = connection().getTable(name);
    refused(TableNotFoundException.class, () -> table.get(new Get(b("r"))), "get");
    refused(TableNotFoundException.class, () -> table.put(put("r", 1, "f:q", "v")), "put");
    refused(TableNotFoundException.class, () -> table.delete(new Delete(b("r"))), "delete");
    refused(TableNotFoundException.class, () -> Case.rows(table, new Scan()), "scan");
    refused(TableNotFoundException.class, () -> admin().getDescriptor(name), "describe");
    refused(TableNotFoundException.class, () -> admin().disableTable(name), "disable");
    refused(TableNotFoundException.class, () -> admin().deleteTable(name), "delete");
    refused(TableNotFoundException.class, () -> admin().isTableEnabled(name), "is enabled");
  }

  private static void unknownFamily(Case c) throws Exception {
    Table table = c.table("f");
    byte[] no = b("no");
    refused(NoSuchColumnFamilyException.class, () -> table.put(new Put(b("r")).addColumn(no, b("q"), b("v"))), "put");
    refused(NoSuchColumnFamilyException.class, () -> table.get(new Get(b("r")).addFamily(no)), "get");
    refused(NoSuchColumnFamilyException.class, () -> table.delete(new Delete(b("r")).addFamily(no)), "delete");
    refused(NoSuchColumnFamilyException.class, () -> Case.rows(table, new Scan().addFamily(no)), "scan");
    refused(NoSuchColumnFamilyException.class, () -> table.increment(new Increment(b("r")).addColumn(no, b("q"), 1)), "increment");
    refused(NoSuchColumnFamilyException.class, () -> table.append(new Append(b("r")).addColumn(no, b("q"), b("v"))), "append");
    table.put(put("r", 1, "f:q", "v"));
    equal(Case.scan(table, new Scan()), "r(f:q=v)", "the connection still works");
  }

  private static void administration(Case c) throws Exception {
    Table table = c.table("f");
    TableName name = table.getName();
    refused(TableExistsException.class, () -> admin().createTable(
        TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build()), "create twice");
    refused(TableNotDisabledException.class, () -> admin().deleteTable(name), "delete an enabled table");
    refused(TableNotDisabledException.class, () -> admin().truncateTable(name, false), "truncate an enabled table");
    refused(InvalidFamilyOperationException.class, () -> admin().addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("f")),
        "add a family twice");
    refused(InvalidFamilyOperationException.class, () -> admin().deleteColumnFamily(name, b("no")), "delete an unknown family");
    refused(InvalidFamilyOperationException.class, () -> admin().deleteColumnFamily(name, b("f")), "delete the last family");
    refused(DoNotRetryIOException.class, () -> admin().createTable(TableDescriptorBuilder.newBuilder(c.freshName()).build()),
        "a table without families");
  }

  private static void disabledTable(Case c) throws Exception {
    Table table = c.table("f");
    admin().disableTable(table.getName());
    refused(TableNotEnabledException.class, () -> table.get(new Get(b("r"))), "get");
    refused(TableNotEnabledException.class, () -> table.put(put("r", 1, "f:q", "v")), "put");
    admin().enableTable(table.getName());
    table.put(put("r", 1, "f:q", "v"));
    equal(Case.scan(table, new Scan()), "r(f:q=v)", "after it was enabled");
  }
}
