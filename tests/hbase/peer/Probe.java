import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Probe HOST:PORT: waits until HBase's master is initialized, and lists the tables. start.sh runs it. */
public class Probe {
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.set("hbase.client.bootstrap.servers", arguments[0]);
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      System.out.println(connection.getAdmin().listTableNames().length + " tables");
    }
    System.exit(0);
  }
}
