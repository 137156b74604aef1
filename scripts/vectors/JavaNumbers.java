import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes how Java prints numbers, one number a line. The fields of a line are separated by tabs: "d" (double) or "f" (float),
 * the bits in hex, the text. Cassandra runs on Java 11 or 17, so run this program with one of these versions.
 */
public class JavaNumbers
{
    static final Random random = new Random(17);

    public static void main(String[] arguments) throws Exception
    {
        try (PrintWriter out = new PrintWriter(Path.of(arguments[0], "java_numbers.txt").toFile(), StandardCharsets.UTF_8))
        {
            for (double d : doubles()) out.println("d\t" + Long.toHexString(Double.doubleToLongBits(d)) + "\t" + d);
            for (float f : floats()) out.println("f\t" + Integer.toHexString(Float.floatToIntBits(f)) + "\t" + f);
        }
    }

    static List<Double> doubles()
    {
        List<Double> out = new ArrayList<>(List.of(0.0, -0.0, 1.0, 0.1, 0.001, 9.999e-4, 1e7, 9999999.0, 1e23, 2e23, 8.41e21, 6.99e21,
            Double.MIN_VALUE, Double.MIN_NORMAL, 2.2250738585072011e-308, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY, 9.2233720347072922E18, 9.223372036854775807e18, -9.223372036854775808e18, 1.8446744073709552e19));
        for (int e = -1074; e < 1024; e += 23) out.add(Math.scalb(1.0, e));
        for (int i = 0; i < 200; i++)
        {
            out.add(Double.longBitsToDouble(random.nextLong()));
            out.add((double) random.nextLong());
            out.add(Math.rint(random.nextDouble() * 1e6) / 100);
            out.add(random.nextInt(1000) * Math.pow(10, random.nextInt(44) - 20));
            out.add((double) random.nextLong() / (1L << random.nextInt(63)));
        }
        return out;
    }

    static List<Float> floats()
    {
        List<Float> out = new ArrayList<>(List.of(0f, -0f, 1f, 0.1f, 1e-3f, 9.999e-4f, 1e7f, 9999999f, 16777216f, 33554432f, 1e10f,
            1.01927956E10f, Float.MIN_VALUE, 2.8e-45f, Float.MIN_NORMAL, Float.MAX_VALUE, Float.NaN, Float.POSITIVE_INFINITY));
        for (int e = -149; e < 128; e += 7) out.add(Math.scalb(1.0f, e));
        for (int i = 0; i < 200; i++)
        {
            out.add(Float.intBitsToFloat(random.nextInt()));
            out.add((float) random.nextLong());
            out.add((float) (random.nextInt(1000) * Math.pow(10, random.nextInt(20) - 10)));
        }
        return out;
    }
}
