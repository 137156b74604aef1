package drivers;

import static drivers.Case.b;
import static drivers.Case.cells;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;
import static drivers.Case.refused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Connections with TLS, with the certificates that tests/tls/make_certificates has made, and the case of TLS. */
final class Tls {
  private final Path directory;
  private final Map<String, Integer> refusedPorts = new HashMap<>();

  Tls(String directory) {
    this.directory = Path.of(directory);
  }

  /** Parses "expired:4711,…": the servers whose certificates must be refused. */
  void setRefused(String text) {
    for (String one : text.split(",")) {
      String[] parts = one.split(":");
      refusedPorts.put(parts[0], Integer.parseInt(parts[1]));
    }
  }

  void add(Map<String, Case.Body> cases) {
    cases.put("tls", this::run);
  }

  /** Adds the settings of TLS. `own`: the client's certificate, or null. */
  void configure(Configuration configuration, String own) throws IOException {
    configuration.set("hbase.client.netty.tls.enabled", "true");
    configuration.set("hbase.rpc.tls.truststore.location", directory.resolve("ca.pem").toString());
    if (own == null) {
      return;
    }
    // The certificate and its key are in one file.
    Path store = directory.resolve(own + "_store.pem");
    if (!Files.exists(store)) {
      Files.writeString(store, Files.readString(directory.resolve(own + ".pem")) + Files.readString(directory.resolve(own + ".key")));
    }
    configuration.set("hbase.rpc.tls.keystore.location", store.toString());
  }

  /** Few attempts, so that a refused connection fails soon. */
  private Configuration impatient(int port) {
    Configuration configuration = Case.plainConfiguration();
    configuration.set("hbase.client.bootstrap.servers", Main.host + ":" + port);
    configuration.setInt("hbase.client.retries.number", 1);
    configuration.setInt("hbase.client.pause", 10);
    configuration.setInt("hbase.client.operation.timeout", 5_000);
    configuration.setInt("hbase.client.meta.operation.timeout", 5_000);
    configuration.setInt("hbase.rpc.timeout", 3_000);
    return configuration;
  }

  private Connection connect(int port, String own) throws IOException {
    Configuration configuration = impatient(port);
    configure(configuration, own);
    return ConnectionFactory.createConnection(configuration);
  }

  /** Returns the reasons why a connection is refused; empty: it is not. */
  private static String refusal(Configuration configuration, TableName table) {
    try (Connection connection = ConnectionFactory.createConnection(configuration); Table opened = connection.getTable(table)) {
      opened.exists(new Get(b("r")));
      return "";
    } catch (Exception e) {
      StringBuilder all = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        all.append(cause).append(" / ");
      }
      return all.toString();
    }
  }

  private String refusal(int port, String own, TableName table) throws IOException {
    Configuration configuration = impatient(port);
    configure(configuration, own);
    return refusal(configuration, table);
  }

  private void run(Case c) throws Exception {
    Table table = c.table("f");
    table.put(put("r", 1, "f:q", "v"));
    TableName name = table.getName();
    equal(refusal(Main.port, "ann", name), "", "a certificate whose role may do everything");
    check(!refusal(Main.port, null, name).isEmpty(), "a client without a certificate is refused");
    check(!refusal(impatient(Main.port), name).isEmpty(), "a client without TLS is refused");
    for (String own : List.of("unknown_client", "expired_client")) {
      check(!refusal(Main.port, own, name).isEmpty(), own + " is refused");
    }
    String nameless = refusal(Main.port, "nameless", name);
    check(nameless.contains("AccessDeniedException") && nameless.contains("has no identity"), "without an identity: " + nameless);
    for (Map.Entry<String, Integer> each : refusedPorts.entrySet()) {
      check(!refusal(each.getValue(), "ann", name).isEmpty(), "a server with the certificate " + each.getKey() + " is refused");
    }
    try (Connection connection = connect(Main.port, "bob"); Table denied = connection.getTable(name); Admin admin = connection.getAdmin()) {
      mayDoNothing(denied, admin);
      check(admin.tableExists(name), "names can be read");
    }
    equal(cells(table.get(new Get(b("r")))), "f:q=v", "nothing has changed");
  }

  private static void mayDoNothing(Table table, Admin admin) throws Exception {
    Throwable why = refused(AccessDeniedException.class, () -> table.get(new Get(b("r"))), "Get");
    check(why.getMessage().contains("User bob has no SELECT permission on <table default."), "the sentence: " + why.getMessage());
    refused(AccessDeniedException.class, () -> table.get(List.of(new Get(b("r")), new Get(b("s")))), "Gets");
    refused(AccessDeniedException.class, () -> Case.scan(table, new Scan()), "Scan");
    refused(AccessDeniedException.class, () -> table.put(put("r", 2, "f:q", "w")), "Put");
    refused(AccessDeniedException.class, () -> table.put(List.of(put("r", 2, "f:q", "w"), put("s", 2, "f:q", "w"))), "Puts");
    refused(AccessDeniedException.class, () -> table.delete(new Delete(b("r"))), "Delete");
    refused(AccessDeniedException.class, () -> table.increment(new Increment(b("n")).addColumn(b("f"), b("n"), 1)), "Increment");
    refused(AccessDeniedException.class, () -> table.append(new Append(b("r")).addColumn(b("f"), b("q"), b("w"))), "Append");
    refused(AccessDeniedException.class, () -> table.checkAndMutate(CheckAndMutate.newBuilder(b("r"))
        .ifEquals(b("f"), b("q"), b("other")).build(new Put(b("r")).addColumn(b("f"), b("q"), b("w")))), "checkAndMutate");
    refused(AccessDeniedException.class, () -> admin.disableTable(table.getName()), "disableTable");
    refused(AccessDeniedException.class, () -> admin.addColumnFamily(table.getName(), Case.family("g", 1)), "addColumnFamily");
    refused(AccessDeniedException.class, () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(table.getName())
        .setColumnFamily(Case.family("f", 2)).build()), "modifyTable");
    refused(AccessDeniedException.class, () -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("drivers_bobs"))
        .setColumnFamily(Case.family("f", 1)).build()), "createTable");
  }
}
