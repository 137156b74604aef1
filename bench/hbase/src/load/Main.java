package load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Main HOST:PORT SERVER_PID ROWS WARM_SECONDS SECONDS IN_FLIGHT: gets, scans and puts through HBase's client, with a number of
 * requests in flight. Prints a line of JSON for each phase. The server's CPU is read from /proc.
 */
public final class Main {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int CELLS_OF_SCAN = 100;
  private static final int TICKS_PER_SECOND = 100;

  private final AsyncTable<?> table;
  private final long serverPid;
  private final int rows;
  private final int parallel;
  private final SplittableRandom random = new SplittableRandom(18);
  private final byte[] value = new byte[100];

  private Main(AsyncTable<?> table, String[] arguments) {
    this.table = table;
    serverPid = Long.parseLong(arguments[1]);
    rows = Integer.parseInt(arguments[2]);
    parallel = Integer.parseInt(arguments[5]);
    Arrays.fill(value, (byte) 'v');
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.set("hbase.client.bootstrap.servers", arguments[0]);
    try (AsyncConnection connection = ConnectionFactory.createAsyncConnection(configuration).get()) {
      TableName name = TableName.valueOf("bench");
      if (connection.getAdmin().tableExists(name).get()) {
        connection.getAdmin().disableTable(name).get();
        connection.getAdmin().deleteTable(name).get();
      }
      connection.getAdmin().createTable(TableDescriptorBuilder.newBuilder(name)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build()).get();
      Main main = new Main(connection.getTable(name), arguments);
      main.preload();
      // Puts come last. In the same time, a faster server would store more versions, which gets and scans then pass over.
      for (String phase : new String[] {"get", "scan", "put"}) {
        main.run(phase, Double.parseDouble(arguments[3]), false);
        main.run(phase, Double.parseDouble(arguments[4]), true);
      }
    }
    System.exit(0);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row%09d", number));
  }

  private void preload() throws Exception {
    AtomicInteger next = new AtomicInteger();
    loop(() -> table.put(new Put(row(next.getAndIncrement())).addColumn(FAMILY, QUALIFIER, value)), Double.MAX_VALUE, rows);
  }

  private Supplier<CompletableFuture<?>> operation(String phase) {
    return switch (phase) {
      case "put" -> () -> table.put(new Put(row(random.nextInt(rows))).addColumn(FAMILY, QUALIFIER, value));
      case "get" -> () -> table.get(new Get(row(random.nextInt(rows)))).thenAccept(result -> expect(result.size(), 1));
      default -> () -> table.scanAll(new Scan().withStartRow(row(random.nextInt(rows - CELLS_OF_SCAN))).setLimit(CELLS_OF_SCAN)
          .setCaching(CELLS_OF_SCAN)).thenAccept(results -> expect(results.size(), CELLS_OF_SCAN));
    };
  }

  private static void expect(int found, int expected) {
    if (found != expected) {
      throw new IllegalStateException(found + " results instead of " + expected);
    }
  }

  private void run(String phase, double seconds, boolean print) throws Exception {
    double serverBefore = cpuSeconds(serverPid);
    double clientBefore = cpuSeconds(ProcessHandle.current().pid());
    long begun = System.nanoTime();
    long[] latencies = loop(operation(phase), seconds, Integer.MAX_VALUE);
    double elapsed = (System.nanoTime() - begun) / 1e9;
    double server = cpuSeconds(serverPid) - serverBefore;
    double client = cpuSeconds(ProcessHandle.current().pid()) - clientBefore;
    if (print) {
      Arrays.sort(latencies);
      int count = latencies.length;
      System.out.printf("{\"phase\": \"%s\", \"per_second\": %.0f, \"server_us\": %.1f, \"client_us\": %.1f, \"p50_ms\": %.2f, \"p99_ms\": %.2f}%n",
          phase, count / elapsed, server * 1e6 / count, client * 1e6 / count, latencies[count / 2] / 1e6, latencies[count * 99 / 100] / 1e6);
      System.out.flush();
    }
  }

  /** Keeps the requests in flight until the time or the count is over. Returns the latencies in ns. */
  private long[] loop(Supplier<CompletableFuture<?>> operation, double seconds, int count) throws Exception {
    Semaphore free = new Semaphore(parallel);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long[] latencies = new long[1 << 16];
    long begun = System.nanoTime();
    int sent = 0;
    while (sent < count && (System.nanoTime() - begun) / 1e9 < seconds && failure.get() == null) {
      free.acquire();
      if (sent == latencies.length) {
        free.acquire(parallel - 1);  // Nobody writes into the old array.
        latencies = Arrays.copyOf(latencies, 2 * latencies.length);
        free.release(parallel - 1);
      }
      long[] into = latencies;
      int at = sent++;
      long start = System.nanoTime();
      operation.get().whenComplete((result, error) -> {
        into[at] = System.nanoTime() - start;
        if (error != null) {
          failure.set(error);
        }
        free.release();
      });
    }
    free.acquire(parallel);
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
    return Arrays.copyOf(latencies, sent);
  }

  private static double cpuSeconds(long pid) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Double.parseDouble(fields[11]) + Double.parseDouble(fields[12])) / TICKS_PER_SECOND;
  }
}
