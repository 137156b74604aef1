// Random conditions of AND, OR, NOT, IN and ranges give the same rows, in the same order, from indexes and from a scan
// of the same table without indexes. The words of the columns w and x are also in the set ws, so that a scan can find
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>

#include "base/text.h"
#include "exec/engine/engine.h"
#include "tests/sanitized.h"
#include "tests/storage_of.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

constexpr const char* kColumns =
    " (p int, c int, g int static, a int, b bigint, t text, s set<int>, m map<text, int>, f frozen<list<int>>, w text, "
    "x text, ws set<text>, PRIMARY KEY (p, c))";

// If a statement fails, this text and the error's message stand in place of the rows. Both tables give the same errors.
const std::string kError = "error: ";

// Rows as texts, each with the bytes of the value by which it is sorted; nullopt: the value is null.
using Keyed = std::vector<std::pair<std::optional<std::string>, std::string>>;

class ConditionsTest : public ::testing::Test {
 protected:
  ConditionsTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    for (const char* table : {"ks.indexed", "ks.scanned"}) Run(StrCat("CREATE TABLE ", table, kColumns));
  }

  Result<Outcome> Try(const std::string& text, const RequestParameters& parameters = {}) {
    return engine_->Execute(text, parameters);
  }
  void Run(const std::string& text) {
    const Result<Outcome> outcome = Try(text);
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }
  void RunOnBoth(const std::string& before, const std::string& after) {
    Run(before + " ks.indexed " + after);
    Run(before + " ks.scanned " + after);
  }
  int Below(int end) { return static_cast<int>(random_() % static_cast<uint32_t>(end)); }
  std::string Number(int end) { return std::to_string(Below(end)); }
  std::string Word() { return StrCat("'", std::string(1, static_cast<char>('a' + Below(5))), "'"); }

  // Returns `w = …, x = …, ws = …` with the same random words.
  std::string SetWords() {
    std::string text, set;
    for (int n = Below(4); n > 0; --n) {
      const std::string word = Word();
      text += (text.empty() ? "" : ", ") + word.substr(1, 1);
      set += (set.empty() ? "" : ", ") + word;
    }
    if (text.empty()) return "w = null, x = null, ws = {}";
    return StrCat("w = '", text, "', x = '", text, "', ws = {", set, "}");
  }
  // Writes and deletes random rows. There are few different values, so conditions find several rows. Some are null.
  void Fill(int writes) {
    for (int i = 0; i < writes; ++i) {
      const std::string p = Number(30), key = StrCat("WHERE p = ", p, " AND c = ", Number(20));
      switch (Below(15)) {
        case 0: RunOnBoth("DELETE FROM", key); break;
        case 1: RunOnBoth("DELETE FROM", StrCat("WHERE p = ", p, " AND c > ", Number(20))); break;
        case 2: RunOnBoth("UPDATE", StrCat("SET g = ", Number(4), " WHERE p = ", p)); break;
        case 3: RunOnBoth("UPDATE", StrCat("SET a = null, t = ", Word(), " ", key)); break;
        case 4:
          RunOnBoth("UPDATE", StrCat("SET s = s + {", Number(6), "}, m[", Word(), "] = ", Number(3), " ", key));
          break;
        case 5: RunOnBoth("UPDATE", StrCat("SET b = null, f = [", Number(3), "] ", key)); break;
        case 6:
        case 7:
        case 8: RunOnBoth("UPDATE", StrCat("SET ", SetWords(), " ", key)); break;
        default:
          RunOnBoth("INSERT INTO",
                    StrCat("(p, c, a, b, t, s, m) VALUES (", p, ", ", Number(20), ", ", Number(8), ", ", Number(100),
                           ", ", Word(), ", {", Number(6), ", ", Number(6), "}, {", Word(), ": ", Number(3), "})"));
      }
    }
  }

  // Returns a condition on words. A statement gets at most one LIKE.
  std::string OfWords() {
    const std::string word = Word().substr(1, 1), other = Word().substr(1, 1);
    const std::string query = Below(2) == 0 ? word : StrCat(word, " ", other);
    if (std::exchange(like_made_, true) || Below(2) == 0) return StrCat("w : '", query, "'");
    return StrCat("x LIKE '", query, "'");
  }
  // Replaces the conditions on words, which need an index, by conditions on the set of words.
  static std::string ForScan(const std::string& where) {
    static const std::regex kTwo("(w :|x LIKE) '(.) (.)'"), kOne("(w :|x LIKE) '(.)'");
    const std::string once = std::regex_replace(where, kTwo, "(ws CONTAINS '$2' AND ws CONTAINS '$3')");
    return std::regex_replace(once, kOne, "ws CONTAINS '$2'");
  }

  std::string Relation() {
    static constexpr const char* kOperators[] = {"=", "!=", "<", "<=", ">", ">="};
    const std::string op = kOperators[Below(6)];
    switch (Below(13)) {
      case 0: return StrCat("a ", op, " ", Number(8));
      case 1: return StrCat("b ", op, " ", Number(100));
      case 2: return StrCat("t ", op, " ", Word());
      case 3: return StrCat("a IN (", Number(8), ", ", Number(8), ", ", Number(8), ")");
      case 4: return StrCat("t IN (", Word(), ", ", Word(), ")");
      case 5: return StrCat("a NOT IN (", Number(8), ", ", Number(8), ")");
      case 6: return StrCat("s ", Below(3) == 0 ? "NOT " : "", "CONTAINS ", Number(6));
      case 7: return StrCat("m[", Word(), "] = ", Number(3));
      case 8: return StrCat("c ", op, " ", Number(20));
      case 9: return StrCat("b BETWEEN ", Number(100), " AND ", Number(100));
      case 10:
      case 11: return OfWords();
      default: return Below(2) == 0 ? StrCat("g = ", Number(4)) : StrCat("f = [", Number(3), "]");
    }
  }
  std::string Condition(int depth) {
    switch (depth == 0 ? 3 : Below(4)) {
      case 0: return StrCat("(", Condition(depth - 1), " OR ", Condition(depth - 1), ")");
      case 1: return StrCat("(", Condition(depth - 1), " AND ", Condition(depth - 1), ")");
      case 2: return StrCat("NOT (", Condition(depth - 1), ")");
      default: return Relation();
    }
  }

  // Returns the bytes of all rows, read in pages of `page_rows`; 0: in one page.
  std::string Rows(const std::string& text, uint32_t page_rows) {
    std::string rows;
    RequestParameters parameters{.page_rows = page_rows};
    do {
      Result<Outcome> outcome = Try(text, parameters);
      if (!outcome.ok()) return kError + outcome.error().message;
      const auto& page = std::get<RowsPage>(outcome->result);
      rows += page.body;
      parameters.paging_state = page.paging_state;
    } while (!parameters.paging_state.empty());
    return rows;
  }
  // Returns all rows, each with the value of its third column, by which they are sorted later.
  Keyed KeyedRows(const std::string& text, uint32_t page_rows) {
    Keyed rows;
    RequestParameters parameters{.page_rows = page_rows};
    do {
      Result<Outcome> outcome = Try(text, parameters);
      if (!outcome.ok()) return {{std::nullopt, kError + outcome.error().message}};
      const auto& page = std::get<RowsPage>(outcome->result);
      PageReader reader(page);
      for (std::vector<ValueView> row; reader.Next(row);) {
        std::string values;
        for (const ValueView& value : row) values += (value ? ToHex(*value) : "null") + " ";
        std::optional<std::string> key;
        if (row[2]) key.emplace(*row[2]);
        rows.emplace_back(std::move(key), std::move(values));
      }
      parameters.paging_state = page.paging_state;
    } while (!parameters.paging_state.empty());
    return rows;
  }
  std::string Explained(const std::string& text) {
    const Result<Outcome> outcome = Try("EXPLAIN " + text);
    return outcome.ok() ? std::get<RowsPage>(outcome->result).body : outcome.error().message;
  }

  std::mt19937 random_{20'261'124};
  bool like_made_ = true;  // True if the statement may have no further LIKE.
  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(ConditionsTest, IndexesFindWhatAScanFinds) {
  const std::vector<std::string> targets = {"a", "b", "t", "c", "s", "ENTRIES(m)", "FULL(f)", "g"};
  for (const std::string& target : targets) Run(StrCat("CREATE INDEX ON ks.indexed (", target, ") USING 'sai'"));
  Fill(600);
  Run("CREATE INDEX ON ks.indexed (w) USING 'sai' WITH OPTIONS = {'index_analyzer': 'standard'}");
  Run("CREATE CUSTOM INDEX ON ks.indexed (x) USING 'org.apache.cassandra.index.sasi.SASIIndex' "
      "WITH OPTIONS = {'analyzed': 'true'}");
  const int rounds = kSanitized ? 1'000 : 10'000;
  int by_index = 0, answers = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i % 50 == 0) Fill(5);
    like_made_ = false;
    std::string where = Condition(3);
    if (Below(4) == 0) where = StrCat("p = ", Number(30), " AND ", where);
    if (Below(8) == 0) where = StrCat(Relation(), " AND ", where);
    const std::string after = StrCat(" WHERE ", where, Below(4) == 0 ? " LIMIT 7" : "", " ALLOW FILTERING");
    const uint32_t page_rows = Below(2) == 0 ? 0 : static_cast<uint32_t>(1 + Below(9));
    const std::string select = "SELECT * FROM ks.indexed" + after;
    const std::string found = Rows(select, page_rows);
    ASSERT_EQ(found, Rows("SELECT * FROM ks.scanned" + ForScan(after), 0)) << select << "\n" << Explained(select);
    answers += found.empty() || found.starts_with(kError) ? 0 : 1;
    by_index += Explained(select).find("IndexScan") != std::string::npos ? 1 : 0;
  }
  // The conditions are worth testing only if indexes serve many of them and many find rows.
  EXPECT_GT(by_index, rounds / 4);
  EXPECT_GT(answers, rounds / 4);
}

// Returns the rows, which are in the order of the table, in the order of ORDER BY.
Keyed Ordered(Keyed rows, bool descending) {
  // The values are texts, or numbers that are not negative: their bytes have the order of the values.
  const auto less = [](const auto& a, const auto& b) { return a.first && (!b.first || *a.first < *b.first); };
  std::stable_sort(rows.begin(), rows.end(), less);
  const auto nulls = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return !row.first; });
  if (descending) std::reverse(rows.begin(), nulls);
  return rows;
}

TEST_F(ConditionsTest, OrderByAnIndexedColumnSortsWhatAScanFinds) {
  for (const char* target : {"a", "b", "t", "c"}) Run(StrCat("CREATE INDEX ON ks.indexed (", target, ") USING 'sai'"));
  Run("CREATE INDEX ON ks.indexed (w) USING 'sai' WITH OPTIONS = {'index_analyzer': 'standard'}");
  Fill(600);
  const int rounds = kSanitized ? 300 : 3'000;
  int answers = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i % 50 == 0) Fill(5);
    static constexpr const char* kOrders[] = {"a", "b", "t", "c"};
    const char* const by = kOrders[Below(4)];
    const bool descending = Below(2) == 0, of_partition = Below(4) == 0 && *by != 'c';
    const std::string columns = StrCat("SELECT p, c, ", by, ", s, g FROM ks.");
    std::string where = of_partition ? StrCat(" WHERE p = ", Number(30)) : "";
    for (int n = Below(3); n > 0; --n) where += StrCat(where.empty() ? " WHERE " : " AND ", Condition(2));
    const std::string select = StrCat(columns, "indexed", where, " ORDER BY ", by, descending ? " DESC" : "");
    Keyed expected = KeyedRows(StrCat(columns, "scanned", ForScan(where), " ALLOW FILTERING"), 0);
    // The scan returns a partition that has only static values as a row whose `c` is null. ORDER BY a column that is
    // not static does not return this row.
    std::erase_if(expected, [](const auto& row) { return row.second.find(" null") == row.second.find(' '); });
    expected = Ordered(std::move(expected), descending);
    answers += expected.empty() || expected[0].second.starts_with(kError) ? 0 : 1;
    const uint32_t page_rows = Below(2) == 0 ? 0 : static_cast<uint32_t>(1 + Below(9));
    if (Below(3) == 0) {
      const size_t limit = 1 + Below(10);
      if (expected.size() > limit) expected.resize(limit);
      const std::string limited = StrCat(select, " LIMIT ", limit, " ALLOW FILTERING");
      ASSERT_EQ(KeyedRows(limited, page_rows), expected) << limited << "\n" << Explained(limited);
    } else {
      ASSERT_EQ(KeyedRows(select + " ALLOW FILTERING", page_rows), expected) << select << "\n" << Explained(select);
    }
  }
  EXPECT_GT(answers, rounds / 4);
}

}  // namespace
}  // namespace widerow
