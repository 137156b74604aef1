package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ProtocolError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

final class Requests {
  private static final int ROWS = 10_000;
  private static final int AT_ONCE = 1000;

  static void add(Map<String, Case.Body> cases) {
    cases.put("paging", Requests::paging);
    cases.put("concurrent", Requests::concurrent);
  }

  private static void paging(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE paged (k int, c int, v text, PRIMARY KEY (k, c))");
    PreparedStatement insert = s.prepare("INSERT INTO paged (k, c, v) VALUES (1, ?, ?)");
    for (int i = 0; i < ROWS; ) {
      List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
      for (int end = i + 500; i < end; i++) answers.add(s.executeAsync(insert.bind(i, "row " + i)));
      answers.forEach(answer -> answer.toCompletableFuture().join());
    }
    SimpleStatement select = SimpleStatement.newInstance("SELECT c, v FROM paged WHERE k = 1");
    List<ByteBuffer> states = new ArrayList<>();
    ByteBuffer state = null;
    int row = 0;
    do {
      ResultSet page = s.execute(select.setPageSize(100).setPagingState(state));
      for (int left = page.getAvailableWithoutFetching(); left > 0; left--, row++) {
        Row each = page.one();
        Case.check(each.getInt(0) == row && each.getString(1).equals("row " + row), "row " + row + " is " + each.getInt(0));
      }
      state = page.getExecutionInfo().getPagingState();
      states.add(state);
    } while (state != null);
    Case.equal(row, ROWS, "rows");
    Case.check(states.size() == 100 || states.size() == 101, states.size() + " pages");
    for (int size : new int[] {77, 5000}) {
      int count = 0;
      for (Row each : s.execute(select.setPageSize(size))) Case.equal(each.getInt(0), count++, "automatic paging by " + size);
      Case.equal(count, ROWS, "rows with page size " + size);
    }
    CqlSession other = c.session();
    Row first = other.execute(select.setPageSize(100).setPagingState(states.get(41))).one();
    Case.equal(first.getInt(0), 4200, "first row of the page resumed in another session");
    ByteBuffer garbage = ByteBuffer.wrap(new byte[] {(byte) 0xff, 1, 2, 3, 4});
    Server.refused(() -> other.execute(select.setPagingState(garbage)), ProtocolError.class, "Invalid value for the paging state");
    // The driver itself refuses a safe paging state of another statement.
    var safe = s.execute(select.setPageSize(100)).getExecutionInfo().getSafePagingState();
    Case.check(safe != null && safe.matches(select), "the safe paging state does not match its statement");
  }

  private static void concurrent(Case c) {
    CqlSession s = c.session();
    Case.run(s, "CREATE TABLE crowd (k int PRIMARY KEY, v text)");
    PreparedStatement insert = s.prepare("INSERT INTO crowd (k, v) VALUES (?, ?)");
    PreparedStatement select = s.prepare("SELECT v FROM crowd WHERE k = ?");
    List<CompletionStage<AsyncResultSet>> writes = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) writes.add(s.executeAsync(insert.bind(i, "v" + i)));
    writes.forEach(answer -> answer.toCompletableFuture().join());
    List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) reads.add(s.executeAsync(select.bind(i)));
    for (int i = 0; i < AT_ONCE; i++) {
      Case.equal(reads.get(i).toCompletableFuture().join().one().getString(0), "v" + i, "row " + i);
    }
  }
}
