// Writes the words into which Apache Cassandra's own SASI analyzers divide each line of texts.txt:
//
//   java -cp '/path/to/cassandra-5.0.9/lib/*' RecordWords.java texts.txt words.txt
//
// A line of the output has five columns with a tab between them. The first is the words of the StandardAnalyzer in
// lower case, without stop words, stemmed, with a space between them. The others are hashes (64-bit FNV-1a) of the words
// that other options give; each word is followed by a byte 0:
//   no options; upper case and stop words; stems only; DelimiterAnalyzer with a space.
// The locale of a text is its first column. Cassandra's Finnish stemmer has the locale fl.
//
// `RecordWords.java --characters characters.txt` writes one hash for each 4,096 characters of Unicode: that of the words
// of 19 short texts around each of them.
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.index.sasi.analyzer.*;

public class RecordWords {
    static final String[] AROUND = {"c", "ac", "ca", "aca", "1c1", "カcカ", "_c_", "אcא", "cc", "漢c", "ひc", "กc", "가c",
                                    "1ca", "ac1", "acカ", "c1", "cカ", "א\"c"};
    static final long BASIS = 0xcbf29ce484222325L, PRIME = 0x100000001b3L;

    static List<byte[]> words(AbstractAnalyzer analyzer, Map<String, String> options, String text) {
        analyzer.init(options, UTF8Type.instance);
        analyzer.reset(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        List<byte[]> words = new ArrayList<>();
        while (analyzer.hasNext()) {
            ByteBuffer word = analyzer.next().duplicate();
            byte[] bytes = new byte[word.remaining()];
            word.get(bytes);
            if (bytes.length > 0) words.add(bytes); // A French H has an empty stem. No index has empty words.
        }
        return words;
    }

    static long hash(long hash, byte[] word) {
        for (byte b : word) hash = (hash ^ (b & 0xff)) * PRIME;
        return hash * PRIME;
    }

    static String hash(List<byte[]> words) {
        long hash = BASIS;
        for (byte[] word : words) hash = hash(hash, word);
        return Long.toHexString(hash);
    }

    static String standard(String locale, String text, String... names) {
        Map<String, String> options = new HashMap<>();
        options.put("tokenization_locale", locale.equals("fi") ? "fl" : locale);
        for (String name : names) options.put("tokenization_" + name, "true");
        return hash(words(new StandardAnalyzer(), options, text));
    }

    static void characters(PrintStream file) {
        for (int block = 0; block < 0x110000; block += 0x1000) {
            long hash = BASIS;
            for (int c = block; c < block + 0x1000; c++) {
                if (c == 0 || (c >= 0xD800 && c < 0xE000)) continue;
                for (String around : AROUND) {
                    StandardTokenizerImpl scanner = new StandardTokenizerImpl(
                            new StringReader(around.replace("c", new String(Character.toChars(c)))));
                    try {
                        while (scanner.getNextToken() != -1)
                            hash = hash(hash, scanner.getText().getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    hash = hash(hash, new byte[0]);
                }
            }
            file.println(Long.toHexString(hash));
        }
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream file = new PrintStream(new BufferedOutputStream(new FileOutputStream(arguments[1])), false, "UTF-8");
        if (arguments[0].equals("--characters")) {
            characters(file);
            file.close();
            return;
        }
        for (String line : Files.readAllLines(Path.of(arguments[0]), StandardCharsets.UTF_8)) {
            String locale = line.substring(0, line.indexOf('\t'));
            String text = line.substring(line.indexOf('\t') + 1);
            text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\");
            Map<String, String> options = new HashMap<>();
            options.put("tokenization_locale", locale.equals("fi") ? "fl" : locale);
            for (String name : new String[] {"normalize_lowercase", "skip_stop_words", "enable_stemming"})
                options.put("tokenization_" + name, "true");
            StringBuilder out = new StringBuilder();
            for (byte[] word : words(new StandardAnalyzer(), options, text))
                out.append(out.length() > 0 ? " " : "").append(new String(word, StandardCharsets.UTF_8));
            file.println(out + "\t" + standard(locale, text) + "\t"
                               + standard(locale, text, "normalize_uppercase", "skip_stop_words") + "\t"
                               + standard(locale, text, "enable_stemming") + "\t"
                               + hash(words(new DelimiterAnalyzer(), Map.of("delimiter", " "), text)));
        }
        file.close();
    }
}
