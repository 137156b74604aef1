// The class Words makes parts of statements. RandomWrite joins them to INSERT, UPDATE, DELETE and batches.
// RandomQuestion makes conditions of WHERE, and then chooses the other clauses. The answer must not depend on the order
// in which a design stores its partitions. So LIMIT occurs only with ORDER BY within one value of `a`.
#include "tests/alike/statements.h"

#include <vector>

#include "base/text.h"

namespace widerow::alike {
namespace {

class Words {
 public:
  Words(const Columns& columns, std::mt19937& random) : columns_(columns), random_(random) {}
  Permits permits() const { return columns_.permits; }
  bool times() const { return columns_.times; }

  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }
  template <typename T>
  const T& OneOf(const std::vector<T>& values) {
    return values[static_cast<size_t>(Below(static_cast<int>(values.size())))];
  }

  std::string A() { return "'" + OneOf(NamesOfA()) + "'"; }
  std::string B() { return std::to_string(Below(20) * (times() ? int64_t{11} * 86'400'000 : 1)); }
  std::string C() { return std::to_string(Below(4)); }
  std::string V() { return OneIn(8) ? "null" : std::to_string(Below(6)); }
  std::string W() { return OneIn(8) ? "null" : OneOf(kTexts); }
  std::string S() { return OneIn(5) ? "null" : std::to_string(Below(3)); }
  std::string Key() { return "a = " + A() + " AND b = " + B() + " AND c = " + C(); }
  std::string List(std::string (Words::*value)()) {
    std::string list = "(" + (this->*value)();
    for (int more = Below(4); more > 0; --more) list += ", " + (this->*value)();
    return list + ")";
  }
  // Returns a condition on a column: = and IN three times of four, otherwise a range.
  std::string On(const std::string& column, std::string (Words::*value)()) {
    if (OneIn(2)) return column + " = " + (this->*value)();
    if (OneIn(2)) return column + " IN " + List(value);
    if (OneIn(3)) return column + " >= " + (this->*value)() + " AND " + column + " < " + (this->*value)();
    return column + OneOf(kRanges) + (this->*value)();
  }
  std::string NotNull(std::string (Words::*value)()) {
    std::string text = "null";
    while (text == "null") text = (this->*value)();
    return text;
  }
  std::string TestOfV() { return "v" + OneOf(kComparisons) + NotNull(&Words::V); }
  std::string TestOfW() { return "w" + OneOf(kComparisons) + NotNull(&Words::W); }
  std::string TestOfS() { return "s = " + NotNull(&Words::S); }

 private:
  const std::vector<std::string> kTexts{"'x'", "'y'", "''", "'xyz'", "'Xy'"};
  const std::vector<std::string> kRanges{" > ", " >= ", " < ", " <= "};
  const std::vector<std::string> kComparisons{" = ", " = ", " > ", " >= ", " < ", " <= ", " != "};
  const Columns columns_;
  std::mt19937& random_;
};

// A SELECT shows or omits a row whose marker has expired, depending on its columns (tests/cql/time/expired_marker.cql).
// A view, which has a marker of its own, shows the row in more cases. So there is no TTL where there are views.
std::string Ttl(Words& words) {
  return words.permits() == Permits::kAll && words.OneIn(8) ? " USING TTL " + std::to_string(1 + words.Below(40)) : "";
}

std::string Insert(Words& words) {
  std::string columns = "a, b, c", values = words.A() + ", " + words.B() + ", " + words.C();
  const bool whole = words.permits() == Permits::kWholeInserts;
  if (whole || !words.OneIn(4)) columns += ", v", values += ", " + words.V();
  if (whole || !words.OneIn(3)) columns += ", w", values += ", " + words.W();
  if (whole || words.OneIn(4)) columns += ", s", values += ", " + words.S();
  return "INSERT INTO @ (" + columns + ") VALUES (" + values + ")" + Ttl(words);
}

std::string Update(Words& words) {
  if (words.permits() == Permits::kAll && words.OneIn(6))
    return "UPDATE @ SET s = " + words.S() + " WHERE a = " + words.A();
  std::string set = words.OneIn(3) ? "w = " + words.W() : "v = " + words.V();
  if (words.OneIn(4)) set = "v = " + words.V() + ", w = " + words.W() + ", s = " + words.S();
  std::string where = words.Key();
  if (words.OneIn(6)) where = "a = " + words.A() + " AND b = " + words.B() + " AND c IN " + words.List(&Words::C);
  return "UPDATE @" + Ttl(words) + " SET " + set + " WHERE " + where;
}

std::string Delete(Words& words) {
  if (words.permits() == Permits::kAll && words.OneIn(2)) {
    const std::string partition = "DELETE FROM @ WHERE a = " + words.A();
    switch (words.Below(5)) {
      case 0: return partition;
      case 1: return partition + " AND b >= " + words.B() + " AND b < " + words.B();
      case 2: return partition + " AND b = " + words.B() + " AND c > " + words.C();
      case 3: return partition + " AND b = " + words.B();
      default: return "DELETE s FROM @ WHERE a = " + words.A();
    }
  }
  const std::string columns = words.permits() == Permits::kWholeInserts || words.OneIn(2) ? ""
                              : words.OneIn(2)                                            ? "v "
                                                                                          : "v, w ";
  return "DELETE " + columns + "FROM @ WHERE " + words.Key();
}

std::string Plain(Words& words) {
  const int dice = words.Below(10);
  if (dice < 5) return Insert(words);
  if (dice < 8 && words.permits() != Permits::kWholeInserts) return Update(words);
  return Delete(words);
}

// Returns a write with a condition. Its answer has the row that did not meet the condition.
std::string Conditional(Words& words) {
  switch (words.Below(4)) {
    case 0:
      return "INSERT INTO @ (a, b, c, v) VALUES (" + words.A() + ", " + words.B() + ", " + words.C() + ", " +
             words.V() + ") IF NOT EXISTS";
    case 1: return "UPDATE @ SET v = " + words.V() + " WHERE " + words.Key() + " IF v = " + words.V();
    case 2: return "UPDATE @ SET w = " + words.W() + " WHERE " + words.Key() + " IF EXISTS";
    default: return "DELETE FROM @ WHERE " + words.Key() + " IF v IN (1, 2, 3)";
  }
}

}  // namespace

std::string RandomWrite(const Columns& columns, std::mt19937& random) {
  Words words(columns, random);
  if (words.OneIn(12) && words.permits() != Permits::kWholeInserts) return Conditional(words);
  if (!words.OneIn(8)) return Plain(words);
  std::string batch = "BEGIN BATCH ";
  for (int parts = 2 + words.Below(4); parts > 0; --parts) batch += Plain(words) + "; ";
  return batch + "APPLY BATCH";
}

Question RandomQuestion(const Columns& columns, std::mt19937& random) {
  Words words(columns, random);
  std::vector<std::string> conditions;
  const bool one_a = words.OneIn(3);
  if (one_a) {
    conditions.push_back("a = " + words.A());
  } else if (words.OneIn(2)) {
    conditions.push_back(words.On("a", &Words::A));
  }
  if (words.OneIn(5)) {
    conditions.push_back("(b, c)" + std::string(words.OneIn(2) ? " >= " : " < ") + "(" + words.B() + ", " + words.C() +
                         ")");
  } else {
    if (words.OneIn(2)) conditions.push_back(words.On("b", &Words::B));
    if (words.OneIn(4)) conditions.push_back(words.On("c", &Words::C));
  }
  if (words.OneIn(4)) conditions.push_back(words.TestOfV());
  if (words.OneIn(5)) conditions.push_back(words.TestOfW());
  if (words.OneIn(9)) conditions.push_back(words.TestOfS());
  if (words.OneIn(9)) conditions.push_back("(" + words.TestOfV() + " OR " + words.TestOfW() + ")");
  const std::string where = conditions.empty() ? "" : " WHERE " + JoinNames(conditions, " AND ");
  const std::string filtering = words.OneIn(6) ? "" : " ALLOW FILTERING";
  const std::vector<std::string> outputs{"a, b, c, v, w, s", "a, b, c, v", "b, c, w, s", "a, s, ttl(v), w"};
  const std::vector<std::string> aggregates{"count(*), sum(v), min(w)", "count(v), max(b), avg(v)", "min(a), max(c)"};
  if (words.OneIn(6)) return {"SELECT " + words.OneOf(aggregates) + " FROM @" + where + filtering};
  if (words.OneIn(6)) {
    const std::vector<std::string> groups{"a",       "a, b", "b",
                                          "a, b, c", "b, c", words.times() ? "a, floor(b, 1mo)" : "a, floor(b, 5)"};
    const std::string& by = words.OneOf(groups);
    return {"SELECT " + by + ", count(*), max(v), min(c) FROM @" + where + " GROUP BY " + by + filtering};
  }
  const std::string direction = words.OneIn(2) ? " DESC" : "";
  const std::string some = std::to_string(1 + words.Below(4));
  if (one_a && words.OneIn(5)) {
    return {"SELECT a, b, count(*), max(v) FROM @" + where + " GROUP BY a, b ORDER BY b" + direction + " LIMIT " +
                some + filtering,
            true};
  }
  if (words.OneIn(12)) {
    return {"SELECT b, a, count(*), sum(v) FROM @ WHERE a IN " + words.List(&Words::A) +
                " AND b >= 0 GROUP BY a, b ORDER BY b" + direction,
            false, true};
  }
  if (words.permits() == Permits::kAll && words.OneIn(10)) {
    return {"SELECT a, b, count(*), sum(v) FROM @" + where + " GROUP BY a, b PER PARTITION LIMIT " + some + filtering,
            false, false, true};
  }
  if (words.permits() == Permits::kAll && words.OneIn(10)) {
    return {
        "SELECT a, b, c, v FROM @" + where + " PER PARTITION LIMIT " + std::to_string(1 + words.Below(3)) + filtering,
        false, false, true};
  }
  if (words.OneIn(10)) {
    // b >= 0 leaves out partitions that have only static values: their place follows the stored order, as in Cassandra.
    return {"SELECT b, a, c, v FROM @ WHERE a IN " + words.List(&Words::A) + " AND b >= 0 ORDER BY b" +
                (words.OneIn(2) ? " DESC" : ""),
            false, true};
  }
  if (words.permits() == Permits::kAll && words.OneIn(10))
    return {"SELECT DISTINCT a, s FROM @" + (one_a ? where : "") + filtering};
  if (one_a && words.OneIn(2)) {
    const std::string limit = words.OneIn(2) ? " LIMIT " + std::to_string(1 + words.Below(9)) : "";
    return {"SELECT a, b, c, v, w FROM @" + where + " ORDER BY b" + (words.OneIn(2) ? " DESC" : "") + limit + filtering,
            true};
  }
  return {"SELECT " + words.OneOf(outputs) + " FROM @" + where + filtering};
}

}  // namespace widerow::alike
