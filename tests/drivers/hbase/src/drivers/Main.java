package drivers;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the cases of tests/drivers/hbase/cases.md with Apache HBase's client. */
public final class Main {
  static String host;
  static int port;
  static String prefix = "drivers_hbase";
  static boolean restart;
  static Tls tls;  // Null: without TLS.
  static final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
  private static List<String> only;

  private Main() {}

  private static void usage(String why) {
    System.err.println(why + "\nusage: run HOST PORT [NAME=VALUE…] (tests/drivers/README.md)");
    System.exit(2);
  }

  private static void parse(String[] arguments) {
    if (arguments.length < 2) {
      usage("host and port are missing");
    }
    host = arguments[0];
    port = Integer.parseInt(arguments[1]);
    for (String argument : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      String[] parts = argument.split("=", 2);
      String value = parts.length == 2 ? parts[1] : "";
      switch (parts[0]) {
        case "driver", "http" -> { }  // The driver is that of the class path.
        case "keyspace" -> prefix = value;
        case "tls" -> tls = new Tls(value);
        case "tls_refused" -> tls.setRefused(value);
        case "restart" -> restart = value.equals("yes");
        case "only" -> only = List.of(value.split(","));
        default -> usage("unknown argument " + argument);
      }
    }
  }

  static void say(String line) {
    System.out.println(line.replace("\n", " / "));
    System.out.flush();
  }

  private static boolean runCase(String name, Case.Body body) {
    long begun = System.nanoTime();
    try (Case c = new Case(name)) {
      body.run(c);
      say("ok " + name);
      say("time " + name + " " + (System.nanoTime() - begun) / 1_000_000);
      return true;
    } catch (Case.Verdict verdict) {
      say(verdict.kind + " " + name + ": " + verdict.getMessage());
      return !verdict.kind.equals("FAIL");
    } catch (Throwable e) {
      StackTraceElement at = Arrays.stream(e.getStackTrace())
          .filter(frame -> frame.getClassName().startsWith("drivers.")).findFirst().orElse(null);
      String text = String.valueOf(e);
      say("FAIL " + name + ": " + text.substring(0, Math.min(400, text.length())) + " at " + at);
      return false;
    }
  }

  public static void main(String[] arguments) {
    parse(arguments);
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));  // The client prints each refusal of a scan there.
    Map<String, Case.Body> cases = new LinkedHashMap<>();
    Tables.add(cases);
    Cells.add(cases);
    Versions.add(cases);
    Scans.add(cases);
    FilterCases.add(cases);
    Atomic.add(cases);
    Races.add(cases);
    Bulk.add(cases);
    Async.add(cases);
    Errors.add(cases);
    Server.add(cases);
    if (tls != null) {
      tls.add(cases);
    } else {
      say("not-applicable tls: the server has no TLS");
    }
    boolean good = true;
    for (Map.Entry<String, Case.Body> each : cases.entrySet()) {
      if (only == null || only.contains(each.getKey())) {
        good = runCase(each.getKey(), each.getValue()) && good;
      }
    }
    Case.closeShared();
    System.exit(good ? 0 : 1);
  }
}
