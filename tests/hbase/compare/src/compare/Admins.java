package compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Steps that make, change and drop the table. They run while the table is empty: HBase flushes its memory when it changes
 * a table, and a flush forgets the versions that were too many. Then the answers would depend on when a flush was.
 */
final class Admins {
  private final Random random;
  private final Design design;

  Admins(Random random, Design design) {
    this.random = random;
    this.design = design;
  }

  private static Step step(String kind, String text, Step.Body body) {
    return new Step(kind, text, true, body);
  }

  Step create() {
    List<Design.Family> families = List.copyOf(design.families);
    return step("createTable", "create " + design.text(), target -> {
      target.admin.createTable(Design.descriptor(target.tableName, families));
      return List.of("done");
    });
  }

  List<Step> changes() {
    List<Step> steps = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      steps.add(create());  // A second time: it exists.
    }
    switch (random.nextInt(6)) {
      case 0 -> disableAndEnable(steps);
      case 1 -> addFamily(steps);
      case 2 -> modifyFamily(steps);
      case 3 -> truncate(steps);
      case 4 -> deleteFamily(steps);
      default -> { }
    }
    steps.add(describe());
    return steps;
  }

  private void disableAndEnable(List<Step> steps) {
    steps.add(step("disableTable", "disable", target -> {
      target.admin.disableTable(target.tableName);
      return List.of("disabled " + target.admin.isTableDisabled(target.tableName));
    }));
    if (random.nextBoolean()) {
      steps.add(step("disableTable", "disable again", target -> {
        target.admin.disableTable(target.tableName);
        return List.of("done");
      }));
    }
    steps.add(step("enableTable", "enable", target -> {
      target.admin.enableTable(target.tableName);
      return List.of("enabled " + target.admin.isTableEnabled(target.tableName));
    }));
  }

  private void addFamily(List<Step> steps) {
    Design.Family family = design.family("g");
    design.families.add(family);
    steps.add(step("addColumnFamily", "add family " + family.text(), target -> {
      target.admin.addColumnFamily(target.tableName, Design.descriptor(family));
      return List.of("done");
    }));
  }

  private void modifyFamily(List<Step> steps) {
    int at = random.nextInt(design.families.size());
    Design.Family family = design.family(Bytes.toString(design.families.get(at).name()));
    design.families.set(at, family);
    List<Design.Family> families = List.copyOf(design.families);
    if (random.nextBoolean()) {
      steps.add(step("modifyTable", "modify to " + design.text(), target -> {
        target.admin.modifyTable(Design.descriptor(target.tableName, families));
        return List.of("done");
      }));
    } else {
      steps.add(step("modifyColumnFamily", "modify family " + family.text(), target -> {
        target.admin.modifyColumnFamily(target.tableName, Design.descriptor(family));
        return List.of("done");
      }));
    }
  }

  private void deleteFamily(List<Step> steps) {
    byte[] name = design.any(design.families).name();
    if (design.families.size() > 1) {
      design.families.removeIf(family -> Bytes.equals(family.name(), name));
    }
    steps.add(step("deleteColumnFamily", "delete family " + Shown.bytes(name), target -> {
      target.admin.deleteColumnFamily(target.tableName, name);
      return List.of("done");
    }));
  }

  private void truncate(List<Step> steps) {
    steps.add(step("truncateTable", "truncate while enabled", target -> {
      target.admin.truncateTable(target.tableName, false);
      return List.of("done");
    }));
    boolean preserveSplits = random.nextBoolean();
    steps.add(step("truncateTable", "disable and truncate", target -> {
      target.admin.disableTable(target.tableName);
      target.admin.truncateTable(target.tableName, preserveSplits);
      return List.of("enabled " + target.admin.isTableEnabled(target.tableName));
    }));
  }

  private Step describe() {
    return new Step("getDescriptor", "describe", false, target -> {
      TableDescriptor found = target.admin.getDescriptor(target.tableName);
      List<String> lines = new ArrayList<>();
      for (ColumnFamilyDescriptor family : found.getColumnFamilies()) {
        TreeMap<String, String> values = new TreeMap<>();
        family.getValues().forEach((key, value) -> values.put(key.toString(), value.toString()));
        lines.add(family.getNameAsString() + " " + values);
      }
      return lines;
    });
  }

  /** The last steps: the table is dropped, and then it is unknown. */
  List<Step> end() {
    List<Step> steps = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      truncate(steps);
      steps.add(Reads.everything());
    }
    steps.add(step("deleteTable", "delete while enabled", target -> {
      target.admin.deleteTable(target.tableName);
      return List.of("done");
    }));
    steps.add(step("deleteTable", "disable and delete", target -> {
      target.admin.disableTable(target.tableName);
      target.admin.deleteTable(target.tableName);
      return List.of("exists " + target.admin.tableExists(target.tableName));
    }));
    steps.add(new Step("listTableNames", "list", false, target -> {
      TreeSet<String> names = new TreeSet<>();
      for (TableName name : target.admin.listTableNames()) {
        if (name.equals(target.tableName)) {
          names.add("this table");
        }
      }
      return List.of("listed " + names);
    }));
    steps.add(new Step("Get", "get from the dropped table", false,
        target -> Shown.result(target.table.get(new Get(design.rows.get(0))))));
    return steps;
  }
}
