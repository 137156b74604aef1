package drivers;

import static drivers.Case.b;
import static drivers.Case.equal;
import static drivers.Case.put;
import static drivers.Case.timed;

import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Cases of VERSIONS, MIN_VERSIONS and TTL. */
final class Versions {
  private static final long HOUR_MS = 3_600_000;

  private Versions() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("versions", Versions::versions);
    cases.put("min_versions_ttl", Versions::minVersionsTtl);
    cases.put("cell_ttl", Versions::cellTtl);
  }

  private static void versions(Case c) throws Exception {
    Table table = c.table(Case.family("one", 1), Case.family("three", 3), Case.family("all", Integer.MAX_VALUE));
    for (int time : new int[] {5, 1, 4, 2, 3}) {
      String value = "v" + time;
      table.put(put("r", time, "one:q", value, "three:q", value, "all:q", value));
    }
    equal(timed(table.get(new Get(b("r")).readAllVersions())), "all:q@5=v5 all:q@4=v4 all:q@3=v3 all:q@2=v2 all:q@1=v1 one:q@5=v5 "
        + "three:q@5=v5 three:q@4=v4 three:q@3=v3", "each family has its number of versions");
    equal(timed(table.get(new Get(b("r")).setTimeRange(0, 4).addFamily(b("three")).readAllVersions())), "three:q@3=v3 three:q@2=v2 "
        + "three:q@1=v1", "versions within a time range");
    table.delete(new Delete(b("r")).addColumn(b("three"), b("q"), 4));
    equal(timed(table.get(new Get(b("r")).addFamily(b("three")).readAllVersions())), "three:q@5=v5 three:q@3=v3 three:q@2=v2",
        "a deleted version does not count");
  }

  private static void minVersionsTtl(Case c) throws Exception {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(b("f")).setMaxVersions(5).setTimeToLive(24 * 3600);
    Table plain = c.table(family.build());
    Table kept = c.table(family.setMinVersions(2).build());
    long now = System.currentTimeMillis();
    for (Table table : new Table[] {plain, kept}) {
      for (int days = 4; days >= 1; days--) {
        table.put(put("old", now - days * 24 * HOUR_MS - HOUR_MS, "f:q", "v" + days));
      }
      table.put(put("mixed", now - 30 * HOUR_MS, "f:q", "expired"));
      table.put(put("mixed", now - 2 * HOUR_MS, "f:q", "alive"));
    }
    equal(Case.cells(plain.get(new Get(b("old")).readAllVersions())), "", "all versions are expired");
    equal(Case.cells(plain.get(new Get(b("mixed")).readAllVersions())), "f:q=alive", "one version is expired");
    equal(Case.cells(kept.get(new Get(b("old")).readAllVersions())), "f:q=v1 f:q=v2", "MIN_VERSIONS keeps two");
    equal(Case.cells(kept.get(new Get(b("mixed")).readAllVersions())), "f:q=alive f:q=expired", "MIN_VERSIONS counts all versions");
  }

  private static void cellTtl(Case c) throws Exception {
    Table table = c.table(Case.family("f", 3));
    long now = System.currentTimeMillis();
    Put expired = put("r", now - 2 * HOUR_MS, "f:q", "expired");
    expired.setTTL(HOUR_MS);
    Put alive = put("r", now - 3 * HOUR_MS, "f:q", "alive");
    alive.setTTL(9 * HOUR_MS);
    table.put(expired);
    table.put(alive);
    equal(Case.cells(table.get(new Get(b("r")).readAllVersions())), "f:q=alive", "the time to live of a cell");
    Put soon = put("s", System.currentTimeMillis(), "f:q", "v");
    soon.setTTL(700);
    table.put(soon);
    equal(Case.cells(table.get(new Get(b("s")))), "f:q=v", "before it expires");
    Thread.sleep(1800);  // Widerow forgets the cell when the next whole second begins.
    equal(Case.cells(table.get(new Get(b("s")))), "", "after it expired");
  }
}
