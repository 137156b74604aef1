package compare;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;

/** Answers as lines of text: every byte of a cell, and the class of an exception. */
final class Shown {
  static final long HOUR_MS = 3_600_000;
  private static final long NEAR_MS = 40L * 24 * HOUR_MS;

  /** Times that are relative to now are relative to this time. Both servers and both clients have the same clock. */
  static final long BASE = System.currentTimeMillis() / 1000 * 1000;

  private Shown() {}

  static String bytes(byte[] bytes) {
    return bytes == null ? "null" : Bytes.toStringBinary(bytes);
  }

  /** A time that a server chose differs between runs, so it is only "now". */
  static String time(long timestamp) {
    long distance = timestamp - BASE;
    if (timestamp == Long.MAX_VALUE) {
      return "latest";
    }
    if (Math.abs(distance) > NEAR_MS) {
      return Long.toString(timestamp);
    }
    return distance >= 0 && distance < HOUR_MS / 2 ? "now" : "base" + (distance < 0 ? "" : "+") + distance;
  }

  static String cell(Cell cell) {
    return bytes(CellUtil.cloneRow(cell)) + "/" + bytes(CellUtil.cloneFamily(cell)) + ":"
        + bytes(CellUtil.cloneQualifier(cell)) + "/" + time(cell.getTimestamp()) + "/" + cell.getType() + "="
        + bytes(CellUtil.cloneValue(cell));
  }

  static List<String> result(Result result) {
    if (result == null) {
      return List.of("null");
    }
    List<String> lines = new ArrayList<>();
    if (result.getExists() != null) {
      lines.add("exists " + result.getExists());
    }
    if (result.rawCells() == null || result.rawCells().length == 0) {
      lines.add("empty");
      return lines;
    }
    for (Cell cell : result.rawCells()) {
      lines.add(cell(cell));
    }
    return lines;
  }

  /** One line says where each Result begins, so the bounds that a batch makes are compared too. */
  static List<String> results(Iterable<Result> results) {
    List<String> lines = new ArrayList<>();
    for (Result result : results) {
      lines.add("--");
      lines.addAll(result(result));
    }
    return lines;
  }

  /** The cells alone. HBase cuts a row into partial results by its own sizes of objects. */
  static List<String> cells(Iterable<Result> results) {
    List<String> lines = new ArrayList<>();
    for (Result result : results) {
      lines.addAll(result(result));
    }
    return lines;
  }

  static List<String> objects(Object[] objects) {
    List<String> lines = new ArrayList<>();
    for (Object object : objects) {
      lines.add("--");
      if (object instanceof Result result) {
        lines.addAll(result(result));
      } else {
        lines.add(object instanceof Throwable thrown ? "exception " + exception(thrown) : String.valueOf(object));
      }
    }
    return lines;
  }

  static String exception(Throwable thrown) {
    if (thrown instanceof RetriesExhaustedWithDetailsException details) {
      return "RetriesExhaustedWithDetails of " + details.getCauses().stream()
          .map(cause -> cause.getClass().getSimpleName())
          .collect(Collectors.toCollection(TreeSet::new));
    }
    String name = thrown.getClass().getSimpleName();
    if (thrown.getCause() != null && (thrown instanceof UncheckedIOException || thrown instanceof RetriesExhaustedException)) {
      return name + " of " + exception(thrown.getCause());
    }
    return name;
  }
}
