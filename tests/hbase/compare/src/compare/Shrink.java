package compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Looks for few writes after which two servers still answer one step differently. */
final class Shrink {
  private static final int ATTEMPTS_MAX = 150;

  private final Target one;
  private final Target other;
  private final List<Step> first;
  private int attempts;

  Shrink(Target one, Target other, List<Step> first) {
    this.one = one;
    this.other = other;
    this.first = first;
  }

  /** {@code before}: the steps that ran before {@code step}, without those that made the table. */
  List<Step> shrink(List<Step> before, Step step) throws IOException {
    List<Step> writes = new ArrayList<>(before.stream().filter(Step::writes).toList());
    if (!differs(writes, step)) {
      return null;
    }
    for (int size = Math.max(1, writes.size() / 2); attempts < ATTEMPTS_MAX; size = Math.max(1, size / 2)) {
      boolean shorter = false;
      for (int at = 0; at < writes.size() && attempts < ATTEMPTS_MAX;) {
        List<Step> fewer = new ArrayList<>(writes.subList(0, at));
        fewer.addAll(writes.subList(Math.min(writes.size(), at + size), writes.size()));
        if (differs(fewer, step)) {
          writes = fewer;
          shorter = true;
        } else {
          at += size;
        }
      }
      if (size == 1 && !shorter) {
        break;
      }
    }
    return writes;
  }

  private boolean differs(List<Step> writes, Step step) throws IOException {
    ++attempts;
    return !run(one, writes, step).equals(run(other, writes, step));
  }

  private List<String> run(Target target, List<Step> writes, Step step) throws IOException {
    target.drop();
    first.forEach(target::answer);
    writes.forEach(target::answer);
    return target.answer(step);
  }
}
