package compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Random filters, each with its text. Counts how often each kind was made. */
final class Filters {
  record Made(Filter filter, String text) {}

  private interface Maker {
    Made make();
  }

  private final Random random;
  private final Design design;
  private final Map<String, Integer> counts;
  private final Map<String, Maker> makers = new TreeMap<>();
  private final List<String> names;
  private boolean reversed;

  Filters(Random random, Design design, Map<String, Integer> counts) {
    this.random = random;
    this.design = design;
    this.counts = counts;
    makers.put("Prefix", () -> prefix());
    makers.put("Page", () -> page());
    makers.put("ColumnPrefix", () -> columnPrefix());
    makers.put("ColumnRange", () -> columnRange());
    makers.put("Qualifier", () -> compared("Qualifier", design.qualifier(), QualifierFilter::new));
    makers.put("Family", () -> compared("Family", design.family(), FamilyFilter::new));
    makers.put("Value", () -> compared("Value", design.value(), ValueFilter::new));
    makers.put("Row", () -> compared("Row", design.row(), RowFilter::new));
    makers.put("SingleColumnValue", () -> singleColumn(false));
    makers.put("SingleColumnValueExclude", () -> singleColumn(true));
    makers.put("ColumnValue", () -> columnValue());
    makers.put("DependentColumn", () -> dependentColumn());
    makers.put("FirstKeyOnly", () -> new Made(new FirstKeyOnlyFilter(), "FirstKeyOnly"));
    makers.put("KeyOnly", () -> keyOnly());
    makers.put("InclusiveStop", () -> inclusiveStop());
    makers.put("Timestamps", () -> timestamps());
    makers.put("MultipleColumnPrefix", () -> multipleColumnPrefix());
    makers.put("FuzzyRow", () -> fuzzyRow());
    makers.put("MultiRowRange", () -> multiRowRange());
    makers.put("ColumnPagination", () -> columnPagination());
    makers.put("ColumnCountGet", () -> columnCountGet());
    makers.put("RandomRow", () -> randomRow());
    names = new ArrayList<>(makers.keySet());
  }

  /**
   * A filter, in a third of the cases a list of filters, which may contain lists. HBase never ends a reversed scan with
   * some lists that contain a FuzzyRowFilter, so it is not in lists for reversed scans.
   */
  Made any(boolean reversed) {
    this.reversed = reversed;
    return any(0);
  }

  private Made any(int depth) {
    int dice = random.nextInt(20);
    if (dice < (depth == 0 ? 7 : 4) && depth < 3) {
      return list(depth);
    }
    if (dice >= 18 && depth < 2) {
      return wrapped(depth);
    }
    String name = names.get(random.nextInt(names.size()));
    if (reversed && depth > 0 && name.equals("FuzzyRow")) {
      name = "Row";
    }
    counts.merge(name + "Filter", 1, Integer::sum);
    return makers.get(name).make();
  }

  private Made list(int depth) {
    boolean all = random.nextBoolean();
    FilterList list = new FilterList(all ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE);
    List<String> texts = new ArrayList<>();
    int size = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < size; i++) {
      Made made = any(depth + 1);
      list.addFilter(made.filter());
      texts.add(made.text());
    }
    counts.merge("FilterList " + (all ? "AND" : "OR"), 1, Integer::sum);
    return new Made(list, (all ? "AND" : "OR") + texts);
  }

  private Made wrapped(int depth) {
    boolean skip = random.nextBoolean();
    Made made = any(depth + 1);
    counts.merge(skip ? "SkipFilter" : "WhileMatchFilter", 1, Integer::sum);
    return new Made(skip ? new SkipFilter(made.filter()) : new WhileMatchFilter(made.filter()),
        (skip ? "Skip(" : "WhileMatch(") + made.text() + ")");
  }

  private byte[] start(byte[] bytes) {
    return Bytes.copy(bytes, 0, random.nextInt(bytes.length + 1));
  }

  private Made prefix() {
    byte[] prefix = start(design.row());
    return new Made(new PrefixFilter(prefix), "Prefix(" + Shown.bytes(prefix) + ")");
  }

  private Made page() {
    int rows = random.nextInt(5);
    return new Made(new PageFilter(rows), "Page(" + rows + ")");
  }

  private Made columnPrefix() {
    byte[] prefix = start(design.qualifier());
    return new Made(new ColumnPrefixFilter(prefix), "ColumnPrefix(" + Shown.bytes(prefix) + ")");
  }

  private Made columnRange() {
    byte[] from = random.nextInt(4) == 0 ? null : start(design.qualifier());
    byte[] to = random.nextInt(4) == 0 ? null : design.qualifier();
    boolean withFrom = random.nextBoolean();
    boolean withTo = random.nextBoolean();
    return new Made(new ColumnRangeFilter(from, withFrom, to, withTo),
        "ColumnRange(" + Shown.bytes(from) + " " + withFrom + ", " + Shown.bytes(to) + " " + withTo + ")");
  }

  private interface Compared {
    Filter make(CompareOperator operator, org.apache.hadoop.hbase.filter.ByteArrayComparable comparator);
  }

  private Comparators.Made comparator(String what, byte[] like) {
    if (what.equals("Row") && random.nextInt(10) == 0) {
      return Comparators.component(random, like);
    }
    return Comparators.any(random, like, design.kind == Design.Kind.NUMBERS && what.contains("Value"));
  }

  private Made compared(String name, byte[] like, Compared maker) {
    CompareOperator operator = Comparators.operator(random);
    Comparators.Made comparator = comparator(name, like);
    return new Made(maker.make(operator, comparator.comparator()), name + "(" + operator + " " + comparator.text() + ")");
  }

  private Made singleColumn(boolean exclude) {
    CompareOperator operator = Comparators.comparing(random);
    byte[] family = design.family();
    byte[] qualifier = design.qualifier();
    Comparators.Made comparator = comparator("Value", design.value());
    SingleColumnValueFilter filter = exclude
        ? new SingleColumnValueExcludeFilter(family, qualifier, operator, comparator.comparator())
        : new SingleColumnValueFilter(family, qualifier, operator, comparator.comparator());
    filter.setFilterIfMissing(random.nextBoolean());
    filter.setLatestVersionOnly(random.nextInt(3) > 0);
    return new Made(filter, "SingleColumnValue" + (exclude ? "Exclude(" : "(") + Shown.bytes(family) + ":" + Shown.bytes(qualifier) + " "
        + operator + " " + comparator.text() + ", if missing " + filter.getFilterIfMissing() + ", latest only "
        + filter.getLatestVersionOnly() + ")");
  }

  private Made columnValue() {
    CompareOperator operator = Comparators.operator(random);
    byte[] family = design.family();
    byte[] qualifier = design.qualifier();
    Comparators.Made comparator = comparator("Value", design.value());
    return new Made(new ColumnValueFilter(family, qualifier, operator, comparator.comparator()),
        "ColumnValue(" + Shown.bytes(family) + ":" + Shown.bytes(qualifier) + " " + operator + " " + comparator.text() + ")");
  }

  private Made dependentColumn() {
    byte[] family = design.family();
    byte[] qualifier = design.qualifier();
    boolean drop = random.nextBoolean();
    String column = "DependentColumn(" + Shown.bytes(family) + ":" + Shown.bytes(qualifier) + " drop " + drop;
    if (random.nextBoolean()) {
      return new Made(new DependentColumnFilter(family, qualifier, drop), column + ")");
    }
    CompareOperator operator = Comparators.operator(random);
    Comparators.Made comparator = comparator("Value", design.value());
    return new Made(new DependentColumnFilter(family, qualifier, drop, operator, comparator.comparator()),
        column + " " + operator + " " + comparator.text() + ")");
  }

  private Made keyOnly() {
    boolean lengths = random.nextBoolean();
    return new Made(new KeyOnlyFilter(lengths), "KeyOnly(lengths " + lengths + ")");
  }

  private Made inclusiveStop() {
    byte[] row = design.bound();
    return new Made(new InclusiveStopFilter(row), "InclusiveStop(" + Shown.bytes(row) + ")");
  }

  private Made timestamps() {
    TreeSet<Long> times = new TreeSet<>();
    for (int i = 0, most = random.nextInt(4); i <= most; i++) {
      times.add(design.givenTime());
    }
    boolean hint = random.nextInt(3) == 0;
    return new Made(new TimestampsFilter(new ArrayList<>(times), hint),
        "Timestamps(" + times.stream().map(Shown::time).collect(Collectors.joining(" ")) + (hint ? ", hint)" : ")"));
  }

  private Made multipleColumnPrefix() {
    TreeSet<byte[]> prefixes = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      prefixes.add(start(design.qualifier()));
    }
    return new Made(new MultipleColumnPrefixFilter(prefixes.toArray(new byte[0][])),
        "MultipleColumnPrefix(" + prefixes.stream().map(Shown::bytes).collect(Collectors.joining(" ")) + ")");
  }

  private Made fuzzyRow() {
    List<Pair<byte[], byte[]>> pairs = new ArrayList<>();
    StringBuilder text = new StringBuilder("FuzzyRow(");
    for (int i = 0, most = random.nextInt(2); i <= most; i++) {
      byte[] row = design.row().clone();
      byte[] mask = new byte[row.length];
      for (int at = 0; at < mask.length; at++) {
        mask[at] = (byte) random.nextInt(2);
        row[at] = mask[at] == 1 ? 0 : row[at];
      }
      text.append(i == 0 ? "" : ", ").append(Shown.bytes(row)).append(" mask ").append(Arrays.toString(mask));
      pairs.add(new Pair<>(row, mask));
    }
    return new Made(new FuzzyRowFilter(pairs), text + ")");
  }

  private Made multiRowRange() {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    List<byte[]> bounds = new ArrayList<>();
    for (int i = 0, count = 2 + 2 * random.nextInt(2); i < count; i++) {
      bounds.add(design.bound());
    }
    bounds.sort(Comparator.comparing(bytes -> bytes, Bytes.BYTES_COMPARATOR));
    StringBuilder text = new StringBuilder("MultiRowRange(");
    for (int i = 0; i < bounds.size(); i += 2) {
      boolean withStart = random.nextInt(3) > 0;
      boolean withStop = random.nextBoolean();
      if (Bytes.equals(bounds.get(i), bounds.get(i + 1))) {
        withStart = withStop = true;
      }
      ranges.add(new MultiRowRangeFilter.RowRange(bounds.get(i), withStart, bounds.get(i + 1), withStop));
      text.append(i == 0 ? "" : ", ").append(Shown.bytes(bounds.get(i))).append(withStart ? " with " : " without ")
          .append(Shown.bytes(bounds.get(i + 1))).append(withStop ? " with" : " without");
    }
    return new Made(new MultiRowRangeFilter(ranges), text + ")");
  }

  private Made columnPagination() {
    int limit = 1 + random.nextInt(3);
    if (random.nextBoolean()) {
      int offset = random.nextInt(3);
      return new Made(new ColumnPaginationFilter(limit, offset), "ColumnPagination(" + limit + ", " + offset + ")");
    }
    byte[] from = design.qualifier();
    return new Made(new ColumnPaginationFilter(limit, from), "ColumnPagination(" + limit + ", from " + Shown.bytes(from) + ")");
  }

  private Made columnCountGet() {
    int columns = 1 + random.nextInt(3);
    return new Made(new ColumnCountGetFilter(columns), "ColumnCountGet(" + columns + ")");
  }

  /** The chance is below 0 or above 1, so that the answer is certain. */
  private Made randomRow() {
    float chance = random.nextBoolean() ? -1 : 2;
    return new Made(new RandomRowFilter(chance), "RandomRow(" + chance + ")");
  }
}
