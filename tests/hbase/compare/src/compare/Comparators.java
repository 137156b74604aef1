package compare;

import java.math.BigDecimal;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.util.Bytes;

/** Random comparators, each with its text. */
final class Comparators {
  record Made(ByteArrayComparable comparator, String text) {}

  private static final String[] PATTERNS = {"a", "^a", "a$", "^.$", "^[a-c]+$", "row-\\d+", "v.*", "(?i)VALUE", "^(v1|v2)$", "^$", "\\d{1,2}",
      "a(?=b)", "(.)\\1", "\\bv\\b", "[^a-z]", "(?s)line.end", "line.end", "^\\w+$", "(?:ab)+c?", "x*+", "\\x00", "\\p{Alpha}{2,}"};
  private static final String[] SUBSTRINGS = {"a", "A", "ab", "value", "VAL", "row", "-1", "1"};

  private Comparators() {}

  static CompareOperator operator(Random random) {
    CompareOperator[] all = CompareOperator.values();
    return all[random.nextInt(all.length)];
  }

  /** An operator other than NO_OP, which HBase cannot do with some requests. */
  static CompareOperator comparing(Random random) {
    CompareOperator operator = operator(random);
    return operator == CompareOperator.NO_OP ? CompareOperator.EQUAL : operator;
  }

  /** A comparator for bytes like {@code like}. Numbers are compared only in tables that have numbers as all values. */
  static Made any(Random random, byte[] like, boolean numbers) {
    if (numbers && random.nextInt(2) == 0) {
      long number = random.nextInt(21) - 10;
      return random.nextInt(3) > 0 ? new Made(new LongComparator(number), "long " + number)
          : new Made(new BigDecimalComparator(BigDecimal.valueOf(number)), "decimal " + number);
    }
    byte[] bytes = random.nextInt(3) == 0 ? Bytes.copy(like, 0, random.nextInt(like.length + 1)) : like;
    String shown = Shown.bytes(bytes);
    switch (random.nextInt(9)) {
      case 0, 1:
        return new Made(new BinaryComparator(bytes), "binary " + shown);
      case 2, 3:
        return new Made(new BinaryPrefixComparator(bytes), "prefix " + shown);
      case 4: {
        BitComparator.BitwiseOp[] all = BitComparator.BitwiseOp.values();
        BitComparator.BitwiseOp op = all[random.nextInt(all.length)];
        return new Made(new BitComparator(bytes, op), "bit " + op + " " + shown);
      }
      case 5:
        return new Made(new NullComparator(), "null");
      case 6: {
        String pattern = PATTERNS[random.nextInt(PATTERNS.length)];
        return new Made(new RegexStringComparator(pattern), "regex " + pattern);
      }
      case 7: {
        String part = SUBSTRINGS[random.nextInt(SUBSTRINGS.length)];
        return new Made(new SubstringComparator(part), "substring " + part);
      }
      default:
        return new Made(new BinaryComparator(like), "binary " + Shown.bytes(like));
    }
  }

  /** A part of the bytes, from an offset that all rows have. */
  static Made component(Random random, byte[] like) {
    byte[] part = Bytes.copy(like, 0, Math.min(1, like.length));
    return new Made(new BinaryComponentComparator(part, 0), "component 0 " + Shown.bytes(part));
  }
}
