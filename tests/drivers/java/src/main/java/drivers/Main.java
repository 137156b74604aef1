package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the cases of tests/drivers/cases.md with the Java driver 4.x. */
public final class Main {
  static String host;
  static int port;
  static String keyspace = "drivers_java";
  static boolean restart;
  static boolean isWiderow; // The server has an HTTP address.
  static String user;
  static String password;
  static Tls tls; // Null: without TLS.
  private static Map<String, Integer> refused = Map.of();
  static final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
  private static List<String> only;

  private static void usage(String why) {
    System.err.println(why + "\nusage: run HOST PORT [NAME=VALUE…] (tests/drivers/README.md)");
    System.exit(2);
  }

  private static void parse(String[] arguments) {
    if (arguments.length < 2) usage("host and port are missing");
    host = arguments[0];
    port = Integer.parseInt(arguments[1]);
    for (String argument : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      String[] parts = argument.split("=", 2);
      String value = parts.length == 2 ? parts[1] : "";
      switch (parts[0]) {
        case "driver" -> { if (!value.equals("java-driver")) usage("unknown driver " + value); }
        case "http" -> isWiderow = true;
        case "keyspace" -> keyspace = value;
        case "restart" -> restart = value.equals("yes");
        case "user" -> user = value;
        case "password" -> password = value;
        case "tls" -> tls = new Tls(value);
        case "tls_refused" -> refused = Tls.parseRefused(value);
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
    try (Case c = new Case()) {
      body.run(c);
      say("ok " + name);
      return true;
    } catch (Case.Verdict verdict) {
      say(verdict.kind + " " + name + ": " + verdict.getMessage());
      return !verdict.kind.equals("FAIL");
    } catch (Exception e) {
      StackTraceElement at = Arrays.stream(e.getStackTrace())
          .filter(f -> f.getClassName().startsWith("drivers.")).findFirst().orElse(null);
      say("FAIL " + name + ": " + e + " at " + at);
      return false;
    }
  }

  private static void dropKeyspaces(CqlSession session) {
    for (String suffix : List.of("", "_meta", "_events", "_use", "_warned")) {
      Case.run(session, "DROP KEYSPACE IF EXISTS " + keyspace + suffix);
    }
  }

  public static void main(String[] arguments) {
    parse(arguments);
    Map<String, Case.Body> cases = new LinkedHashMap<>();
    Connect.add(cases);
    Schema.add(cases);
    Statements.add(cases);
    Altered.add(cases);
    Types.add(cases);
    Requests.add(cases);
    Server.add(cases);
    Tls.add(cases, refused);
    boolean good = true;
    try (CqlSession session = Case.connect(null, options -> {})) {
      dropKeyspaces(session);
      Case.run(session, "CREATE KEYSPACE " + keyspace + Case.REPLICATION);
    } catch (Exception e) {
      say("FAIL connect_default: " + e);
      System.exit(1);
    }
    for (Map.Entry<String, Case.Body> each : cases.entrySet()) {
      if (only == null || only.contains(each.getKey())) good = runCase(each.getKey(), each.getValue()) && good;
    }
    try (CqlSession session = Case.connect(null, options -> {})) {
      dropKeyspaces(session);
    }
    System.exit(good ? 0 : 1);
  }
}
