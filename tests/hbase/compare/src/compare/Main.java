package compare;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs random operations on HBase and Widerow and compares all answers, or compares Widerow with HBase's recorded answers.
 * README.md describes the commands.
 */
public final class Main {
  private static final int OPERATIONS_OF_TABLE = 250;
  private static final int DIGITS = 8;
  private static final String NOT_COMPARED = "-".repeat(DIGITS);

  private final Map<String, String> options = new HashMap<>(Map.of("seed", "1", "operations", "10000", "shrink", "5"));
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Integer> filterCounts = new TreeMap<>();
  private int differences;
  private int compared;
  private int failed;
  private int deletedCells;
  private final Map<String, String> known = new TreeMap<>();

  public static void main(String[] arguments) throws Exception {
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));  // The client prints each refusal of a scan there.
    int status = 2;
    try {
      status = new Main().run(List.of(arguments));
    } catch (IllegalArgumentException | IOException e) {
      System.out.println(e);
    }
    System.out.flush();
    System.exit(status);
  }

  private int run(List<String> arguments) throws Exception {
    List<String> words = new ArrayList<>();
    for (String argument : arguments) {
      if (!argument.startsWith("--")) {
        words.add(argument);
        continue;
      }
      String[] parts = argument.substring(2).split("=", 2);
      if (parts.length != 2 || !options.containsKey(parts[0])) {
        throw new IllegalArgumentException(argument + ": not one of " + options.keySet() + ", as --NAME=VALUE");
      }
      options.put(parts[0], parts[1]);
    }
    return switch (words.get(0)) {
      case "compare" -> compare(words.get(1), words.get(2));
      case "record" -> record(words.get(1), Path.of(words.get(2)));
      case "replay" -> replay(words.get(1), Path.of(words.get(2)));
      case "show" -> show(words.get(1));
      default -> throw new IllegalArgumentException(words.get(0) + ": not compare, record, replay or show");
    };
  }

  private long option(String name) {
    return Long.parseLong(options.get(name));
  }

  private int tables() {
    return (int) ((option("operations") + OPERATIONS_OF_TABLE - 1) / OPERATIONS_OF_TABLE);
  }

  private int compare(String hbase, String widerow) throws Exception {
    try (Target one = new Target("HBase", hbase); Target other = new Target("Widerow", widerow)) {
      for (int i = 0; compared + failed < option("operations"); i++) {
        compareTable(one, other, option("seed") + i);
      }
    }
    printCounts();
    System.out.println(compared + " answers compared, " + differences + " differ; " + failed + " failed inside HBase; " + deletedCells
        + " differed until HBase had removed deleted cells");
    return differences == 0 && compared + failed >= option("operations") && failed * 100 < compared ? 0 : 1;
  }

  private void compareTable(Target one, Target other, long seed) throws IOException {
    Plan plan = new Plan(seed, OPERATIONS_OF_TABLE, filterCounts);
    for (Target target : List.of(one, other)) {
      target.use("compare_" + seed + "_" + target.name);
      target.drop();
    }
    List<Step> steps = plan.steps();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      counts.merge(step.kind(), 1, Integer::sum);
      List<String> answer = one.answer(step);
      List<String> otherAnswer = other.answer(step);
      if (failed(answer)) {
        ++failed;
        continue;
      }
      ++compared;
      if (answer.equals(otherAnswer)) {
        continue;
      }
      List<String> compactedAnswer = step.writes() ? answer : one.answerAfterCompaction(step);
      // A compaction also forgets old versions. So the other answer may have some of the cells that are gone now.
      if (!step.writes() && answer.containsAll(otherAnswer) && otherAnswer.containsAll(compactedAnswer)) {
        ++deletedCells;
        System.out.println("seed " + seed + ", operation " + i + " differed until HBase had removed deleted cells: " + step.text());
        break;  // HBase's table has changed.
      }
      ++differences;
      System.out.println("\nDIFFERENCE " + differences + ": seed " + seed + ", operation " + i + ": " + step.text());
      print("HBase", answer);
      if (!compactedAnswer.equals(answer)) {
        print("HBase, after it has removed deleted cells", compactedAnswer);
      }
      print("Widerow", otherAnswer);
      boolean inMiddle = i >= plan.first.size() && i <= plan.first.size() + plan.middle.size();
      if (inMiddle && differences <= option("shrink")) {
        showFewest(one, other, plan, steps.subList(plan.first.size(), i), step);
      }
      break;  // The tables are no longer alike: HBase has compacted its own, or the step has written.
    }
    one.drop();
    other.drop();
  }

  /** True if HBase failed with an internal error. Such an answer is not compared. */
  private static boolean failed(List<String> answer) {
    String last = answer.isEmpty() ? "" : answer.get(answer.size() - 1);
    return last.endsWith(" of IOException") || last.endsWith(" of [IOException]") || last.endsWith("TimeoutException");
  }

  private static void print(String title, List<String> lines) {
    System.out.println("  " + title + ":");
    lines.forEach(line -> System.out.println("    " + line));
    System.out.flush();
  }

  private void showFewest(Target one, Target other, Plan plan, List<Step> before, Step step) throws IOException {
    List<Step> fewest = new Shrink(one, other, plan.first).shrink(before, step);
    if (fewest == null) {
      System.out.println("  the same steps on new tables give no difference. The last writes:");
      List<Step> writes = before.stream().filter(Step::writes).toList();
      writes.subList(Math.max(0, writes.size() - 10), writes.size()).forEach(write -> System.out.println("    " + write.text()));
      return;
    }
    System.out.println("  the fewest operations that give a difference:");
    plan.first.forEach(made -> System.out.println("    " + made.text()));
    fewest.forEach(write -> System.out.println("    " + write.text()));
    System.out.println("    " + step.text());
    one.drop();
    other.drop();
    List<Step> all = new ArrayList<>(plan.first);
    all.addAll(fewest);
    all.forEach(one::answer);
    all.forEach(other::answer);
    print("HBase", one.answer(step));
    print("Widerow", other.answer(step));
  }

  /** Prints the steps of one table and a server's answers. */
  private int show(String address) throws Exception {
    try (Target target = new Target("server", address)) {
      target.use("shown");
      target.drop();
      for (Step step : new Plan(option("seed"), OPERATIONS_OF_TABLE, filterCounts).steps()) {
        print(step.text(), target.answer(step));
      }
      target.drop();
    }
    return 0;
  }

  /** Runs each table twice. An answer that differs between the runs depends on chance and is not recorded. */
  private int record(String hbase, Path file) throws Exception {
    try (Target target = new Target("HBase", hbase);
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.US_ASCII))) {
      for (long seed = option("seed"); seed < option("seed") + tables(); seed++) {
        List<String> digests = digests(target, seed);
        List<String> again = digests(target, seed);
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < digests.size(); i++) {
          line.append(digests.get(i).equals(again.get(i)) ? digests.get(i) : NOT_COMPARED);
        }
        out.println(Plan.VERSION + " " + seed + " " + line);
        out.flush();
      }
    }
    return 0;
  }

  private List<String> digests(Target target, long seed) throws Exception {
    target.use("recorded_" + seed);
    target.drop();
    List<String> digests = new ArrayList<>();
    for (Step step : new Plan(seed, OPERATIONS_OF_TABLE, new TreeMap<>()).steps()) {
      List<String> answer = target.answer(step);
      digests.add(failed(answer) ? NOT_COMPARED : digest(answer));
    }
    target.drop();
    return digests;
  }

  private static String digest(List<String> answer) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(String.join("\n", answer).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash).substring(0, DIGITS);
  }

  private int replay(String widerow, Path file) throws Exception {
    for (String line : Files.readAllLines(file.resolveSibling("known_differences.txt"))) {
      String[] words = line.split(" ", 3);
      known.put(words[0] + " " + words[1], words[2]);
    }
    try (Target target = new Target("Widerow", widerow)) {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ");
        if (Integer.parseInt(words[0]) != Plan.VERSION) {
          System.out.println(file + " was recorded with version " + words[0] + " of the generator, this is " + Plan.VERSION);
          return 1;
        }
        replayTable(target, Long.parseLong(words[1]), words[2]);
      }
    }
    printCounts();
    known.forEach((step, why) -> {
      ++differences;
      System.out.println("seed and operation " + step + " no longer differ: take them out of known_differences.txt");
    });
    System.out.println(compared + " answers compared, " + differences + " differ");
    return differences == 0 && compared > 0 ? 0 : 1;
  }

  private void replayTable(Target target, long seed, String digests) throws Exception {
    target.use("recorded_" + seed);
    target.drop();
    int at = 0;
    for (Step step : new Plan(seed, OPERATIONS_OF_TABLE, filterCounts).steps()) {
      counts.merge(step.kind(), 1, Integer::sum);
      List<String> answer = target.answer(step);
      String expected = digests.substring(at * DIGITS, (at + 1) * DIGITS);
      compared += expected.equals(NOT_COMPARED) ? 0 : 1;
      if (!expected.equals(NOT_COMPARED) && !expected.equals(digest(answer))) {
        String why = known.remove(seed + " " + at);
        if (why != null) {
          System.out.println("known difference: seed " + seed + ", operation " + at + ": " + why);
          ++at;
          continue;
        }
        ++differences;
        System.out.println("seed " + seed + ", operation " + at + ": " + step.text());
        print("answered", answer);
      }
      ++at;
    }
    target.drop();
  }

  private void printCounts() {
    for (Map<String, Integer> map : List.of(counts, filterCounts)) {
      map.forEach((kind, count) -> System.out.printf("%-28s %6d%n", kind, count));
      System.out.println();
    }
  }
}
