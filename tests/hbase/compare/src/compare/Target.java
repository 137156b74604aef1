package compare;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/** A server, and the table on it that the present steps use. */
final class Target implements AutoCloseable {
  final String name;
  final Connection connection;
  final Admin admin;
  TableName tableName;
  Table table;

  Target(String name, String address) throws IOException {
    this.name = name;
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.set("hbase.client.bootstrap.servers", address);
    configuration.setInt("hbase.client.retries.number", 1);
    configuration.setInt("hbase.client.pause", 1);
    configuration.setInt("hbase.rpc.timeout", 20_000);
    configuration.setInt("hbase.client.operation.timeout", 60_000);
    configuration.setInt("hbase.client.scanner.timeout.period", 20_000);
    connection = ConnectionFactory.createConnection(configuration);
    admin = connection.getAdmin();
  }

  void use(String name) throws IOException {
    tableName = TableName.valueOf(name);
    table = connection.getTable(tableName);
  }

  void drop() throws IOException {
    if (!admin.tableExists(tableName)) {
      return;
    }
    if (admin.isTableEnabled(tableName)) {
      admin.disableTable(tableName);
    }
    admin.deleteTable(tableName);
  }

  /** Runs a step. An exception becomes an answer with its class. */
  List<String> answer(Step step) {
    try {
      return step.body().send(this);
    } catch (Exception e) {
      return List.of("exception " + Shown.exception(e));
    }
  }

  /** Runs a step after HBase has removed deleted cells and the markers of deletes. Deletes then hide no later puts. */
  List<String> answerAfterCompaction(Step step) throws IOException {
    admin.flush(tableName);
    long compacted = admin.getLastMajorCompactionTimestamp(tableName);
    admin.majorCompact(tableName);
    for (int i = 0; i < 600 && admin.getLastMajorCompactionTimestamp(tableName) == compacted; i++) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    return answer(step);
  }

  @Override
  public void close() throws IOException {
    admin.close();
    connection.close();
  }
}
