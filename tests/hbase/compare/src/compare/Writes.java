package compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * Random writes of all forms. After a write whose time the server chooses, the step waits until the server's clock has
 * another millisecond. So two such writes never have one time on one server and two times on the other.
 */
final class Writes {
  private static final long TICK_MS = 2;

  private final Random random;
  private final Design design;
  private final Reads reads;

  Writes(Random random, Design design, Reads reads) {
    this.random = random;
    this.design = design;
    this.reads = reads;
  }

  private static Step step(String kind, String text, Step.Body body) {
    return new Step(kind, text, true, target -> {
      try {
        return body.send(target);
      } finally {
        Thread.sleep(TICK_MS);
      }
    });
  }

  Step put() {
    StringBuilder text = new StringBuilder();
    Put put = put(design.row(), text, true);
    return step("Put", text.toString(), target -> {
      target.table.put(put);
      return List.of("done");
    });
  }

  Step putList() {
    List<Put> puts = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0, most = random.nextInt(5); i <= most; i++) {
      StringBuilder text = new StringBuilder();
      puts.add(put(design.row(), text, false));
      texts.add(text.toString());
    }
    return step("Put of a list", texts.toString(), target -> {
      target.table.put(puts);
      return List.of("done");
    });
  }

  /** With {@code serverTime}, the server may choose the time. Only one such write may be in a request. */
  Put put(byte[] row, StringBuilder text, boolean serverTime) {
    Put put = new Put(row);
    text.append("put ").append(Shown.bytes(row));
    boolean oneTime = random.nextInt(4) == 0;
    long common = serverTime ? design.time() : design.givenTime();
    for (int i = 0, most = random.nextInt(4); i <= most; i++) {
      long time = oneTime ? common : serverTime ? design.time() : design.givenTime();
      byte[] family = familyOrWrong();
      byte[] qualifier = design.putQualifier();
      byte[] value = design.value();
      put.addColumn(family, qualifier, time, value);
      text.append(" {").append(column(family, qualifier)).append("/").append(Shown.time(time)).append("=").append(Shown.bytes(value))
          .append("}");
    }
    if (design.kind != Design.Kind.WIDE && random.nextInt(12) == 0) {
      long hours = 1 + random.nextInt(60);
      put.setTTL(hours * Shown.HOUR_MS);
      text.append(" TTL ").append(hours).append(" h");
    }
    return put;
  }

  private byte[] familyOrWrong() {
    return random.nextInt(100) == 0 ? new byte[] {'n', 'o'} : design.family();
  }

  private static String column(byte[] family, byte[] qualifier) {
    return Shown.bytes(family) + ":" + Shown.bytes(qualifier);
  }

  Step delete() {
    StringBuilder text = new StringBuilder();
    List<String> kinds = new ArrayList<>();
    Delete delete = delete(design.row(), text, true, kinds);
    return step("Delete of a " + kinds.get(0), text.toString(), target -> {
      target.table.delete(new Delete(delete));
      return List.of("done");
    });
  }

  Step deleteList() {
    List<Delete> deletes = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      StringBuilder text = new StringBuilder();
      deletes.add(delete(design.row(), text, false, new ArrayList<>()));
      texts.add(text.toString());
    }
    return step("Delete of a list", texts.toString(), target -> {
      target.table.delete(new ArrayList<>(deletes));  // The client removes the elements that succeeded.
      return List.of("done");
    });
  }

  private Delete delete(byte[] row, StringBuilder text, boolean serverTime, List<String> kinds) {
    Delete delete = new Delete(row);
    text.append("delete ").append(Shown.bytes(row));
    if (random.nextInt(10) == 0) {
      kinds.add("row");
      if (random.nextInt(3) > 0 || !serverTime) {
        delete.setTimestamp(design.givenTime());
        text.append(" to ").append(Shown.time(delete.getTimestamp()));
      }
      return delete;
    }
    for (int i = 0, most = random.nextInt(5) / 3; i <= most; i++) {
      byte[] family = familyOrWrong();
      byte[] qualifier = design.qualifier();
      boolean given = !serverTime || random.nextInt(4) > 0;
      long time = design.givenTime();
      String at = given ? " at " + Shown.time(time) : " latest";
      switch (random.nextInt(4)) {
        case 0 -> {
          kinds.add("version");
          delete = given ? delete.addColumn(family, qualifier, time) : delete.addColumn(family, qualifier);
          text.append(" version ").append(column(family, qualifier)).append(at);
        }
        case 1 -> {
          kinds.add("column");
          delete = given ? delete.addColumns(family, qualifier, time) : delete.addColumns(family, qualifier);
          text.append(" column ").append(column(family, qualifier)).append(at);
        }
        case 2 -> {
          kinds.add("family");
          delete = given ? delete.addFamily(family, time) : delete.addFamily(family);
          text.append(" family ").append(Shown.bytes(family)).append(at);
        }
        default -> {
          kinds.add("family's version");
          delete = delete.addFamilyVersion(family, time);
          text.append(" family's version ").append(Shown.bytes(family)).append(" at ").append(Shown.time(time));
        }
      }
    }
    return delete;
  }

  Step increment() {
    StringBuilder text = new StringBuilder();
    Increment increment = increment(design.row(), text);
    return step("Increment", text.toString(), target -> Shown.result(target.table.increment(increment)));
  }

  private Increment increment(byte[] row, StringBuilder text) {
    Increment increment = new Increment(row);
    text.append("increment ").append(Shown.bytes(row));
    if (random.nextInt(3) == 0) {
      increment.setTimestamp(design.givenTime());
      text.append(" at ").append(Shown.time(increment.getTimestamp()));
    }
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      byte[] family = familyOrWrong();
      byte[] qualifier = random.nextInt(3) > 0 ? design.counter() : design.putQualifier();
      long amount = random.nextInt(5) == 0 ? 0 : random.nextInt(2000) - 1000;
      increment.addColumn(family, qualifier, amount);
      text.append(" {").append(column(family, qualifier)).append(" by ").append(amount).append("}");
    }
    if (random.nextInt(4) == 0) {
      increment.setReturnResults(false);
      text.append(" returns nothing");
    }
    if (random.nextInt(8) == 0) {
      long least = design.givenTime();
      try {
        increment.setTimeRange(least, Long.MAX_VALUE);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      text.append(" times from ").append(Shown.time(least));
    }
    return increment;
  }

  Step incrementColumnValue() {
    byte[] row = design.row();
    byte[] family = design.family();
    byte[] qualifier = random.nextInt(3) > 0 ? design.counter() : design.putQualifier();
    long amount = random.nextInt(100);
    return step("incrementColumnValue", "increment " + Shown.bytes(row) + " " + column(family, qualifier) + " by " + amount,
        target -> List.of("" + target.table.incrementColumnValue(row, family, qualifier, amount)));
  }

  Step append() {
    StringBuilder text = new StringBuilder();
    Append append = append(design.row(), text);
    return step("Append", text.toString(), target -> Shown.result(target.table.append(append)));
  }

  private Append append(byte[] row, StringBuilder text) {
    Append append = new Append(row);
    text.append("append ").append(Shown.bytes(row));
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      byte[] family = familyOrWrong();
      byte[] qualifier = design.putQualifier();
      byte[] value = design.value();
      append.addColumn(family, qualifier, value);
      text.append(" {").append(column(family, qualifier)).append(" + ").append(Shown.bytes(value)).append("}");
    }
    if (random.nextInt(4) == 0) {
      append.setReturnResults(false);
      text.append(" returns nothing");
    }
    return append;
  }

  /** A write to a given row. {@code serverTime} as in put(). */
  Mutation mutation(byte[] row, List<String> texts, boolean serverTime) {
    StringBuilder text = new StringBuilder();
    int dice = random.nextInt(10);
    Mutation mutation = dice < 5 ? put(row, text, serverTime)
        : dice < 8 || !serverTime ? delete(row, text, serverTime, new ArrayList<>())
        : dice == 8 ? increment(row, text)
        : append(row, text);
    texts.add(text.toString());
    return mutation;
  }

  /** Writes to one row. They are one write with one time, so the server may choose it only once. */
  RowMutations rowMutations(byte[] row, List<String> texts) {
    RowMutations mutations = new RowMutations(row);
    try {
      for (int i = 0, most = random.nextInt(3); i <= most; i++) {
        mutations.add(mutation(row, texts, false));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return mutations;
  }

  Step rowMutations() {
    List<String> texts = new ArrayList<>();
    RowMutations mutations = rowMutations(design.row(), texts);
    return step("RowMutations", "row " + texts, target -> Shown.result(target.table.mutateRow(mutations)));
  }

  Step batch() {
    List<Row> rows = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    int size = 1 + random.nextInt(5);
    for (int i = 0; i < size; i++) {
      byte[] row = design.row();
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> rows.add(reads.plainGet(texts));
        case 3 -> rows.add(rowMutations(row, texts));
        default -> rows.add(mutation(row, texts, false));
      }
    }
    return step("batch", "batch " + texts, target -> {
      Object[] results = new Object[rows.size()];
      try {
        target.table.batch(rows, results);
      } catch (org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException e) {
        List<String> lines = new ArrayList<>(Shown.objects(results));
        lines.add("exception " + Shown.exception(e));
        return lines;
      }
      return Shown.objects(results);
    });
  }

  Step bufferedMutator() {
    List<Mutation> mutations = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0, most = random.nextInt(5); i <= most; i++) {
      byte[] row = Design.copyWith(design.row(), (byte) i);  // The order of one row's writes is the client's secret.
      StringBuilder text = new StringBuilder();
      mutations.add(random.nextInt(3) > 0 ? put(row, text, false) : delete(row, text, false, new ArrayList<>()));
      texts.add(text.toString());
    }
    return step("BufferedMutator", "buffered " + texts, target -> {
      try (BufferedMutator mutator = target.connection.getBufferedMutator(target.tableName)) {
        mutator.mutate(mutations);
        mutator.flush();
      }
      return List.of("done");
    });
  }
}
