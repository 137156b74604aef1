package compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.io.TimeRange;

/** Random checkAndMutate, alone and in lists. */
final class Conditions {
  private final Random random;
  private final Design design;
  private final Filters filters;
  private final Writes writes;

  Conditions(Random random, Design design, Filters filters, Writes writes) {
    this.random = random;
    this.design = design;
    this.filters = filters;
    this.writes = writes;
  }

  Step checkAndMutate() {
    List<String> texts = new ArrayList<>();
    CheckAndMutate one = make(texts, random.nextInt(3) == 0);
    return new Step("checkAndMutate", texts.toString(), true, target -> {
      try {
        return show(target.table.checkAndMutate(one));
      } finally {
        Thread.sleep(2);
      }
    });
  }

  Step checkAndMutateList() {
    List<String> texts = new ArrayList<>();
    List<CheckAndMutate> list = new ArrayList<>();
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      list.add(make(texts, false));
    }
    return new Step("checkAndMutate of a list", texts.toString(), true, target -> {
      List<String> lines = new ArrayList<>();
      for (CheckAndMutateResult result : target.table.checkAndMutate(list)) {
        lines.add("--");
        lines.addAll(show(result));
      }
      return lines;
    });
  }

  private static List<String> show(CheckAndMutateResult result) {
    List<String> lines = new ArrayList<>(List.of("success " + result.isSuccess()));
    lines.addAll(Shown.result(result.getResult()));
    return lines;
  }

  private CheckAndMutate make(List<String> texts, boolean serverTime) {
    byte[] row = design.row();
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row);
    String condition = condition(builder);
    if (random.nextInt(8) == 0) {
      long least = design.givenTime();
      builder.timeRange(TimeRange.from(least));
      condition += " times from " + Shown.time(least);
    }
    texts.add("if " + Shown.bytes(row) + " " + condition);
    if (random.nextInt(5) == 0) {
      RowMutations mutations = writes.rowMutations(row, texts);
      return builder.build(mutations);
    }
    Mutation mutation = writes.mutation(row, texts, serverTime);
    if (mutation instanceof Put put) {
      return builder.build(put);
    } else if (mutation instanceof Delete delete) {
      return builder.build(delete);
    } else if (mutation instanceof Increment increment) {
      return builder.build(increment);
    }
    return builder.build((Append) mutation);
  }

  private String condition(CheckAndMutate.Builder builder) {
    byte[] family = design.family();
    byte[] qualifier = design.qualifier();
    byte[] value = design.value();
    String column = Shown.bytes(family) + ":" + Shown.bytes(qualifier);
    switch (random.nextInt(6)) {
      case 0:
        builder.ifNotExists(family, qualifier);
        return column + " does not exist";
      case 1, 2:
        builder.ifEquals(family, qualifier, value);
        return column + " is " + Shown.bytes(value);
      case 3, 4:
        CompareOperator operator = Comparators.comparing(random);
        builder.ifMatches(family, qualifier, operator, value);
        return column + " " + operator + " " + Shown.bytes(value);
      default:
        Filters.Made filter = filters.any(false);
        builder.ifMatches(filter.filter());
        return "matches " + filter.text();
    }
  }
}
