package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.UdtValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A session alters tables and types about which other sessions have prepared statements. */
final class Altered {
  private final CqlSession other;
  private final String version;
  private final List<CqlSession> sessions;
  private final List<PreparedStatement> selects = new ArrayList<>();

  static void add(Map<String, Case.Body> cases) {
    cases.put("altered_tables", c -> {
      for (String version : List.of("V3", "V4", "V5")) new Altered(c, version).run();
    });
  }

  private Altered(Case c, String version) {
    this.version = version;
    other = c.session();
    sessions = List.of(c.session(version, "none"), c.session(version, "none"));
  }

  private void change(String... statements) {
    for (String statement : statements) Case.run(other, statement);
  }

  private static String text(Row row) {
    StringBuilder all = new StringBuilder();
    for (ColumnDefinition column : row.getColumnDefinitions()) {
      Object value = row.getObject(column.getName());
      String shown = value instanceof UdtValue udt ? udt.getFormattedContents() : String.valueOf(value);
      all.append(all.length() == 0 ? "" : ", ").append(column.getName().asInternal()).append('=').append(shown);
    }
    return all.toString();
  }

  /** Reads the row. Not run on Cassandra in v3 and v4: the driver then keeps the columns of its first PREPARE, which are wrong. */
  private void reads(String expected, String what) {
    if (!Main.isWiderow && !version.equals("V5")) return;
    for (int i = 0; i < sessions.size(); i++) {
      for (int times = 0; times < 2; times++) {
        Row row = sessions.get(i).execute(selects.get(i).bind("u1")).one();
        Case.equal(text(row), expected, version + ", session " + (i + 1) + ", " + what);
      }
    }
  }

  private void run() {
    String table = "altering_" + version;
    String place = "place_" + version;
    change("CREATE TYPE " + place + " (street text)",
        "CREATE TABLE " + table + " (id text PRIMARY KEY, role text, home frozen<" + place + ">)");
    for (CqlSession session : sessions) selects.add(session.prepare("SELECT * FROM " + table + " WHERE id = ?"));
    CqlSession first = sessions.get(0);
    PreparedStatement insert = first.prepare("INSERT INTO " + table + " (id, role) VALUES (?, ?)");
    first.execute(insert.bind("u1", "ann"));
    reads("id=u1, home=null, role=ann", "before");

    change("ALTER TABLE " + table + " ADD email text", "UPDATE " + table + " SET email = 'a@x' WHERE id = 'u1'");
    reads("id=u1, email=a@x, home=null, role=ann", "after ADD");
    first.execute(insert.bind("u1", "ben"));
    reads("id=u1, email=a@x, home=null, role=ben", "a write after ADD");

    change("ALTER TYPE " + place + " ADD number int",
        "UPDATE " + table + " SET home = {street: 'x', number: 2} WHERE id = 'u1'");
    reads("id=u1, email=a@x, home={street:'x',number:2}, role=ben", "after ALTER TYPE");

    change("ALTER TABLE " + table + " DROP email");
    reads("id=u1, home={street:'x',number:2}, role=ben", "after DROP");
    change("ALTER TABLE " + table + " ADD extra text");
    first.execute(BatchStatement.newInstance(BatchType.LOGGED, insert.bind("u1", "carl"), insert.bind("u2", "dora")));
    reads("id=u1, extra=null, home={street:'x',number:2}, role=carl", "a batch after ADD");

    change("DROP TABLE " + table, "CREATE TABLE " + table + " (id text PRIMARY KEY, added int, role text)");
    first.execute(insert.bind("u1", "ann"));
    reads("id=u1, added=null, role=ann", "after the table was made again");
    Case.equal(Case.run(other, "SELECT role FROM " + table + " WHERE id = 'u1'").one().getString(0), "ann", "what was written");
  }
}
