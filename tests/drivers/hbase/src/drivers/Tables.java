package drivers;

import static drivers.Case.admin;
import static drivers.Case.b;
import static drivers.Case.check;
import static drivers.Case.connection;
import static drivers.Case.equal;
import static drivers.Case.put;

import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Cases of table administration. */
final class Tables {
  private Tables() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("create_and_list", Tables::createAndList);
    cases.put("describe", Tables::describe);
    cases.put("disable_enable", Tables::disableEnable);
    cases.put("truncate", Tables::truncate);
    cases.put("modify", Tables::modify);
    cases.put("split_keys", Tables::splitKeys);
    cases.put("locator", Tables::locator);
  }

  private static boolean listed(TableName name) throws Exception {
    return Arrays.asList(admin().listTableNames()).contains(name);
  }

  private static void createAndList(Case c) throws Exception {
    TableName name = c.freshName();
    check(!admin().tableExists(name), "exists before it was created");
    check(!listed(name), "is listed before it was created");
    admin().createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build());
    check(admin().tableExists(name) && listed(name), "exists and is listed");
    check(admin().isTableEnabled(name) && !admin().isTableDisabled(name), "is enabled");
    check(admin().isTableAvailable(name), "is available");
    check(admin().listTableDescriptors().stream().anyMatch(table -> table.getTableName().equals(name)), "has a descriptor");
    equal(admin().listTableNames(Pattern.compile(name.getNameAsString())).length, 1, "names that match");
    equal(admin().listTableNames(Pattern.compile("no" + name.getNameAsString())).length, 0, "names that do not match");
    admin().disableTable(name);
    admin().deleteTable(name);
    check(!admin().tableExists(name) && !listed(name), "exists after it was deleted");
  }

  private static void describe(Case c) throws Exception {
    ColumnFamilyDescriptor first = ColumnFamilyDescriptorBuilder.newBuilder(b("a")).setMaxVersions(5).setMinVersions(2)
        .setTimeToLive(86_400).build();
    Table table = c.table(first, ColumnFamilyDescriptorBuilder.of("b"));
    for (TableDescriptor found : new TableDescriptor[] {admin().getDescriptor(table.getName()), table.getDescriptor()}) {
      equal(found.getTableName(), table.getName(), "name");
      equal(found.getColumnFamilyCount(), 2, "families");
      ColumnFamilyDescriptor a = found.getColumnFamily(b("a"));
      equal(a.getMaxVersions() + " " + a.getMinVersions() + " " + a.getTimeToLive(), "5 2 86400", "family a");
      ColumnFamilyDescriptor b = found.getColumnFamily(b("b"));
      equal(b.getMaxVersions() + " " + b.getMinVersions() + " " + b.getTimeToLive(), "1 0 2147483647", "family b");
    }
  }

  private static void disableEnable(Case c) throws Exception {
    Table table = c.table("f");
    table.put(put("r", 1, "f:q", "v"));
    admin().disableTable(table.getName());
    check(admin().isTableDisabled(table.getName()) && !admin().isTableEnabled(table.getName()), "is disabled");
    Case.refused(org.apache.hadoop.hbase.TableNotEnabledException.class, () -> admin().disableTable(table.getName()), "disable twice");
    admin().enableTable(table.getName());
    check(admin().isTableEnabled(table.getName()), "is enabled again");
    Case.refused(org.apache.hadoop.hbase.TableNotDisabledException.class, () -> admin().enableTable(table.getName()), "enable twice");
    equal(Case.cells(table.get(new Get(b("r")))), "f:q=v", "data after it was enabled again");
  }

  private static void truncate(Case c) throws Exception {
    Table table = c.table(Case.family("f", 3), Case.family("g", 1));
    table.put(put("r", 5, "f:q", "v", "g:q", "w"));
    admin().disableTable(table.getName());
    admin().truncateTable(table.getName(), true);
    check(admin().isTableEnabled(table.getName()), "is enabled after it was truncated");
    equal(Case.scan(table, new Scan()), "", "rows after it was truncated");
    equal(table.getDescriptor().getColumnFamily(b("f")).getMaxVersions(), 3, "versions after it was truncated");
    table.put(put("r", 1, "f:q", "older"));
    equal(Case.scan(table, new Scan()), "r(f:q=older)", "a put after it was truncated");
  }

  private static void modify(Case c) throws Exception {
    Table table = c.table(Case.family("f", 1));
    TableName name = table.getName();
    table.put(put("r", 1, "f:q", "v1"));
    admin().modifyColumnFamily(name, Case.family("f", 3));
    table.put(put("r", 2, "f:q", "v2"));
    equal(Case.timed(table.get(new Get(b("r")).readAllVersions())), "f:q@2=v2 f:q@1=v1", "versions after VERSIONS was raised");
    admin().addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("g"));
    table.put(put("r", 1, "g:q", "w"));
    equal(Case.scan(table, new Scan()), "r(f:q=v2 g:q=w)", "a new family");
    admin().deleteColumnFamily(name, b("g"));
    equal(Case.scan(table, new Scan()), "r(f:q=v2)", "a deleted family");
    admin().addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("g"));
    equal(Case.scan(table, new Scan()), "r(f:q=v2)", "a family that was deleted and made again is empty");
    admin().modifyTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(Case.family("f", 1))
        .setColumnFamily(Case.family("g", 4)).build());
    equal(table.getDescriptor().getColumnFamily(b("g")).getMaxVersions(), 4, "VERSIONS after modifyTable");
    equal(Case.timed(table.get(new Get(b("r")).readAllVersions())), "f:q@2=v2", "versions after VERSIONS was lowered");
  }

  /** Split keys do not change answers: the table has all rows in order, however many regions it has. */
  private static void splitKeys(Case c) throws Exception {
    TableName name = c.freshName();
    admin().createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(),
        new byte[][] {b("g"), b("p")});
    Table table = connection().getTable(name);
    for (String row : new String[] {"z", "p", "a", "g", "o", "f"}) {
      table.put(put(row, 1, "f:q", row));
    }
    equal(Case.rows(table, new Scan()), "a f g o p z", "rows in order");
    equal(Case.rows(table, new Scan().setReversed(true)), "z p o g f a", "rows in reversed order");
    equal(Case.rows(table, new Scan().withStartRow(b("f")).setLimit(3)), "f g o", "a limit over several regions");
    try (RegionLocator locator = connection().getRegionLocator(name)) {
      equal(texts(locator.getStartKeys()), "|g|p", "the regions' first keys");
      equal(texts(locator.getEndKeys()), "g|p|", "the regions' last keys");
    }
    admin().addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("n"));
    table.put(put("p", 1, "n:q", "new"));
    equal(Case.scan(table, new Scan().withStartRow(b("p")).setLimit(1)), "p(f:q=p n:q=new)", "a family that is added has the regions");
  }

  private static String texts(byte[][] keys) {
    return Arrays.stream(keys).map(Bytes::toStringBinary).collect(Collectors.joining("|"));
  }

  private static void locator(Case c) throws Exception {
    Table table = c.table("f");
    try (RegionLocator locator = connection().getRegionLocator(table.getName())) {
      byte[][] starts = locator.getStartKeys();
      check(starts.length >= 1 && starts[0].length == 0, "the first region begins with the empty key");
      equal(locator.getEndKeys()[starts.length - 1].length, 0, "the last region ends with the empty key");
      check(locator.getRegionLocation(b("any")).getServerName() != null, "a row has a server");
      equal(locator.getAllRegionLocations().size(), starts.length, "locations");
      equal(locator.getRegionLocation(b("any"), true).getRegion().getTable(), table.getName(), "the region's table");
    }
    check(!admin().getRegions(table.getName()).isEmpty(), "the table has regions");
    check(admin().getClusterMetrics().getLiveServerMetrics().size() == 1, "the cluster has one live server");
  }
}
