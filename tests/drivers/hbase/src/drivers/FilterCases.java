package drivers;

import static drivers.Case.b;
import static drivers.Case.check;
import static drivers.Case.equal;
import static drivers.Case.put;
import static drivers.Case.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Cases of filters and comparators, on three rows. */
final class FilterCases {
  private static final String ROW1 = "row-1(f:a=1 f:ab=x f:b=2 g:a=7)";
  private static final String ROW2 = "row-2(f:a=2 f:c=Value g:z=9)";
  private static final String ROW3 = "s-3(f:b=10 g:a=abc)";
  private static final String ALL = ROW1 + " " + ROW2 + " " + ROW3;

  private FilterCases() {}

  static void add(Map<String, Case.Body> cases) {
    cases.put("filters_rows", FilterCases::rows);
    cases.put("filters_columns", FilterCases::columns);
    cases.put("filters_values", FilterCases::values);
    cases.put("filters_lists", FilterCases::lists);
    cases.put("filters_random_row", FilterCases::randomRow);
    cases.put("comparators", FilterCases::comparators);
    cases.put("filter_unknown", FilterCases::unknown);
  }

  private static Table table(Case c) throws IOException {
    Table table = c.table("f", "g");
    table.put(put("row-1", 1, "f:a", "1", "f:ab", "x", "f:b", "2", "g:a", "7"));
    table.put(put("row-2", 2, "f:a", "2", "f:c", "Value", "g:z", "9"));
    table.put(put("s-3", 3, "f:b", "10", "g:a", "abc"));
    return table;
  }

  private static void shows(Table table, Filter filter, String expected) throws IOException {
    equal(scan(table, new Scan().setFilter(filter)), expected, filter.toString());
  }

  private static BinaryComparator binary(String text) {
    return new BinaryComparator(b(text));
  }

  private static void rows(Case c) throws Exception {
    Table table = table(c);
    shows(table, new PrefixFilter(b("row")), ROW1 + " " + ROW2);
    shows(table, new PrefixFilter(b("none")), "");
    shows(table, new PageFilter(2), ROW1 + " " + ROW2);
    shows(table, new RowFilter(CompareOperator.GREATER, binary("row-1")), ROW2 + " " + ROW3);
    shows(table, new RowFilter(CompareOperator.NOT_EQUAL, binary("row-2")), ROW1 + " " + ROW3);
    shows(table, new InclusiveStopFilter(b("row-2")), ROW1 + " " + ROW2);
    shows(table, new FuzzyRowFilter(List.of(new Pair<>(b("row-0"), new byte[] {0, 0, 0, 0, 1}))), ROW1 + " " + ROW2);
    shows(table, new FuzzyRowFilter(List.of(new Pair<>(b("000-2"), new byte[] {1, 1, 1, 0, 0}))), ROW2 + " " + ROW3);
    shows(table, new MultiRowRangeFilter(new ArrayList<>(List.of(new MultiRowRangeFilter.RowRange(b("a"), true, b("row-1"), true),
        new MultiRowRangeFilter.RowRange(b("s"), true, b("t"), false)))), ROW1 + " " + ROW3);
    shows(table, new FirstKeyOnlyFilter(), "row-1(f:a=1) row-2(f:a=2) s-3(f:b=10)");
    equal(scan(table, new Scan().setReversed(true).setFilter(new PrefixFilter(b("row")))), ROW2 + " " + ROW1, "reversed, a prefix");
    equal(scan(table, new Scan().setReversed(true).setFilter(new PageFilter(1))), ROW3, "reversed, a page");
  }

  private static void columns(Case c) throws Exception {
    Table table = table(c);
    shows(table, new FamilyFilter(CompareOperator.EQUAL, binary("g")), "row-1(g:a=7) row-2(g:z=9) s-3(g:a=abc)");
    shows(table, new QualifierFilter(CompareOperator.LESS_OR_EQUAL, binary("ab")), "row-1(f:a=1 f:ab=x g:a=7) row-2(f:a=2) s-3(g:a=abc)");
    shows(table, new ColumnPrefixFilter(b("a")), "row-1(f:a=1 f:ab=x g:a=7) row-2(f:a=2) s-3(g:a=abc)");
    shows(table, new MultipleColumnPrefixFilter(new byte[][] {b("ab"), b("z")}), "row-1(f:ab=x) row-2(g:z=9)");
    shows(table, new ColumnRangeFilter(b("ab"), true, b("c"), false), "row-1(f:ab=x f:b=2) s-3(f:b=10)");
    shows(table, new ColumnRangeFilter(b("a"), false, null, false), "row-1(f:ab=x f:b=2) row-2(f:c=Value g:z=9) s-3(f:b=10)");
    shows(table, new ColumnPaginationFilter(2, 1), "row-1(f:ab=x f:b=2) row-2(f:c=Value g:z=9) s-3(g:a=abc)");
    shows(table, new ColumnPaginationFilter(1, b("b")), "row-1(f:b=2) row-2(f:c=Value) s-3(f:b=10)");
    shows(table, new TimestampsFilter(List.of(1L, 3L)), ROW1 + " " + ROW3);
    shows(table, new KeyOnlyFilter(), "row-1(f:a= f:ab= f:b= g:a=) row-2(f:a= f:c= g:z=) s-3(f:b= g:a=)");
    shows(table, new KeyOnlyFilter(true), ALL.replaceAll("=[^ )]", "=\\\\x00\\\\x00\\\\x00\\\\x01").replace("x01alue", "x05")
        .replace("x010", "x02").replace("x01bc", "x03"));
    equal(Case.cells(table.get(new Get(b("row-1")).setFilter(new ColumnPrefixFilter(b("a"))))), "f:a=1 f:ab=x g:a=7", "a filter of a Get");
  }

  private static void values(Case c) throws Exception {
    Table table = table(c);
    shows(table, new ValueFilter(CompareOperator.EQUAL, binary("2")), "row-1(f:b=2) row-2(f:a=2)");
    shows(table, new ValueFilter(CompareOperator.GREATER_OR_EQUAL, binary("9")), "row-1(f:ab=x) row-2(f:c=Value g:z=9) s-3(g:a=abc)");
    shows(table, new SingleColumnValueFilter(b("f"), b("a"), CompareOperator.EQUAL, b("1")), ROW1 + " " + ROW3);
    SingleColumnValueFilter strict = new SingleColumnValueFilter(b("f"), b("a"), CompareOperator.EQUAL, b("1"));
    strict.setFilterIfMissing(true);
    shows(table, strict, ROW1);
    SingleColumnValueExcludeFilter without = new SingleColumnValueExcludeFilter(b("f"), b("a"), CompareOperator.NOT_EQUAL, b("1"));
    without.setFilterIfMissing(true);
    shows(table, without, "row-2(f:c=Value g:z=9)");
  }

  private static void lists(Case c) throws Exception {
    Table table = table(c);
    Filter prefix = new PrefixFilter(b("row"));
    Filter two = new ValueFilter(CompareOperator.EQUAL, binary("2"));
    Filter last = new RowFilter(CompareOperator.EQUAL, binary("s-3"));
    shows(table, new FilterList(FilterList.Operator.MUST_PASS_ALL, prefix, two), "row-1(f:b=2) row-2(f:a=2)");
    shows(table, new FilterList(FilterList.Operator.MUST_PASS_ONE, last, two), "row-1(f:b=2) row-2(f:a=2) " + ROW3);
    shows(table, new FilterList(FilterList.Operator.MUST_PASS_ALL, prefix,
        new FilterList(FilterList.Operator.MUST_PASS_ONE, new ColumnPrefixFilter(b("c")), new ColumnPrefixFilter(b("ab")))),
        "row-1(f:ab=x) row-2(f:c=Value)");
    shows(table, new FilterList(FilterList.Operator.MUST_PASS_ALL, new FirstKeyOnlyFilter(), new KeyOnlyFilter()),
        "row-1(f:a=) row-2(f:a=) s-3(f:b=)");
    shows(table, new FilterList(), ALL);
  }

  private static void randomRow(Case c) throws Exception {
    Table table = c.table("f");
    for (int i = 0; i < 400; i++) {
      table.put(put("r" + i, 1, "f:q", "v"));
    }
    shows(table, new RandomRowFilter(-1), "");
    equal(Case.rows(table, new Scan().setFilter(new RandomRowFilter(2))).split(" ").length, 400, "all rows");
    int some = Case.rows(table, new Scan().setFilter(new RandomRowFilter(0.5f))).split(" ").length;
    check(some > 100 && some < 300, some + " of 400 rows with a chance of a half");
  }

  private static void comparators(Case c) throws Exception {
    Table table = c.table("f");
    table.put(put("a", 1, "f:q", "abc", "f:n", Bytes.toStringBinary(Bytes.toBytes(5L))));
    table.put(put("b", 1, "f:q", "Abd", "f:n", Bytes.toStringBinary(Bytes.toBytes(-7L))));
    table.put(put("c", 1, "f:q", "xyz", "f:n", Bytes.toStringBinary(Bytes.toBytes(12L))));
    String[] words = {"binary", "prefix", "component", "substring", "regex", "regex of any case", "null"};
    ByteArrayComparable[] comparators = {binary("abc"), new BinaryPrefixComparator(b("ab")), new BinaryComponentComparator(b("b"), 1),
        new SubstringComparator("ABD"), new RegexStringComparator("^[a-z]+$"), new RegexStringComparator("(?i)^ab.$"),
        new NullComparator()};
    String[] expected = {"a", "a", "a b", "b", "a c", "a b", ""};
    for (int i = 0; i < words.length; i++) {
      SingleColumnValueFilter filter = new SingleColumnValueFilter(b("f"), b("q"), CompareOperator.EQUAL, comparators[i]);
      equal(Case.rows(table, new Scan().setFilter(filter)), expected[i], words[i]);
    }
    String[] signs = {"LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER"};
    String[] found = {"b", "a b", "a", "b c", "a c", "c"};
    for (int i = 0; i < signs.length; i++) {
      CompareOperator operator = CompareOperator.valueOf(signs[i]);
      equal(Case.rows(table, new Scan().setFilter(new SingleColumnValueFilter(b("f"), b("n"), operator, new LongComparator(5)))), found[i],
          "long " + signs[i]);
    }
    Filter bits = new SingleColumnValueFilter(b("f"), b("n"), CompareOperator.EQUAL,
        new BitComparator(Bytes.toBytes(4L), BitComparator.BitwiseOp.AND));
    equal(Case.rows(table, new Scan().setFilter(bits)), "a c", "bits");
    table.put(new org.apache.hadoop.hbase.client.Put(b("d")).addColumn(b("f"), b("d"), Bytes.toBytes(new java.math.BigDecimal("10.50"))));
    SingleColumnValueFilter decimal = new SingleColumnValueFilter(b("f"), b("d"), CompareOperator.GREATER,
        new BigDecimalComparator(new java.math.BigDecimal("10.4")));
    decimal.setFilterIfMissing(true);
    equal(Case.rows(table, new Scan().setFilter(decimal)), "d", "decimal");
  }

  /** A filter that only this program knows. */
  public static final class PrivateFilter extends FilterBase {
    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    @Override
    public ReturnCode filterCell(org.apache.hadoop.hbase.Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  private static void unknown(Case c) throws Exception {
    Table table = table(c);
    Throwable why = Case.refused(org.apache.hadoop.hbase.DoNotRetryIOException.class,
        () -> scan(table, new Scan().setFilter(new PrivateFilter())), "a scan with an unknown filter");
    check(why.getMessage().contains("PrivateFilter"), "the message names the filter: " + why.getMessage());
    Case.refused(org.apache.hadoop.hbase.DoNotRetryIOException.class,
        () -> table.get(new Get(b("row-1")).setFilter(new FilterList(new PageFilter(1), new PrivateFilter()))), "in a list");
    equal(scan(table, new Scan()), ALL, "the connection still works");
  }
}
