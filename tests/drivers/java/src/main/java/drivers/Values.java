package drivers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.protocol.internal.util.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes CQL values as literals and as Java objects, and reads them back. */
final class Values {
  /** A value: its type, its literal, and its Java object. */
  record Value(String cql, String literal, Object java) {}

  /** The components of a tuple or UDT, in order. */
  record Parts(List<Object> components) {
    static Parts of(Object... components) {
      return new Parts(Arrays.asList(components));
    }
  }

  /** Writes a value so that equal values have equal texts. */
  static String show(Object v) {
    if (v instanceof ByteBuffer bytes) return Bytes.toHexString(bytes);
    if (v instanceof String text) return "'" + text + "'";
    if (v instanceof Set<?> set) return new TreeSet<>(set.stream().map(Values::show).toList()).toString();
    if (v instanceof List<?> list) return list.stream().map(Values::show).toList().toString();
    if (v instanceof CqlVector<?> vector) return "v" + vector.stream().map(Values::show).toList();
    if (v instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(e -> show(e.getKey()) + ": " + show(e.getValue())).sorted().toList().toString();
    }
    if (v instanceof Parts parts) return "p" + show(parts.components());
    if (v instanceof TupleValue t) return "p" + show(components(t));
    if (v instanceof UdtValue u) return "p" + show(components(u));
    return String.valueOf(v);
  }

  private static List<Object> components(UdtValue u) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < u.size(); i++) all.add(u.getObject(i));
    return all;
  }

  private static List<Object> components(TupleValue t) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < t.size(); i++) all.add(t.getObject(i));
    return all;
  }

  /** Returns `v` in the driver's form for `type`: Parts become tuples and UDTs. */
  static Object build(DataType type, Object v) {
    if (v == null) return null;
    if (type instanceof TupleType t) return t.newValue(build(t.getComponentTypes(), (Parts) v));
    if (type instanceof UserDefinedType u) return u.newValue(build(u.getFieldTypes(), (Parts) v));
    if (type instanceof ListType l) {
      return ((List<?>) v).stream().map(e -> build(l.getElementType(), e)).collect(Collectors.toCollection(ArrayList::new));
    }
    if (type instanceof SetType s) {
      return ((Set<?>) v).stream().map(e -> build(s.getElementType(), e)).collect(Collectors.toCollection(LinkedHashSet::new));
    }
    if (type instanceof MapType m) {
      Map<Object, Object> built = new LinkedHashMap<>();
      ((Map<?, ?>) v).forEach((key, value) -> built.put(build(m.getKeyType(), key), build(m.getValueType(), value)));
      return built;
    }
    return v;
  }

  private static Object[] build(List<DataType> types, Parts parts) {
    return IntStream.range(0, types.size()).mapToObj(i -> build(types.get(i), parts.components().get(i))).toArray();
  }

  /** Writes a row by a prepared statement, one by literals, and one by a simple statement with values. Reads all of them back. */
  static void roundTrip(CqlSession s, String table, List<Value> values) {
    int n = values.size();
    String columns = IntStream.range(0, n).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
    String definitions = IntStream.range(0, n).mapToObj(i -> "v" + i + " " + values.get(i).cql()).collect(Collectors.joining(", "));
    String literals = values.stream().map(Value::literal).collect(Collectors.joining(", "));
    Case.run(s, "DROP TABLE IF EXISTS " + table);
    Case.run(s, "CREATE TABLE " + table + " (k int PRIMARY KEY, " + definitions + ")");
    String insert = "INSERT INTO " + table + " (k, " + columns + ") VALUES (";
    PreparedStatement prepared = s.prepare(insert + "?" + ", ?".repeat(n) + ")");
    List<Object> bound = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      bound.add(build(prepared.getVariableDefinitions().get(i + 1).getType(), values.get(i).java()));
    }
    bound.add(0, 1);
    s.execute(prepared.bind(bound.toArray()));
    Case.run(s, insert + "2, " + literals + ")");
    bound.set(0, 3);
    Case.run(s, insert + "?" + ", ?".repeat(n) + ")", bound.toArray());
    PreparedStatement select = s.prepare("SELECT " + columns + " FROM " + table + " WHERE k = ?");
    for (int k = 1; k <= 3; k++) {
      Row row = s.execute(select.bind(k)).one();
      for (int i = 0; i < n; i++) {
        Case.equal(row.getObject(i), values.get(i).java(), values.get(i).cql() + ", row " + k);
      }
    }
  }
}
