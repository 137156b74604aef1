import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.apache.cassandra.cql3.FieldIdentifier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.marshal.*;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.Hex;
import org.apache.cassandra.utils.JsonUtils;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;

/** Writes what Cassandra does with values of every type. README.md names the files. Fields are separated by tabs. */
public class TypeVectors
{
    static final Random random = new Random(20240531);
    static Path directory;

    static final AbstractType<?>[] SCALARS = {
        AsciiType.instance, LongType.instance, BytesType.instance, BooleanType.instance, SimpleDateType.instance,
        DecimalType.instance, DoubleType.instance, DurationType.instance, FloatType.instance, InetAddressType.instance,
        Int32Type.instance, ShortType.instance, UTF8Type.instance, TimeType.instance, TimestampType.instance,
        TimeUUIDType.instance, ByteType.instance, UUIDType.instance, IntegerType.instance };

    public static void main(String[] arguments) throws Exception
    {
        directory = Path.of(arguments[0]);
        writeOrder();
        writeCompare();
        writeText();
        writeJson();
        writeValidate();
        writeTokens();
    }

    static PrintWriter open(String name) throws Exception
    {
        return new PrintWriter(directory.resolve(name).toFile(), StandardCharsets.UTF_8);
    }

    static ByteBuffer bytes(String hex) { return ByteBuffer.wrap(Hex.hexToBytes(hex)); }
    static String hex(ByteBuffer b) { return b == null ? "null" : ByteBufferUtil.bytesToHex(b); }
    static String name(AbstractType<?> type) { return type.asCQL3Type().toString(); }

    // ---- values

    static List<ByteBuffer> valuesOf(AbstractType<?> type)
    {
        List<ByteBuffer> out = new ArrayList<>();
        for (String s : fixedValues(type)) out.add(bytes(s));
        int size = type instanceof ShortType ? 2 : type instanceof ByteType ? 1 : type instanceof SimpleDateType ? 4
                 : type instanceof TimeType ? 8 : type.valueLengthIfFixed();
        for (int i = 0; i < 12; i++)
        {
            byte[] b = new byte[size > 0 ? size : random.nextInt(12)];
            random.nextBytes(b);
            if (type instanceof BooleanType) b[0] = (byte) (i & 1);
            if (type instanceof TimeUUIDType) b[6] = (byte) (b[6] & 0x0F | 0x10);
            if (type instanceof UUIDType) b[6] = (byte) (b[6] & 0x0F | (i % 5 + 1) << 4);
            if (type instanceof FloatType || type instanceof DoubleType)
                b = type instanceof FloatType ? FloatType.instance.decompose((float) random.nextGaussian()).array()
                                              : DoubleType.instance.decompose(random.nextGaussian()).array();
            if (type instanceof InetAddressType) { b = new byte[i % 2 == 0 ? 4 : 16]; random.nextBytes(b); b[1] = 0; }
            if (type instanceof AsciiType || type instanceof UTF8Type)
                for (int k = 0; k < b.length; k++) b[k] = (byte) (random.nextInt(3) == 0 ? 0 : b[k] & 0x7F);
            if (type instanceof BytesType)
                for (int k = 0; k < b.length; k++) if (random.nextInt(3) == 0) b[k] = 0;
            if (type instanceof DurationType)
                b = DurationType.instance.fromString((i % 2 == 0 ? "" : "-") + (i * i) + "mo" + i + "d" + random.nextInt(1000000) + "us").array();
            if (type instanceof IntegerType)
                b = new BigInteger(random.nextInt(i * 12 + 1), random).multiply(BigInteger.valueOf(i % 2 == 0 ? 1 : -1)).toByteArray();
            if (type instanceof DecimalType)
                b = decimal(new BigDecimal(new BigInteger(random.nextInt(i * 10 + 1), random).multiply(BigInteger.valueOf(i % 2 == 0 ? 1 : -1)), random.nextInt(30) - 15));
            out.add(ByteBuffer.wrap(b));
        }
        return out;
    }

    static byte[] decimal(BigDecimal value) { return ByteBufferUtil.getArray(DecimalType.instance.decompose(value)); }

    static String[] fixedValues(AbstractType<?> type)
    {
        if (type instanceof Int32Type) return new String[]{ "", "00000000", "00000001", "ffffffff", "7fffffff", "80000000" };
        if (type instanceof SimpleDateType) return new String[]{ "00000000", "7fffffff", "80000000", "ffffffff" };
        if (type instanceof ShortType) return new String[]{ "0000", "0001", "ffff", "7fff", "8000" };
        if (type instanceof ByteType) return new String[]{ "00", "01", "ff", "7f", "80" };
        if (type instanceof BooleanType) return new String[]{ "", "00", "01" };
        if (type instanceof TimestampType || type instanceof LongType)
            return new String[]{ "", "0000000000000000", "0000000000000001", "ffffffffffffffff", "7fffffffffffffff", "8000000000000000",
                                 "000000000000003f", "0000000000000040", "ffffffffffffffc0", "ffffffffffffffbf", "00000000000fffff",
                                 "0000000000100000", "fffffffffff00000", "007fffffffffffff", "0080000000000000", "ff80000000000000",
                                 "ff7fffffffffffff", "0001000000000000", "3fffffffffffffff", "4000000000000000" };
        if (type instanceof TimeType) return new String[]{ "0000000000000000", "00004e94914effff" };
        if (type instanceof FloatType) return new String[]{ "", "00000000", "80000000", "7f800000", "ff800000", "7fc00000", "00000001", "3f800000", "bf800000" };
        if (type instanceof DoubleType)
            return new String[]{ "", "0000000000000000", "8000000000000000", "7ff0000000000000", "fff0000000000000", "7ff8000000000000", "3ff0000000000000", "bff0000000000000" };
        if (type instanceof TimeUUIDType || type instanceof UUIDType)
            return new String[]{ "", "00000000000010000000000000000000", "ffffffffffff1fffffffffffffffffff", "a0eebc999c0b1ef87f6d6bb9bd380a11", "a0eebc999c0b1ef8806d6bb9bd380a11" };
        if (type instanceof InetAddressType) return new String[]{ "", "7f000001", "00000000000000000000000000000001" };
        if (type instanceof DurationType) return new String[]{ "000000", "020406" };
        if (type instanceof IntegerType)
            return new String[]{ "", "00", "000001", "ff", "00ff", "ff00", "ffffffffffffff", "7fffffffffff", "00ffffffffffff", "01000000000000",
                                 "ff000000000000", "feffffffffffff", "80000000000000", "7fffffffffffff", "0080000000000000000000", "ff7fffffffffffffffffff",
                                 "7f".repeat(134), "81".repeat(135), "55".repeat(300), "a5".repeat(16400) };
        if (type instanceof DecimalType)
            return new String[]{ "", "0000000000", "0000000500", "000000010a", "0000000264", "0000000001", "00000000ff", "000000037b", "0000000385", "8000000001",
                                 "7fffffff01", "80000000ff", "7fffffffff", "fffffffe01", "fffffff7ff", "000000009c", "0000000063", "0000000064", "00000002ff9c",
                                 "0000001403a0c92075c0dbf3b8acbc5f96ce3f0ad2", "00000014fc5f36df8a3f240c475343a06931c0f52e" };
        return new String[]{ "", "00", "0000", "4100", "410042", "41", "000041", "41420000000043", "7f" };
    }

    static UserType userType(boolean multiCell)
    {
        return new UserType("ks", bytes("74"), List.of(FieldIdentifier.forInternalString("a"), FieldIdentifier.forInternalString("B")),
                            List.of(Int32Type.instance, UTF8Type.instance), multiCell);
    }

    // Returns values of composite types. Tuples have no empty parts here: Cassandra encodes an empty part as it encodes null,
    // although its own comparator tells the two apart. Widerow encodes them differently.
    static List<Object[]> composites()
    {
        AbstractType<?> listInt = ListType.getInstance(Int32Type.instance, false);
        AbstractType<?> listText = ListType.getInstance(UTF8Type.instance, false);
        AbstractType<?> mapType = MapType.getInstance(Int32Type.instance, UTF8Type.instance, false);
        AbstractType<?> tuple = new TupleType(List.of(Int32Type.instance, UTF8Type.instance));
        AbstractType<?> nested = new TupleType(List.of(listText, IntegerType.instance, tuple));
        List<Object[]> out = new ArrayList<>();
        out.add(new Object[]{ listInt, "00000000", "000000010000000400000001", "00000002000000040000000100000004ffffffff", "0000000100000000", "000000020000000000000000" });
        out.add(new Object[]{ listText, "00000000", "000000010000000141", "0000000100000002410000000000".substring(0, 20), "00000002000000014100000000", "0000000100000000" });
        out.add(new Object[]{ SetType.getInstance(LongType.instance, false), "00000000", "00000001000000080000000000000001", "0000000200000008ffffffffffffffff000000080000000000000041" });
        out.add(new Object[]{ mapType, "00000000", "00000001000000040000000100000000", "0000000100000004000000010000000141", "000000020000000400000001000000014100000004000000020000000142" });
        out.add(new Object[]{ tuple, "", "0000000400000001", "0000000400000001ffffffff", "ffffffff0000000141", "ffffffff", "ffffffffffffffff", "00000004000000010000000141", "000000040000000100000000" });
        out.add(new Object[]{ userType(false), "", "0000000400000001", "0000000400000001ffffffff", "ffffffff0000000141", "00000004800000000000000141" });
        out.add(new Object[]{ nested, "", "000000040000000000000001ff", "000000090000000100000001410000000180", "ffffffffffffffff000000080000000400000007", "0000000400000000ffffffff000000080000000400000007" });
        out.add(new Object[]{ VectorType.getInstance(FloatType.instance, 2), "3f80000040000000", "bf80000000000000", "7fc0000080000000" });
        out.add(new Object[]{ VectorType.getInstance(UTF8Type.instance, 2), "01410142", "0000", "024100020042" });
        out.add(new Object[]{ VectorType.getInstance(ShortType.instance, 2), "020001020002", "02ffff028000" });
        out.add(new Object[]{ ListType.getInstance(VectorType.getInstance(Int32Type.instance, 2), false), "00000001000000080000000100000002" });
        out.add(new Object[]{ ListType.getInstance(DecimalType.instance, false), "00000001000000050000000264", "0000000200000005000000010a00000000" });
        return out;
    }

    // ---- order.txt: the fields are the columns "type [DESC], …", the values, and the encoding of the clustering key

    static void writeOrder() throws Exception
    {
        try (PrintWriter out = open("order.txt"))
        {
            for (AbstractType<?> type : SCALARS) writeOrderOf(out, type, valuesOf(type));
            for (Object[] composite : composites())
            {
                List<ByteBuffer> values = new ArrayList<>();
                for (int i = 1; i < composite.length; i++) values.add(bytes((String) composite[i]));
                writeOrderOf(out, (AbstractType<?>) composite[0], values);
            }
            for (int i = 0; i < 60; i++)
            {
                int size = 2 + random.nextInt(3);
                AbstractType<?>[] types = new AbstractType<?>[size];
                ByteBuffer[] values = new ByteBuffer[size];
                for (int k = 0; k < size; k++)
                {
                    AbstractType<?> type = SCALARS[random.nextInt(SCALARS.length)];
                    List<ByteBuffer> candidates = valuesOf(type);
                    do values[k] = candidates.get(random.nextInt(candidates.size())); while (values[k].remaining() > 100);
                    types[k] = random.nextBoolean() ? ReversedType.getInstance(type) : type;
                }
                writeClustering(out, types, values);
            }
        }
    }

    static void writeOrderOf(PrintWriter out, AbstractType<?> type, List<ByteBuffer> values)
    {
        List<ByteBuffer> all = new ArrayList<>(values);
        all.add(null);
        for (AbstractType<?> column : List.of(type, ReversedType.getInstance(type)))
            for (ByteBuffer value : all) writeClustering(out, new AbstractType<?>[]{ column }, new ByteBuffer[]{ value });
    }

    static void writeClustering(PrintWriter out, AbstractType<?>[] types, ByteBuffer[] values)
    {
        StringBuilder columns = new StringBuilder(), texts = new StringBuilder();
        for (int i = 0; i < types.length; i++)
        {
            columns.append(i > 0 ? ";" : "").append(name(types[i].unwrap())).append(types[i].isReversed() ? " DESC" : "");
            texts.append(i > 0 ? ";" : "").append(hex(values[i]));
        }
        ByteComparable comparable = new ClusteringComparator(List.of(types)).asByteComparable(Clustering.make(values));
        byte[] encoded = ByteSourceInverse.readBytes(comparable.asComparableBytes(ByteComparable.Version.OSS50));
        out.println(columns + "\t" + texts + "\t" + Hex.bytesToHex(encoded));
    }

    // ---- compare.txt: the fields are the type, a, b, and the sign of the comparison of a with b

    static void writeCompare() throws Exception
    {
        try (PrintWriter out = open("compare.txt"))
        {
            for (AbstractType<?> type : SCALARS)
            {
                List<ByteBuffer> values = valuesOf(type);
                values.removeIf(v -> v.remaining() > 40);
                if (type instanceof FloatType) { values.add(bytes("ffc00000")); values.add(bytes("7fc00001")); }
                if (type instanceof BooleanType) values.add(bytes("02"));
                if (type instanceof UUIDType) { values.add(bytes("00000000000040000000000000000000")); values.add(bytes("ffffffffffff4fffffffffffffffffff")); }
                for (int i = 0; i < 60; i++)
                    writeComparison(out, type, values.get(random.nextInt(values.size())), values.get(random.nextInt(values.size())));
            }
            for (Object[] composite : composites())
                for (int i = 1; i < composite.length; i++)
                    for (int k = 1; k < composite.length; k++)
                        writeComparison(out, (AbstractType<?>) composite[0], bytes((String) composite[i]), bytes((String) composite[k]));
            AbstractType<?> tuple = new TupleType(List.of(Int32Type.instance, UTF8Type.instance));
            writeComparison(out, tuple, bytes("ffffffff"), bytes("00000000"));
            writeComparison(out, tuple, bytes("00000000"), bytes("0000000480000000"));
        }
    }

    static void writeComparison(PrintWriter out, AbstractType<?> type, ByteBuffer a, ByteBuffer b)
    {
        out.println(name(type) + "\t" + hex(a) + "\t" + hex(b) + "\t" + Integer.signum(type.compare(a, b)));
    }

    // ---- text.txt: the fields are the type, the text, the bytes or !message, the CQL literal, and the JSON

    static void writeText() throws Exception
    {
        try (PrintWriter out = open("text.txt"))
        {
            texts(out, Int32Type.instance, "", "1", "+1", "-1", " 1", "1 ", "2147483647", "-2147483648", "2147483648", "0x10", "1.0", "abc", "+-1", "--1", "+", "007");
            texts(out, LongType.instance, "", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "x");
            texts(out, ShortType.instance, "1", "32767", "32768", "-32768", "-32769", "x");
            texts(out, ByteType.instance, "1", "127", "128", "-128", "-129");
            texts(out, FloatType.instance, "", "1", "1.5", "NaN", "nan", "Infinity", "-Infinity", "1e10", "0x1p3", "0x1.8p1f", "0x1", "1f", "1d", " 1.5 ", "abc", "1e40", "-1e40", "1e-50",
                  "3.4028235e38", "1.5E-38", "123456.789", "1.0E7", "1e-3", "9999999", "16777217", "1e99999999999", "1e-99999999999", "0e99999999999");
            texts(out, DoubleType.instance, "", "1", "1e400", "-0.0", "abc", "0.1", "1e21", "1e7", "12345678.9", "1e-3", "9.999e-4", "Infinity", "NaN", "-NaN", "+NaN", "inf", ".5", "5.",
                  "1e", "1_0", ".", "", "-", "1e+", "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072014E-308", "9007199254740993", "0.30000000000000004", "100", "1234567", "123456789012");
            texts(out, BooleanType.instance, "true", "TRUE", "False", "", "1", "yes", " true");
            texts(out, UUIDType.instance, "", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "x", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1",
                  "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g", "a0eebc999c0b4ef8bb6d6bb9bd380a11");
            texts(out, TimeUUIDType.instance, "", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-1ef8-bb6d-6bb9bd380a11", "x");
            texts(out, InetAddressType.instance, "", "127.0.0.1", "::1", "::", "1.2.3", "1.2", "1", "2001:db8::ff00:42:8329", "::ffff:1.2.3.4", "[::1]", "1:2:3:4:5:6:7:8", "1::8",
                  "1:0:0:2::3", "2001:DB8:0:0:1:0:0:1", "x y", "01.2.3.4", "::1.2.3.4", "255.255.255.255", "0.0.0.0", "1.2.65535");
            texts(out, BytesType.instance, "", "00ff", "00FF", "abc", "zz");
            texts(out, AsciiType.instance, "abc", "\u00e9", "it's", "", "\ud83d\ude00");
            texts(out, UTF8Type.instance, "abc", "\u00e9", "it's", "", "a\"b\\c\u0001\u007f\ud83d\ude00", "null", "''");
            texts(out, IntegerType.instance, "", "1", "+1", "-1", "-", "+-1", "12345678901234567890123456789", "-12345678901234567890123456789", "00012", "1.0", "-0", "1e5", "128", "-128",
                  "-129", "255", "256", "-32768", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "1" + "0".repeat(60),
                  "340282366920938463463374607431768211455", "-340282366920938463463374607431768211456", "-170141183460469231731687303715884105728");
            texts(out, DecimalType.instance, "", "1", "1.0", "+1.50", "-0.00", "1e5", "1E-5", "1.", ".5", ".", "e5", "1e", "1e+5", "1e99999999999", "1e2147483647", "1e2147483648",
                  "1e-2147483647", "1e-2147483648", "0e10", "0E-10", "123.456e3", "0.000001", "0.0000001", "12345678901234567890.12345678901234567890", "-0.5", "-123.45E-20", "100",
                  "1e0", "1e00000000000005", " 1", "1 ", "1,5", "0x1", "NaN", "--1", "1.2.3", "-1234567890123456789012345678901234567890e-5");
            timestampTexts(out);
            texts(out, SimpleDateType.instance, "", "2013-01-01", "1970-01-01", "1969-12-31", "0000-01-01", "-5877641-06-23", "5881580-07-11", "+5881580-07-11", "-5877641-06-22", "+5881580-07-12",
                  "0", "2147483648", "4294967295", "4294967296", "-1", "2013-1-1", "2013-02-30", "2013-02-29", "2012-02-29", "1900-02-29", "2000-02-29", "2013-13-01", "2013-00-01", "2013-01-00",
                  "x", "+2013-01-01", "2013-01-01 ", "20130101", "12345-01-01", "+12345-01-01", "999999999-01-01", "+999999999-01-01", "-0001-01-01", "-0000-01-01", "13-01-01", "99999999999999999999");
            texts(out, TimeType.instance, "", "0", "86399999999999", "86400000000000", "-1", "08:12:54", "08:12:54.1", "08:12:54.123456789", "08:12:54.1234567891", "8:1:2", "08:12", "24:00:00",
                  "23:60:00", "23:59:60", "08:12:54.", "x", "08:12:5x", "-1:00:00", "008:12:54", "08:12:054", "08:12:54.12a", " 08:12:54", "1:2:3.4", "00:00:00", ":12:54", "08::54");
            texts(out, DurationType.instance, "1y2mo3d", "1Y", "1w", "1d12h", "1h1m1s1ms1us1ns", "1\u00b5s", "-1mo", "P1Y2M3DT4H5M6S", "P1W", "P0001-02-03T04:05:06", "-P1Y", "1x", "1y1y", "1d1y",
                  "1", "12h30", "1mo1m", "9999999999y", "2147483647mo", "2147483648mo", "178956971y", "1m30s", " 1d", "1d ", "1.5d", "10675199d", "9223372036854775807ns", "PT1H", "P1YT", "-1h",
                  "1h-1m", "1MO", "1MS", "P1y", "p1Y", "89h4m48s", "14mo", "90s", "3600s", "25h", "100000000000000h", "-2mo", "86400000000000ns", "1000us", "1W2D", "106751d1h", "2147483648d",
                  "2147483647d", "1d2w", "P1M1Y", "P1H", "PT1D", "P0001-02-03", "PxW", "-", "--1d", "1s1m", "-1y2mo3d4h5m6s7ms8us9ns");
        }
    }

    static void timestampTexts(PrintWriter out)
    {
        texts(out, TimestampType.instance, "", "0", "-1", "1356998400000", "123456789012345678901", "2013-01-01", "2013-01-01 05:00", "2013-01-01 05:00:00", "2013-01-01 05:00:00.1",
              "2013-01-01 05:00:00.12", "2013-01-01 05:00:00.123", "2013-01-01 05:00:00.1234", "2013-01-01 05:00:00.123456", "2013-01-01 05:00:00.123456789", "2013-01-01 05:00:00.1234567891",
              "2013-01-01T05:00", "2013-01-01T05:00:00", "2013-01-01T05:00:00.123", "2013-01-01 05:00+0000", "2013-01-01 05:00:00+0000", "2013-01-01 05:00:00.123+0000", "2013-01-01T05:00:00Z",
              "2013-01-01T05:00:00.123Z", "2013-01-01T05:00:00+01:00", "2013-01-01T05:00:00+01", "2013-01-01 05:00:00 +0100", "2013-01-01 05:00:00 GMT", "2013-01-01 05:00:00 UTC",
              "2013-01-01 05:00:00 Z", "2013-01-01 05:00:00z", "2013-01-01t05:00:00", "2013-1-1", "2013-01-1", "2013-1-1 5:0", "2013-1-1 5:0:0", "2013-13-01", "2013-13-01 05:00", "2013-02-30",
              "2013-02-30 05:00", "2013-02-32", "2013-00-10", "2013-01-00", "2013-01-01 24:00", "2013-01-01 24:00:01", "2013-01-01 25:00", "2013-01-01 05:60", "2013-01-01 05:00:60",
              "2013-01-01+0100", "2013-01-01 +0100", "2013-01-01Z", "2013-01-01 UTC", "0001-01-01", "10000-01-01", "1-1-1 1:1", "0-1-1 1:1", "-1-1-1 1:1", "+2013-01-01", "+2013-01-01 00:00",
              "2013-01-01 05:00:00.000000+0000", "2013-01-01 05", "20130101", "2013/01/01", "2013-01-01  05:00", "2013-01-01 05:00:00-0800", "2013-01-01 05:00:00+1", "2013-01-01 05:00:00+2500",
              "2013-01-01 05:00:00+1800", "2013-01-01 05:00:00.", "2013-01-01T05:00Z", "2013-01-01T05:00:00 Z", "1970-01-01 00:00:00.001", "1969-12-31 23:59:59.999+0000", " 2013-01-01",
              "2013-01-01 ", "2013-01-01 05:00:00+00:00", "2013-01-01 05:00:00.12+00:00", "1582-10-10", "1500-02-29", "1900-02-29", "2000-02-29", "2013-01-01T", "2013-01-01 05:00:00+01:0",
              "2013-01-01 05:00:00+0160", "2013-01-01 05:00:00-01:30", "x", "2013-01-01T05:00:00.123456789-03:30");
    }

    static void texts(PrintWriter out, AbstractType<?> type, String... all)
    {
        for (String text : all)
        {
            String answer, literal = "", json = "";
            try
            {
                ByteBuffer value = type.fromString(text);
                answer = hex(value);
                literal = type.asCQL3Type().toCQLLiteral(value);
                json = type.toJSONString(value, ProtocolVersion.V5);
            }
            catch (Exception e)
            {
                answer = "!" + e.getMessage();
            }
            out.println(name(type) + "\t" + text + "\t" + answer + "\t" + literal + "\t" + json);
        }
    }

    // ---- json.txt: the fields are the type, the JSON, the bytes or !message, the JSON written again, and the CQL literal

    static void writeJson() throws Exception
    {
        try (PrintWriter out = open("json.txt"))
        {
            jsons(out, Int32Type.instance, "1", "\"1\"", "1.0", "2147483648", "99999999999999999999", "true", "[1]", "{\"a\":1}", "\"\"", "\"x\"", "-0");
            jsons(out, LongType.instance, "1", "9223372036854775807", "9223372036854775808", "1.5", "\"5\"", "true");
            jsons(out, ShortType.instance, "1", "32768", "1.5", "\"70000\"", "true");
            jsons(out, ByteType.instance, "1", "128", "1.5", "\"128\"", "true");
            jsons(out, FloatType.instance, "1", "1.5", "\"x\"", "true", "\"\"", "0.1");
            jsons(out, DoubleType.instance, "1", "1.5", "[1]", "true", "12345678901234567890123", "0.001", "1e-7");
            jsons(out, BooleanType.instance, "true", "\"true\"", "1", "\"x\"");
            jsons(out, UTF8Type.instance, "\"a\"", "1", "[1, \"b\"]", "\"\\u00e9\\ud83d\\ude00\\u0001\\\"\"");
            jsons(out, AsciiType.instance, "\"a\"", "\"\u00e9\"", "1.0");
            jsons(out, BytesType.instance, "\"0x00ff\"", "\"00ff\"", "\"0xzz\"", "\"0x\"");
            jsons(out, UUIDType.instance, "\"x\"", "1", "\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"");
            jsons(out, TimeUUIDType.instance, "\"x\"", "1");
            jsons(out, InetAddressType.instance, "\"127.0.0.1\"", "1", "\"x y\"", "\"::1\"");
            jsons(out, IntegerType.instance, "1", "\"123456789012345678901234567890\"", "123456789012345678901234567890", "1.5", "true", "\"x\"");
            jsons(out, DecimalType.instance, "1", "\"1.50\"", "true", "\"x\"", "0.5");
            jsons(out, TimestampType.instance, "\"2013-01-01\"", "1.5", "true", "99999999999999999999", "1356998400000");
            jsons(out, SimpleDateType.instance, "\"2013-01-01\"", "1");
            jsons(out, TimeType.instance, "\"08:12:54\"", "1");
            jsons(out, DurationType.instance, "\"1d\"", "1");
            AbstractType<?> listInt = ListType.getInstance(Int32Type.instance, false), listText = ListType.getInstance(UTF8Type.instance, false);
            jsons(out, listInt, "[1,2]", "[]", "\"[1,2]\"", "[null]", "1", "{}", "[1,\"x\"]");
            jsons(out, SetType.getInstance(Int32Type.instance, false), "[2,1,2]", "1", "[null]");
            jsons(out, MapType.getInstance(UTF8Type.instance, Int32Type.instance, false), "{\"b\":1,\"a\":2}", "[1]", "{\"a\":null}", "{}", "1", "{\"a\":\"x\"}");
            jsons(out, MapType.getInstance(Int32Type.instance, listInt, false), "{\"2\":[1],\"1\":[]}", "{\"x\":[]}");
            jsons(out, MapType.getInstance(listText, Int32Type.instance, false), "{\"[\\\"a\\\"]\":1}");
            jsons(out, MapType.getInstance(TimestampType.instance, Int32Type.instance, false), "{\"2013-01-01\":1}");
            jsons(out, new TupleType(List.of(Int32Type.instance, UTF8Type.instance)), "[1,\"a\"]", "[1]", "[1,\"a\",2]", "[null,\"a\"]", "{}", "1");
            jsons(out, userType(false), "{\"a\":1}", "{\"A\":1}", "{\"\\\"B\\\"\":\"x\"}", "{\"b\":\"x\"}", "{\"c\":1}", "[1]", "{\"a\":null}");
            jsons(out, VectorType.getInstance(FloatType.instance, 2), "[1,2.5]", "[1]", "[1,null]", "1", "{}");
            jsons(out, VectorType.getInstance(UTF8Type.instance, 2), "[\"a\",\"\"]");
        }
    }

    static void jsons(PrintWriter out, AbstractType<?> type, String... all)
    {
        for (String json : all)
        {
            String answer, again = "", literal = "";
            try
            {
                ByteBuffer value = type.fromJSONObject(JsonUtils.decodeJson(json)).bindAndGet(QueryOptions.DEFAULT);
                answer = hex(value);
                again = type.toJSONString(value, ProtocolVersion.V5);
                literal = type.asCQL3Type().toCQLLiteral(value);
            }
            catch (Exception e)
            {
                answer = "!" + e.getMessage();
            }
            out.println(name(type) + "\t" + json + "\t" + answer + "\t" + again + "\t" + literal);
        }
    }

    // ---- validate.txt: the fields are the type, the bytes, and "ok" or the message

    static void writeValidate() throws Exception
    {
        try (PrintWriter out = open("validate.txt"))
        {
            String[] common = { "", "00", "0000", "000000", "00000000", "0000000000", "0000000000000000", "000000000000000000", "00000000000000000000000000000000", "ff" };
            for (AbstractType<?> type : SCALARS) validations(out, type, common);
            validations(out, AsciiType.instance, "80", "417f");
            validations(out, UTF8Type.instance, "c080", "c081", "c1bf", "c241", "c2", "c3a9", "eda080", "e08080", "e0a080", "f5808080", "f7bfbfbf", "f8888080", "f0808080", "f0908080", "f4908080",
                        "80", "f09080", "e282", "41414141414141c3a94141414141414180");
            validations(out, DurationType.instance, "020406", "020306", "010406", "f08000000000000000", "f1ffffffff0000", "020406ff", "00f1ffffffff00", "000002");
            validations(out, TimeUUIDType.instance, "00000000000040000000000000000000", "b1000000000040000000000000000000", "00000000000010000000000000000000");
            validations(out, TimeType.instance, "7fffffffffffffff", "ffffffffffffffff");
            validations(out, ListType.getInstance(Int32Type.instance, false), "", "00", "00000000", "00000001", "0000000100000004", "000000010000000400000001", "00000001000000040000000100",
                        "00000001ffffffff", "00000001000000020001", "7fffffff");
            validations(out, SetType.getInstance(Int32Type.instance, false), "", "00", "0000000000", "00000001ffffffff", "0000000200000004000000020000000400000001");
            validations(out, MapType.getInstance(Int32Type.instance, UTF8Type.instance, false), "", "00", "0000000000", "00000001", "00000001000000040000000100000000",
                        "00000001000000040000000100000001", "000000010000000400000001ffffffff", "000000010000000400000001000000018f");
            validations(out, new TupleType(List.of(Int32Type.instance, UTF8Type.instance)), "", "00", "00000004", "0000000400000001", "00000004000000010000", "000000040000000100000001",
                        "000000040000000100000001410000", "00000002ffff", "fffffffe");
            validations(out, userType(false), "", "00", "00000004", "0000000400000001", "00000004000000010000", "000000040000000100000001", "000000040000000100000001410000", "00000002ffff",
                        "0000000400000001ffffffffffffffff");
            validations(out, VectorType.getInstance(FloatType.instance, 2), "", "00", "0000000000000000", "000000000000000000", "00000000");
            validations(out, VectorType.getInstance(UTF8Type.instance, 2), "", "00", "0000", "000000", "0141", "02410080".substring(0, 6) + "00");
            validations(out, VectorType.getInstance(ShortType.instance, 2), "020001020002", "02000103000200", "0200010100");
        }
    }

    static void validations(PrintWriter out, AbstractType<?> type, String... all)
    {
        for (String value : all)
        {
            String answer = "ok";
            try
            {
                type.validate(bytes(value));
            }
            catch (Exception e)
            {
                answer = e.getMessage();
            }
            out.println(name(type) + "\t" + value + "\t" + answer);
        }
    }

    // ---- token.txt: the fields are the serialized partition key and its token

    static void writeTokens() throws Exception
    {
        try (PrintWriter out = open("token.txt"))
        {
            List<ByteBuffer> keys = new ArrayList<>();
            for (int length = 0; length <= 65; length++)
                for (int i = 0; i < 3; i++)
                {
                    byte[] key = new byte[length];
                    random.nextBytes(key);
                    if (i == 1) for (int k = 0; k < length; k++) key[k] |= (byte) 0x80;
                    keys.add(ByteBuffer.wrap(key));
                }
            for (long token : new long[]{ Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE })
                keys.add(Murmur3Partitioner.LongToken.keyForToken(token));
            keys.add(CompositeType.getInstance(Int32Type.instance, UTF8Type.instance).decompose(7, "abc"));
            for (ByteBuffer key : keys) out.println(hex(key) + "\t" + Murmur3Partitioner.instance.getToken(key).getTokenValue());
        }
    }
}
