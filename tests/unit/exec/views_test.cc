// A materialized view must always have the rows of its base table, under another key.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "storage/storage_engine.h"
#include "tests/storage_of.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// A view, and a SELECT on its base table that must give the same rows. The test compares both as sets of texts.
struct Definition {
  const char* name;
  const char* create;
  const char* of_view;  // A SELECT on the view. It selects the same columns as the SELECT on the table.
  const char* of_base;
  bool (*shows)(const std::vector<ValueView>& row);
};

// If a partition has only a static value, a SELECT on the table gives a row with null in `c`. No view has this row.
bool ShowsAll(const std::vector<ValueView>& row) { return row[1].has_value(); }
bool ShowsWithV(const std::vector<ValueView>& row) { return row[1] && row[2]; }
bool ShowsSome(const std::vector<ValueView>& row) {
  return row[1] && DecodeInteger(*row[1]) >= 2 && DecodeInteger(*row[0]) != 0;
}

const Definition kViews[] = {
    {"by_v",
     "CREATE MATERIALIZED VIEW ks.by_v AS SELECT k, c, v, a, s FROM ks.t WHERE k IS NOT NULL AND c IS NOT NULL AND v "
     "IS NOT NULL PRIMARY KEY (v, k, c)",
     "SELECT k, c, v, a, s, writetime(a) FROM ks.by_v", "SELECT k, c, v, a, s, writetime(a) FROM ks.t", ShowsWithV},
    {"turned",
     "CREATE MATERIALIZED VIEW ks.turned AS SELECT k, c, a FROM ks.t WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY "
     "(c, k)",
     "SELECT k, c, a, writetime(a) FROM ks.turned", "SELECT k, c, a, writetime(a) FROM ks.t", ShowsAll},
    {"some",
     "CREATE MATERIALIZED VIEW ks.some AS SELECT k, c, v FROM ks.t WHERE k IN (1, 2, 3, 4, 5, 6, 7) AND c >= 2 "
     "PRIMARY KEY ((c, k))",
     "SELECT k, c, v FROM ks.some", "SELECT k, c, v FROM ks.t", ShowsSome},
};

class ViewsTest : public testing::Test {
 protected:
  void SetUp() override {
    Open();
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (k int, c int, v int, a int, b int, s set<int>, g int static, PRIMARY KEY (k, c))");
    for (const Definition& view : kViews) Run(view.create);
  }
  void Open() {
    engine_.reset();
    auto storage = OpenLmdbEngine(
        {.directory = directory_.path(), .map_bytes = uint64_t{4} << 30, .durability = Durability::kNone});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{});
  }
  void Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }

  // Returns the rows of the SELECT that `shows` accepts, sorted. Each row is one text of hex digits.
  std::vector<std::string> Rows(const char* select, bool (*shows)(const std::vector<ValueView>&)) {
    std::vector<std::string> rows;
    const Result<Outcome> outcome = engine_->Execute(select, {});
    EXPECT_TRUE(outcome.ok()) << select << ": " << outcome.error().message;
    if (!outcome.ok()) return rows;
    PageReader reader(std::get<RowsPage>(outcome->result));
    std::vector<ValueView> row;
    while (reader.Next(row)) {
      if (!shows(row)) continue;
      std::string text;
      for (const ValueView& value : row) text += (value ? ToHex(*value) : "null") + " ";
      rows.push_back(std::move(text));
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // Returns the number of stored keys of a view, including the keys that reads do not show.
  size_t StoredRows(const char* name) {
    const TablePtr view = engine_->schema()->FindTable("ks", name);
    Slice slice;
    slice.table = view;
    slice.partitions = Slice::TokenRange{};
    const auto stored = StorageOf(*engine_).OpenView();
    auto cursor = (*stored)->OpenSlice(slice);
    EXPECT_TRUE(cursor.ok());
    size_t rows = 0;
    RowView row;
    while (*(*cursor)->Next(row)) rows += row.marker.present() ? 1 : 0;
    return rows;
  }

  void Compare(const std::string& after) {
    for (const Definition& view : kViews) {
      const std::vector<std::string> shown = Rows(view.of_view, ShowsAll);
      ASSERT_EQ(shown, Rows(view.of_base, view.shows)) << view.name << " after " << after;
      // The view has no stored keys other than those of the shown rows.
      ASSERT_EQ(StoredRows(view.name), shown.size()) << view.name << " after " << after;
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

class RandomWrites {
 public:
  explicit RandomWrites(uint64_t seed) : random_(seed) {}

  std::string Next() {
    if (Below(10) != 0) return One();
    std::string batch = "BEGIN BATCH ";
    for (uint64_t parts = 2 + Below(4); parts > 0; --parts) batch += One(/*conditions=*/false) + "; ";
    return batch + "APPLY BATCH";
  }

 private:
  uint64_t Below(uint64_t end) { return random_() % end; }
  std::string Number(uint64_t end) { return std::to_string(Below(end)); }
  std::string Key() { return "k = " + Number(8) + " AND c = " + Number(5); }
  // Returns a USING clause, or nothing. A third of the writes have one of fifty old timestamps, so that equal
  // timestamps are common. The other writes have the time of the clock.
  std::string Using() { return Below(3) == 0 ? " USING TIMESTAMP " + std::to_string(1'000'000 + Below(50)) : ""; }
  std::string Value() { return Below(4) == 0 ? "null" : Number(4); }

  std::string One(bool conditions = true) {
    switch (Below(12)) {
      case 0:
      case 1:
        return "INSERT INTO ks.t (k, c, v, a, b) VALUES (" + Number(8) + ", " + Number(5) + ", " + Value() + ", " +
               Value() + ", " + Value() + ")" + Using();
      case 2: return "INSERT INTO ks.t (k, c) VALUES (" + Number(8) + ", " + Number(5) + ")" + Using();
      case 3:
      case 4: return "UPDATE ks.t" + Using() + " SET v = " + Value() + " WHERE " + Key();
      case 5: return "UPDATE ks.t" + Using() + " SET a = " + Value() + ", b = " + Value() + " WHERE " + Key();
      case 6:
        return "UPDATE ks.t" + Using() + " SET s = s " + (Below(2) == 0 ? "+" : "-") + " {" + Number(3) + "} WHERE " +
               Key();
      case 7: return "DELETE FROM ks.t" + Using() + " WHERE " + Key();
      case 8: return std::string("DELETE ") + (Below(2) == 0 ? "v" : "a") + " FROM ks.t" + Using() + " WHERE " + Key();
      case 9:
        return "DELETE FROM ks.t" + Using() + " WHERE k = " + Number(8) +
               (Below(2) == 0 ? "" : " AND c > " + Number(5));
      case 10:
        if (conditions) return "UPDATE ks.t SET v = " + Number(4) + " WHERE " + Key() + " IF EXISTS";
        return "UPDATE ks.t SET v = " + Number(4) + " WHERE " + Key();
      default: return "INSERT INTO ks.t (k, g) VALUES (" + Number(8) + ", " + Number(4) + ")" + Using();
    }
  }

  std::mt19937_64 random_;
};

TEST_F(ViewsTest, EqualWhatTheyAreDefinedToBeAfterEveryWrite) {
  RandomWrites writes(7);
  for (int i = 0; i < 1'500; ++i) {
    const std::string text = writes.Next();
    Run(text);
    ASSERT_NO_FATAL_FAILURE(Compare(text));
    if (i % 500 == 250) { ASSERT_TRUE(engine_->Flush().ok()); }
    if (i % 500 == 499) Open();
  }
}

TEST_F(ViewsTest, AreEmptyAfterTruncate) {
  RandomWrites writes(8);
  for (int i = 0; i < 200; ++i) Run(writes.Next());
  Run("TRUNCATE ks.t");
  for (const Definition& view : kViews) EXPECT_EQ(StoredRows(view.name), 0u) << view.name;
  for (int i = 0; i < 200; ++i) Run(writes.Next());
  Compare("TRUNCATE and writes");
}

// A snapshot shows a table and its views at the same moment.
TEST_F(ViewsTest, AreReadFromSnapshots) {
  Run("INSERT INTO ks.t (k, c, v, a) VALUES (1, 2, 3, 4)");
  const Result<SnapshotPtr> snapshot = engine_->OpenSnapshot();
  ASSERT_TRUE(snapshot.ok());
  Run("UPDATE ks.t SET v = 5, a = 6 WHERE k = 1 AND c = 2");
  const auto count = [&](const char* select, bool on_snapshot) {
    RequestParameters parameters;
    if (on_snapshot) parameters.snapshot = *snapshot;
    const Result<Outcome> outcome = engine_->Execute(select, parameters);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return std::get<RowsPage>(outcome->result).row_count;
  };
  EXPECT_EQ(count("SELECT * FROM ks.by_v WHERE v = 3 AND a = 4 ALLOW FILTERING", true), 1u);
  EXPECT_EQ(count("SELECT * FROM ks.by_v WHERE v = 5", true), 0u);
  EXPECT_EQ(count("SELECT * FROM ks.by_v WHERE v = 3", false), 0u);
  EXPECT_EQ(count("SELECT * FROM ks.by_v WHERE v = 5 AND a = 6 ALLOW FILTERING", false), 1u);
}

// If the key of a row in a view would be too long, the view leaves out the row. The row can be changed and deleted, and
// does not stop the build of the view.
TEST_F(ViewsTest, RowsWithTooLongKeysAreLeftOut) {
  constexpr auto kAll = +[](const std::vector<ValueView>&) { return true; };
  const std::string too_long(66'000, 'x');
  Run("CREATE TABLE ks.u (a int PRIMARY KEY, v text, w int)");
  for (const char* a : {"1", "2", "3"})
    Run("INSERT INTO ks.u (a, v) VALUES (" + std::string(a) + ", '" + too_long + "')");
  Run("INSERT INTO ks.u (a, v) VALUES (4, 'short')");
  Run("CREATE MATERIALIZED VIEW ks.mv AS SELECT * FROM ks.u WHERE v IS NOT NULL AND a IS NOT NULL PRIMARY KEY (v, a)");
  Run("CREATE TABLE ks.z (k int PRIMARY KEY, v int)");
  Run("INSERT INTO ks.z (k, v) VALUES (1, 1)");
  Run("CREATE INDEX ON ks.z (v)");
  const auto building = [&] {
    return Rows("SELECT view_name FROM system.view_builds_in_progress", kAll).size() +
           Rows("SELECT index_name FROM system_views.index_builds", kAll).size();
  };
  for (int waits = 0; waits < 6'000 && building() > 0; ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(building(), 0u);
  EXPECT_EQ(Rows("SELECT k FROM ks.z WHERE v = 1", kAll).size(), 1u);
  EXPECT_EQ(Rows("SELECT a FROM ks.mv", kAll).size(), 1u);
  const auto counted = [&] {
    return Rows("SELECT rows FROM system_views.partitions WHERE keyspace_name = 'ks' AND table_name = 'u'", kAll);
  };
  const auto before = counted();
  for (const std::string& statement : {"INSERT INTO ks.u (a, v) VALUES (9, '" + too_long + "')",
                                       "UPDATE ks.u SET v = '" + too_long + "' WHERE a = 4"}) {
    for (int i = 0; i < 20; ++i) {
      const Result<Outcome> refused = engine_->Execute(statement, {});
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().message, "Key length of 66000 is longer than maximum of 65535");
    }
  }
  EXPECT_EQ(counted(), before) << "writes that are refused count nothing";
  Run("UPDATE ks.u SET w = 1 WHERE a = 1");  // The key of the row in the view is still too long.
  EXPECT_EQ(Rows("SELECT a FROM ks.mv", kAll).size(), 1u);
  Run("UPDATE ks.u SET v = 'mended' WHERE a = 1");
  Run("DELETE FROM ks.u WHERE a = 2");
  Run("DELETE v FROM ks.u WHERE a = 3");
  EXPECT_EQ(Rows("SELECT a, w FROM ks.mv WHERE v = 'mended'", kAll).size(), 1u);
  EXPECT_EQ(StoredRows("mv"), 2u);
}

}  // namespace
}  // namespace widerow
