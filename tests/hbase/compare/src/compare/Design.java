package compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A random table: its families, and the few rows, qualifiers, values and timestamps that the operations on it use, so
 * that they meet the same cells again and again.
 */
final class Design {
  /** The timestamps that the operations give. With NUMBERS, all values are numbers, too. */
  enum Kind { SMALL, WIDE, TTL, SERVER, NUMBERS }

  record Family(byte[] name, int versions, int minVersions, int ttlHours) {
    String text() {
      return Shown.bytes(name) + " VERSIONS " + versions + (minVersions > 0 ? " MIN_VERSIONS " + minVersions : "")
          + (ttlHours > 0 ? " TTL " + ttlHours + " h" : "");
    }
  }

  private static final String[] ROWS = {"a", "aa", "ab", "abc", "b", "b\\x00", "ba", "row-1", "row-2", "row-10", "\\x00", "\\xFF",
      "\\xFF\\xFF", "k\\x7F\\x80", "0", "z"};
  private static final String[] QUALIFIERS = {"", "a", "ab", "abc", "b", "c1", "c2", "c10", "\\x00", "\\xFF", "Z", "long-qualifier"};
  private static final String[] VALUES = {"", "v", "v1", "v2", "value", "VALUE", "10", "9", "\\x00", "\\xFF\\xFE", "a.b", "line\\x0Aend",
      "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05", "\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF", "caf\\xC3\\xA9"};
  private static final long[] WIDE_TIMES = {0, 1, 2, 999, 1000, 1001, 1_000_000, 4_000_000_000L, 999_999_999_999L, 1L << 50,
      9_000_000_000_000_000L, Long.MAX_VALUE / 1000 - 1, Long.MAX_VALUE / 1000, Long.MAX_VALUE / 1000 + 1, 1L << 61, 1L << 62,
      Long.MAX_VALUE - 1000};

  final Kind kind;
  final List<Family> families = new ArrayList<>();
  final List<byte[]> rows = new ArrayList<>();
  final List<byte[]> qualifiers = new ArrayList<>();
  private final Random random;

  Design(Random random) {
    this.random = random;
    kind = Kind.values()[random.nextInt(Kind.values().length)];
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      families.add(family("f" + (i == 0 ? "" : i)));
    }
    int rowCount = 3 + random.nextInt(8);
    int qualifierCount = 1 + random.nextInt(7);
    for (int i = 0; i < rowCount; i++) {
      rows.add(Bytes.toBytesBinary(ROWS[random.nextInt(ROWS.length)]));
    }
    for (int i = 0; i < qualifierCount; i++) {
      qualifiers.add(Bytes.toBytesBinary(QUALIFIERS[random.nextInt(QUALIFIERS.length)]));
    }
  }

  Family family(String name) {
    int[] versions = {1, 1, 2, 3, 5, Integer.MAX_VALUE};
    int version = versions[random.nextInt(versions.length)];
    boolean expires = kind == Kind.TTL && random.nextInt(4) > 0;
    int minVersions = expires && random.nextInt(2) == 0 ? Math.min(version, 1 + random.nextInt(3)) : 0;
    return new Family(Bytes.toBytes(name), version, minVersions, expires ? 24 : 0);
  }

  static TableDescriptor descriptor(TableName name, List<Family> families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    families.forEach(family -> builder.setColumnFamily(descriptor(family)));
    return builder.build();
  }

  static ColumnFamilyDescriptor descriptor(Family family) {
    ColumnFamilyDescriptorBuilder builder = ColumnFamilyDescriptorBuilder.newBuilder(family.name())
        .setMaxVersions(family.versions()).setMinVersions(family.minVersions());
    if (family.ttlHours() > 0) {
      builder.setTimeToLive(family.ttlHours() * 3600);
    }
    return builder.build();
  }

  byte[] row() {
    return any(rows);
  }

  byte[] family() {
    return any(families).name();
  }

  byte[] qualifier() {
    return random.nextInt(8) == 0 ? counter() : any(qualifiers);
  }

  /** A qualifier for values of all kinds. */
  byte[] putQualifier() {
    return any(qualifiers);
  }

  /** A qualifier that only Increment writes, so that its value is a number. */
  byte[] counter() {
    return new byte[] {(byte) ('m' + random.nextInt(2))};
  }

  byte[] value() {
    if (kind == Kind.NUMBERS) {
      return Bytes.toBytes((long) random.nextInt(21) - 10);
    }
    return random.nextInt(6) == 0 ? Bytes.toBytes((long) random.nextInt(100)) : Bytes.toBytesBinary(VALUES[random.nextInt(VALUES.length)]);
  }

  /** A timestamp, or Long.MAX_VALUE: the server chooses. */
  long time() {
    return switch (kind) {
      case SMALL, NUMBERS -> 1 + random.nextInt(12);
      case WIDE -> WIDE_TIMES[random.nextInt(WIDE_TIMES.length)];
      // Half of the times are expired by a TTL of a day. None is near the bound.
      case TTL -> Shown.BASE - (1 + random.nextInt(46)) * Shown.HOUR_MS - Shown.HOUR_MS / 2;
      case SERVER -> random.nextInt(3) == 0 ? 1 + random.nextInt(12) : Long.MAX_VALUE;
    };
  }

  /** A timestamp that the server does not choose. */
  long givenTime() {
    long time = time();
    return time == Long.MAX_VALUE ? 1 + random.nextInt(12) : time;
  }

  /** A row key that is perhaps not in the table: a bound of a range. */
  byte[] bound() {
    byte[] row = random.nextInt(3) == 0 ? Bytes.toBytesBinary(ROWS[random.nextInt(ROWS.length)]) : row();
    return switch (random.nextInt(4)) {
      case 0 -> Bytes.add(row, new byte[] {0});
      case 1 -> Bytes.copy(row, 0, 1 + random.nextInt(row.length));
      default -> row;
    };
  }

  static byte[] copyWith(byte[] bytes, byte last) {
    return Bytes.add(bytes, new byte[] {last});
  }

  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  String text() {
    StringBuilder text = new StringBuilder(kind.name());
    families.forEach(family -> text.append("; ").append(family.text()));
    return text.toString();
  }
}
