package compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The steps of one table. They depend only on the seed and the version of this generator. */
final class Plan {
  /** Changes whenever the same seed makes other steps, since recorded answers belong to the steps. */
  static final int VERSION = 2;

  final List<Step> first = new ArrayList<>();
  final List<Step> middle = new ArrayList<>();
  final List<Step> last = new ArrayList<>();

  Plan(long seed, int operations, Map<String, Integer> filterCounts) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 11);
    Design design = new Design(random);
    Filters filters = new Filters(random, design, filterCounts);
    Reads reads = new Reads(random, design, filters);
    Writes writes = new Writes(random, design, reads);
    Conditions conditions = new Conditions(random, design, filters, writes);
    Admins admins = new Admins(random, design);
    first.add(admins.create());
    first.addAll(admins.changes());
    last.add(Reads.everything());
    last.addAll(admins.end());
    int count = operations - first.size() - last.size();
    for (int i = 0; i < count; i++) {
      // The first steps fill the table.
      middle.add(i < 5 ? writes.putList() : step(random.nextInt(100), reads, writes, conditions));
    }
  }

  private static Step step(int dice, Reads reads, Writes writes, Conditions conditions) {
    int[] weights = {20, 9, 8, 1, 3, 1, 4, 5, 2, 4, 3, 1, 11, 2, 2, 22, 2};
    int kind = 0;
    while (dice >= weights[kind]) {
      dice -= weights[kind++];
    }
    return switch (kind) {
      case 0 -> writes.put();
      case 1 -> writes.putList();
      case 2 -> writes.delete();
      case 3 -> writes.deleteList();
      case 4 -> writes.increment();
      case 5 -> writes.incrementColumnValue();
      case 6 -> writes.append();
      case 7 -> conditions.checkAndMutate();
      case 8 -> conditions.checkAndMutateList();
      case 9 -> writes.batch();
      case 10 -> writes.rowMutations();
      case 11 -> writes.bufferedMutator();
      case 12 -> reads.get();
      case 13 -> reads.exists();
      case 14 -> reads.getList();
      case 15 -> reads.scan();
      default -> Reads.everything();
    };
  }

  List<Step> steps() {
    List<Step> steps = new ArrayList<>(first);
    steps.addAll(middle);
    steps.addAll(last);
    return steps;
  }
}
