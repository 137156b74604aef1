package compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/** Random Gets and Scans of all forms. */
final class Reads {
  private record Request<T>(T request, String text) {}

  private final Random random;
  private final Design design;
  private final Filters filters;

  Reads(Random random, Design design, Filters filters) {
    this.random = random;
    this.design = design;
    this.filters = filters;
  }

  Step get() {
    Request<Get> get = getRequest(true);
    return new Step("Get", "get " + get.text(), false, target -> Shown.result(target.table.get(get.request())));
  }

  Step exists() {
    Request<Get> get = getRequest(true);
    return new Step("exists", "exists " + get.text(), false, target -> List.of("" + target.table.exists(get.request())));
  }

  Step getList() {
    List<Get> gets = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0, most = random.nextInt(4); i <= most; i++) {
      Request<Get> get = getRequest(true);
      gets.add(get.request());
      texts.add(get.text());
    }
    if (random.nextInt(4) == 0) {
      return new Step("exists of a list", "exists " + texts, false, target -> {
        List<String> lines = new ArrayList<>();
        for (boolean found : target.table.exists(gets)) {
          lines.add("" + found);
        }
        return lines;
      });
    }
    return new Step("Get of a list", "get " + texts, false, target -> Shown.objects(target.table.get(gets)));
  }

  /** A Get for a batch: without what a batch could answer in two ways. */
  Get plainGet(List<String> texts) {
    Request<Get> get = getRequest(false);
    texts.add("get " + get.text());
    return get.request();
  }

  private Request<Get> getRequest(boolean filtered) {
    Get get = new Get(design.row());
    StringBuilder text = new StringBuilder(Shown.bytes(get.getRow()));
    try {
      columns(text, get::addFamily, get::addColumn);
      switch (random.nextInt(3)) {
        case 0 -> get.readVersions(1 + random.nextInt(3));
        case 1 -> get.readAllVersions();
        default -> { }
      }
      text.append(" versions ").append(get.getMaxVersions());
      long[] range = timeRange(text);
      if (range != null) {
        get.setTimeRange(range[0], range[1]);
      }
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    if (random.nextInt(8) == 0) {
      get.setMaxResultsPerColumnFamily(1 + random.nextInt(3));
      text.append(" most of a family ").append(get.getMaxResultsPerColumnFamily());
    }
    if (random.nextInt(8) == 0) {
      get.setRowOffsetPerColumnFamily(random.nextInt(3));
      text.append(" offset ").append(get.getRowOffsetPerColumnFamily());
    }
    if (filtered && random.nextInt(3) == 0) {
      Filters.Made filter = filters.any(false);
      get.setFilter(filter.filter());
      text.append(" filter ").append(filter.text());
    }
    if (filtered && random.nextInt(12) == 0) {
      get.setCheckExistenceOnly(true);
      text.append(" existence only");
    }
    return new Request<>(get, text.toString());
  }

  Step scan() {
    Request<Scan> scan = scanRequest();
    Scan request = scan.request();
    boolean pieces = request.getAllowPartialResults() && request.getBatch() <= 0;
    String kind = (request.isReversed() ? "Scan reversed" : "Scan") + (request.hasFilter() ? " with a filter" : "");
    return new Step(kind, "scan " + scan.text(), false, target -> {
      try (ResultScanner scanner = target.table.getScanner(request)) {
        return pieces ? Shown.cells(scanner) : Shown.results(scanner);
      }
    });
  }

  /** All versions of all cells that the table shows. */
  static Step everything() {
    return new Step("Scan of everything", "scan all versions", false, target -> {
      try (ResultScanner scanner = target.table.getScanner(new Scan().readAllVersions())) {
        return Shown.results(scanner);
      }
    });
  }

  private Request<Scan> scanRequest() {
    Scan scan = new Scan();
    StringBuilder text = new StringBuilder();
    rows(scan, text);
    try {
      columns(text, scan::addFamily, scan::addColumn);
      long[] range = timeRange(text);
      if (range != null) {
        scan.setTimeRange(range[0], range[1]);
      }
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    familyTimeRange(scan, text);
    switch (random.nextInt(3)) {
      case 0 -> scan.readVersions(1 + random.nextInt(3));
      case 1 -> scan.readAllVersions();
      default -> { }
    }
    text.append(" versions ").append(scan.getMaxVersions());
    if (random.nextInt(2) == 0) {
      Filters.Made filter = filters.any(scan.isReversed());
      scan.setFilter(filter.filter());
      text.append(" filter ").append(filter.text());
    }
    sizes(scan, text);
    return new Request<>(scan, text.toString());
  }

  private void rows(Scan scan, StringBuilder text) {
    if (random.nextInt(3) == 0) {
      scan.setReversed(true);
      text.append("reversed");
    }
    if (random.nextInt(10) == 0 && !scan.isReversed()) {
      byte[] bound = design.bound();
      scan.setStartStopRowForPrefixScan(bound);
      text.append(" prefix ").append(Shown.bytes(bound));
      return;
    }
    if (random.nextInt(3) > 0) {
      boolean inclusive = random.nextInt(3) > 0;
      scan.withStartRow(design.bound(), inclusive);
      text.append(" from ").append(Shown.bytes(scan.getStartRow())).append(inclusive ? "" : " exclusive");
    }
    if (random.nextInt(3) > 0) {
      boolean inclusive = random.nextInt(3) == 0;
      scan.withStopRow(design.bound(), inclusive);
      text.append(" to ").append(Shown.bytes(scan.getStopRow())).append(inclusive ? " inclusive" : "");
    }
  }

  private void sizes(Scan scan, StringBuilder text) {
    if (random.nextInt(4) == 0) {
      scan.setCaching(1 + random.nextInt(4));
      text.append(" caching ").append(scan.getCaching());
    }
    if (random.nextInt(4) == 0) {
      scan.setLimit(1 + random.nextInt(5));
      text.append(" limit ").append(scan.getLimit());
    }
    if (random.nextInt(5) == 0 && (scan.getFilter() == null || !scan.getFilter().hasFilterRow())) {
      scan.setBatch(1 + random.nextInt(3));
      text.append(" batch ").append(scan.getBatch());
    }
    if (random.nextInt(8) == 0) {
      scan.setMaxResultsPerColumnFamily(1 + random.nextInt(3));
      text.append(" most of a family ").append(scan.getMaxResultsPerColumnFamily());
    }
    if (random.nextInt(8) == 0) {
      scan.setRowOffsetPerColumnFamily(random.nextInt(3));
      text.append(" offset ").append(scan.getRowOffsetPerColumnFamily());
    }
    if (random.nextInt(6) == 0) {
      scan.setAllowPartialResults(true);
      scan.setMaxResultSize(1 + random.nextInt(300));
      text.append(" partial results of ").append(scan.getMaxResultSize()).append(" bytes");
    }
    if (random.nextInt(6) == 0) {
      scan.setReadType(random.nextBoolean() ? Scan.ReadType.PREAD : Scan.ReadType.STREAM);
      text.append(" ").append(scan.getReadType());
    }
    if (scan.isReversed() || random.nextInt(8) == 0) {
      scan.setLoadColumnFamiliesOnDemand(!scan.isReversed() && random.nextBoolean());  // HBase cannot do both.
      text.append(" families on demand ").append(scan.getLoadColumnFamiliesOnDemandValue());
    }
  }

  private interface Family {
    void add(byte[] family);
  }

  private interface Column {
    void add(byte[] family, byte[] qualifier);
  }

  private void columns(StringBuilder text, Family addFamily, Column addColumn) {
    if (random.nextInt(3) > 0) {
      return;
    }
    for (int i = 0, most = random.nextInt(3); i <= most; i++) {
      byte[] family = random.nextInt(40) == 0 ? new byte[] {'n', 'o'} : design.family();
      text.append(" ").append(Shown.bytes(family));
      if (random.nextInt(3) == 0) {
        addFamily.add(family);
      } else {
        byte[] qualifier = design.qualifier();
        addColumn.add(family, qualifier);
        text.append(":").append(Shown.bytes(qualifier));
      }
    }
  }

  /** {least, bound} or null. */
  private long[] timeRange(StringBuilder text) {
    if (random.nextInt(4) > 0) {
      return null;
    }
    long one = design.time();
    long other = design.time();
    long least = Math.min(one, other);
    long bound = Math.max(one, other);
    if (least == bound) {
      least = 0;
    }
    text.append(" times ").append(Shown.time(least)).append(" to ").append(Shown.time(bound));
    return new long[] {least, bound};
  }

  private void familyTimeRange(Scan scan, StringBuilder text) {
    if (random.nextInt(12) == 0) {
      byte[] family = design.family();
      text.append(" of family ").append(Shown.bytes(family));
      long[] range = timeRange(text);
      if (range != null) {
        scan.setColumnFamilyTimeRange(family, range[0], range[1]);
      }
    }
  }
}
