package drivers;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

final class Schema {
  static void add(Map<String, Case.Body> cases) {
    cases.put("metadata", Schema::metadata);
    cases.put("metadata_system", Schema::system);
    cases.put("schema_events", Schema::events);
  }

  private static List<String> names(Iterable<ColumnMetadata> columns) {
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(column.getName().asInternal() + " " + column.getType().asCql(false, false)));
    return names;
  }

  private static void metadata(Case c) {
    String name = Main.keyspace + "_meta";
    CqlSession s = c.session(null, options -> {});
    Case.run(s, "CREATE KEYSPACE " + name + Case.REPLICATION + " AND durable_writes = false");
    Case.run(s, "CREATE TYPE " + name + ".address (street text, zip int)");
    Case.run(s, "CREATE TABLE " + name + ".readings (site text, day int, at timestamp, seq int, label text STATIC, v double,"
        + " home frozen<address>, tags set<text>, PRIMARY KEY ((site, day), at, seq))"
        + " WITH CLUSTERING ORDER BY (at DESC, seq ASC) AND comment = 'by site' AND default_time_to_live = 77"
        + " AND gc_grace_seconds = 1234");
    KeyspaceMetadata k = s.getMetadata().getKeyspace(name).orElseThrow();
    Case.equal(k.isDurableWrites(), false, "durable_writes");
    Case.equal(k.getReplication(), Map.of("class", "org.apache.cassandra.locator.SimpleStrategy", "replication_factor", "1"),
        "replication");
    TableMetadata t = k.getTable("readings").orElseThrow();
    Case.equal(names(t.getPartitionKey()), List.of("site text", "day int"), "partition key");
    Case.equal(names(t.getClusteringColumns().keySet()), List.of("at timestamp", "seq int"), "clustering columns");
    Case.equal(List.copyOf(t.getClusteringColumns().values()), List.of(ClusteringOrder.DESC, ClusteringOrder.ASC), "orders");
    Case.equal(names(t.getColumns().values()), List.of("site text", "day int", "at timestamp", "seq int",
        "home \"" + name + "\".\"address\"", "tags set<text>", "v double", "label text"), "columns"); // Static columns come last.
    Case.check(t.getColumn("label").orElseThrow().isStatic(), "label is not static");
    Case.check(t.getId().isPresent(), "the table has no id");
    Map<CqlIdentifier, Object> options = t.getOptions();
    Case.equal(options.get(CqlIdentifier.fromInternal("comment")), "by site", "comment");
    Case.equal(options.get(CqlIdentifier.fromInternal("default_time_to_live")), 77, "default_time_to_live");
    Case.equal(options.get(CqlIdentifier.fromInternal("gc_grace_seconds")), 1234, "gc_grace_seconds");
    for (String map : List.of("compaction", "compression", "caching")) {
      Case.check(options.get(CqlIdentifier.fromInternal(map)) instanceof Map<?, ?> m && !m.isEmpty(), map + " is empty");
    }
    UserDefinedType u = k.getUserDefinedType("address").orElseThrow();
    Case.equal(u.getFieldNames().stream().map(CqlIdentifier::asInternal).toList(), List.of("street", "zip"), "fields");
    Case.equal(u.getFieldTypes().toString(), "[TEXT, INT]", "field types");
    Case.check(k.getTable("missing").isEmpty(), "a missing table is in the metadata");
    Case.check(s.getMetadata().getKeyspace(name + "_missing").isEmpty(), "a missing keyspace is in the metadata");

    String[] creates = k.describeWithChildren(false).split("(?<=;)\\s*\n");
    Case.run(s, "DROP KEYSPACE " + name);
    for (String create : creates) Case.run(s, create);
    Optional<TableMetadata> again = s.getMetadata().getKeyspace(name).flatMap(ks -> ks.getTable("readings"));
    Case.equal(names(again.orElseThrow().getColumns().values()), names(t.getColumns().values()), "columns of the table made again");
  }

  private static void system(Case c) {
    // By default the driver leaves the system keyspaces out of its metadata.
    CqlSession s = c.session(null, options -> options.withStringList(DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES,
        List.of("system", "system_schema", "system_virtual_schema", "system_views")));
    for (String name : List.of("system.local", "system_schema.tables", "system_virtual_schema.tables", "system_views.clients")) {
      String[] parts = name.split("\\.");
      Case.check(s.getMetadata().getKeyspace(parts[0]).flatMap(k -> k.getTable(parts[1])).isPresent(), name + " is missing");
    }
    Case.check(s.getMetadata().getKeyspace("system_views").orElseThrow().isVirtual(), "system_views is not virtual");
    Case.equal(s.getMetadata().getTokenMap().orElseThrow().getPartitionerName(), "org.apache.cassandra.dht.Murmur3Partitioner",
        "partitioner");
    Case.check(s.getMetadata().getClusterName().isPresent(), "no cluster name");
    Case.equal(s.getMetadata().getNodes().size(), 1, "nodes");
    Node node = s.getMetadata().getNodes().values().iterator().next();
    Case.equal(node.getState(), NodeState.UP, "state");
    Case.check(node.getDatacenter() != null && node.getRack() != null && node.getHostId() != null && node.getSchemaVersion() != null,
        "data centre, rack, host id or schema version is null");
    Case.check(node.getCassandraVersion().getMajor() >= 4, "release version " + node.getCassandraVersion());
    Case.check(s.checkSchemaAgreement(), "no schema agreement");
  }

  private static void events(Case c) throws InterruptedException {
    String name = Main.keyspace + "_events";
    CqlSession watcher = c.session(null, options -> {});
    CqlSession changer = c.session(null, options -> {});
    step(watcher, changer, "CREATE KEYSPACE KS" + Case.REPLICATION, k -> k.isDurableWrites());
    step(watcher, changer, "ALTER KEYSPACE KS WITH durable_writes = false", k -> !k.isDurableWrites());
    step(watcher, changer, "CREATE TABLE KS.t (k int PRIMARY KEY, v text)", k -> k.getTable("t").isPresent());
    step(watcher, changer, "ALTER TABLE KS.t ADD w text", k -> k.getTable("t").orElseThrow().getColumn("w").isPresent());
    step(watcher, changer, "CREATE TYPE KS.u (a int)", k -> k.getUserDefinedType("u").isPresent());
    step(watcher, changer, "ALTER TYPE KS.u ADD b int", k -> k.getUserDefinedType("u").orElseThrow().contains("b"));
    step(watcher, changer, "DROP TYPE KS.u", k -> k.getUserDefinedType("u").isEmpty());
    step(watcher, changer, "DROP TABLE KS.t", k -> k.getTable("t").isEmpty());
    Case.run(changer, "DROP KEYSPACE " + name);
    Case.eventually("DROP KEYSPACE", () -> watcher.getMetadata().getKeyspace(name).isEmpty());
  }

  private static void step(CqlSession watcher, CqlSession changer, String statement, Predicate<KeyspaceMetadata> holds)
      throws InterruptedException {
    String name = Main.keyspace + "_events";
    Case.run(changer, statement.replace("KS", name));
    Case.eventually(statement, () -> watcher.getMetadata().getKeyspace(name).filter(holds).isPresent());
  }
}
