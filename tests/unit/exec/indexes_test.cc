// Tests of indexes that scripts cannot express: thousands of rows, builds while others write, bulk loads, pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>

#include "exec/derived/derived_builder.h"
#include "exec/derived/maintenance.h"
#include "exec/engine/bulk_insert.h"
#include "exec/engine/engine.h"
#include "storage/engine/lmdb_engine.h"
#include "tests/storage_of.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class IndexesTest : public ::testing::Test {
 protected:
  IndexesTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (k int, c int, v int, w int, PRIMARY KEY (k, c))");
  }

  Outcome Run(const std::string& text, const RequestParameters& parameters = {}) {
    Result<Outcome> outcome = engine_->Execute(text, parameters);
    if (outcome.ok()) return std::move(*outcome);
    ADD_FAILURE() << text << ": " << outcome.error().message;
    return {};
  }
  // Returns the first two columns of each row, read in pages of `page_rows`.
  std::vector<std::pair<int64_t, int64_t>> Pairs(const std::string& text, uint32_t page_rows = 0) {
    std::vector<std::pair<int64_t, int64_t>> out;
    RequestParameters parameters{.page_rows = page_rows};
    do {
      const Outcome outcome = Run(text, parameters);
      const auto* page = std::get_if<RowsPage>(&outcome.result);
      if (page == nullptr) return out;
      PageReader reader(*page);
      for (std::vector<ValueView> row; reader.Next(row);)
        out.emplace_back(DecodeInteger(*row[0]), DecodeInteger(*row[1]));
      parameters.paging_state = page->paging_state;
    } while (!parameters.paging_state.empty());
    return out;
  }
  static BoundValue Int(int32_t number) { return {BoundValue::Kind::kValue, EncodeInteger(TypeKind::kInt, number)}; }
  // Inserts the rows `begin` to `end` - 1. In row n, k is n modulo 100, v is n modulo 7, and c and w are n.
  void Insert(int begin, int end) {
    const PreparedPtr insert = engine_->Prepare("INSERT INTO t (k, c, v, w) VALUES (?, ?, ?, ?)", "ks").value();
    for (int i = begin; i < end; i += 100) {
      std::vector<BatchEntry> entries;
      for (int n = i; n < std::min(i + 100, end); ++n)
        entries.push_back({insert, {Int(n % 100), Int(n), Int(n % 7), Int(n)}, {}});
      ASSERT_TRUE(engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {}).ok());
    }
  }
  // Waits until no index is being built.
  void WaitUntilBuilt() {
    for (int i = 0; i < 60'000; ++i) {
      if (std::get<RowsPage>(Run("SELECT index_name FROM system_views.index_builds").result).row_count == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL() << "the build does not end";
  }
  // Returns the number of stored rows of an index or a view. Stale rows, whose base row does not exist, count too.
  size_t Stored(const TablePtr& table) {
    const auto view = StorageOf(*engine_).OpenView().value();
    Slice slice;
    slice.table = table;
    if (table->partitioning.by_token())
      slice.partitions = Slice::TokenRange{};
    else
      slice.partitions = Slice::KeyRange{};
    const auto cursor = view->OpenSlice(slice).value();
    size_t stored = 0;
    for (RowView row; cursor->Next(row).value();) stored += row.marker.present() ? 1 : 0;
    return stored;
  }
  void WaitUntilStored(const TablePtr& table, size_t rows) {
    for (int i = 0; i < 60'000 && Stored(table) != rows; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(Stored(table), rows) << table->name;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

// TRUNCATE PARTITION and DROP PARTITION read no row. A background thread removes the rows of indexes and views later,
// even if the server was stopped in between.
TEST_F(IndexesTest, WhatIsLeftOfAnEmptiedPartitionGoes) {
  Run("CREATE TABLE ks.r (k int, c int, v int, PRIMARY KEY (k, c)) PARTITION BY RANGE (k) "
      "(PARTITION p0 VALUES LESS THAN (50), PARTITION p1 VALUES LESS THAN (100))");
  Run("CREATE INDEX by_v ON ks.r (v)");
  Run("CREATE MATERIALIZED VIEW ks.turned AS SELECT * FROM ks.r WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, "
      "k)");
  const PreparedPtr insert = engine_->Prepare("INSERT INTO r (k, c, v) VALUES (?, ?, ?)", "ks").value();
  for (int i = 0; i < 3'000; ++i)
    ASSERT_TRUE(engine_->ExecutePrepared(*insert, {.values = {Int(i % 100), Int(i), Int(i % 7)}}).ok());
  const auto entries = [this] { return engine_->schema()->FindTable("ks", "r")->FindIndex("by_v")->entries; };
  const auto turned = [this] { return engine_->schema()->FindTable("ks", "turned"); };
  EXPECT_EQ(Stored(entries()), 3'000u);
  Run("ALTER TABLE ks.r TRUNCATE PARTITION p0");
  // One of the truncated rows is written again at once.
  ASSERT_TRUE(engine_->ExecutePrepared(*insert, {.values = {Int(0), Int(0), Int(0)}}).ok());
  WaitUntilStored(entries(), 1'501);
  WaitUntilStored(turned(), 1'501);
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.r WHERE v = 0 AND k = 0"), (std::vector<std::pair<int64_t, int64_t>>{{0, 0}}));
  Run("ALTER TABLE ks.r DROP PARTITION p1");
  engine_.reset();
  engine_ = OpenEngine(directory_);
  WaitUntilStored(entries(), 1);
  WaitUntilStored(turned(), 1);
}

// If a partition is emptied, or dropped and added again, its new rows have other stored keys
// (Partitioning::SamePlaces). Index entries contain stored keys. So a build that began before such a change cannot be
// finished.
TEST_F(IndexesTest, PlacesChangeWhenAPartitionComesBack) {
  Run("CREATE TABLE ks.l (k int, c int, PRIMARY KEY (k, c)) PARTITION BY LIST (k) (PARTITION x VALUES IN (1), "
      "PARTITION y VALUES IN (2))");
  Run("CREATE TABLE ks.r (k int, c int, PRIMARY KEY (k, c)) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN "
      "(9))");
  const auto changes = [this](const std::string& table, const std::string& change) {
    const TablePtr before = engine_->schema()->FindTable("ks", table);
    Run("ALTER TABLE ks." + table + ' ' + change);
    return !engine_->schema()->FindTable("ks", table)->partitioning.SamePlaces(before->partitioning);
  };
  EXPECT_TRUE(changes("l", "DROP PARTITION x"));
  EXPECT_TRUE(changes("l", "ADD PARTITION x VALUES IN (1)"));
  EXPECT_TRUE(changes("l", "TRUNCATE PARTITION y"));
  EXPECT_TRUE(changes("r", "TRUNCATE PARTITION p0"));
  EXPECT_FALSE(changes("r", "SPLIT PARTITION p0 AT (5) INTO (PARTITION p0, PARTITION p1)"));
}

TEST_F(IndexesTest, ARangeOfManyValuesIsInTheTablesOrder) {
  Run("CREATE INDEX ON ks.t (w) USING 'sai'");
  Insert(0, 5'000);
  const auto all = Pairs("SELECT k, c FROM ks.t");
  ASSERT_EQ(all.size(), 5'000u);
  for (const uint32_t page_rows : {0u, 999u, 50u}) {
    EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE w >= 0", page_rows), all);
    std::vector<std::pair<int64_t, int64_t>> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [](const auto& row) { return row.second >= 1'234 && row.second < 4'321; });
    EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE w >= 1234 AND w < 4321", page_rows), some);
  }
}

// An index finds the rows of the LIKE condition. No index serves v = 3, which filters these rows. So a page may need
// more index entries than expected, and the entries are collected in several rounds.
TEST_F(IndexesTest, AFilterBesideARangeMayTakeManyEntries) {
  Run("ALTER TABLE ks.t ADD s text");
  Run("CREATE CUSTOM INDEX ON ks.t (s) USING 'org.apache.cassandra.index.sasi.SASIIndex' WITH OPTIONS = {'mode': "
      "'CONTAINS'}");
  Insert(0, 5'000);
  for (const auto& [k, c] : Pairs("SELECT k, c FROM ks.t")) {
    const std::string key = " WHERE k = " + std::to_string(k) + " AND c = " + std::to_string(c);
    Run("UPDATE ks.t SET s = 'x" + std::to_string(c) + "y'" + key);
  }
  const auto wanted = Pairs("SELECT k, c FROM ks.t WHERE v = 3 ALLOW FILTERING");
  for (const uint32_t page_rows : {0u, 500u, 50u}) {
    EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE s LIKE '%y' AND v = 3 ALLOW FILTERING", page_rows), wanted);
  }
}

TEST_F(IndexesTest, ARangeOfVeryManyEntriesIsReadFromTheTable) {
  Run("CREATE INDEX ON ks.t (w) USING 'sai'");
  Run("CREATE INDEX ON ks.t (v) USING 'sai'");
  Insert(0, 6'000);
  const auto examined = [this](const std::string& where) {
    const Outcome outcome = Run("EXPLAIN ANALYZE SELECT k, c FROM ks.t WHERE " + where);
    PageReader reader(std::get<RowsPage>(outcome.result));
    for (std::vector<ValueView> row; reader.Next(row);) {
      const size_t at = row[0]->find("examined");
      if (at != ByteView::npos) return std::string(row[0]->substr(0, at + 8));
    }
    return std::string("nothing");
  };
  EXPECT_EQ(examined("w >= 5500"), "  rows     500 examined");
  EXPECT_EQ(examined("w >= 3000"), "  rows     6,000 examined");
  EXPECT_EQ(examined("w >= 3000 AND v >= 1"), "  rows     6,000 examined");
  EXPECT_EQ(examined("w >= 3000 AND v = 1"), "  rows     857 examined") << "by term, if both have many";
  EXPECT_EQ(examined("k = 7 AND w >= 3000"), "  rows     60 examined");
  EXPECT_EQ(examined("token(k) > 0 AND w >= 5500"), "  rows     240 examined");
}

TEST_F(IndexesTest, ARangeReadFromATableThatIsNotInTokenOrder) {
  Run("CREATE TABLE ks.r (k int, c int, w int, PRIMARY KEY (k, c)) PARTITION BY RANGE (k) "
      "(PARTITION p0 VALUES LESS THAN (50), PARTITION p1 VALUES LESS THAN (100))");
  Run("CREATE INDEX ON ks.r (w) USING 'sai'");
  const PreparedPtr insert = engine_->Prepare("INSERT INTO r (k, c, w) VALUES (?, ?, ?)", "ks").value();
  const auto fill = [&](int k_end) {
    for (int i = 0; i < 3'000; ++i) {
      if (i % 100 >= k_end) continue;
      ASSERT_TRUE(engine_->ExecutePrepared(*insert, {.values = {Int(i % 100), Int(i), Int(i)}}).ok());
    }
  };
  const auto compare = [&](const std::string& where) {
    const auto wanted = Pairs("SELECT k, c FROM ks.r WHERE c >= 0 " + where + " ALLOW FILTERING");
    EXPECT_FALSE(wanted.empty()) << where;
    for (const uint32_t page_rows : {0u, 100u})
      EXPECT_EQ(Pairs("SELECT k, c FROM ks.r WHERE w >= 0 " + where, page_rows), wanted) << where;
    const auto counted = Pairs("SELECT count(*), count(w) FROM ks.r WHERE w >= 0 " + where);
    EXPECT_EQ(counted.at(0).first, static_cast<int64_t>(wanted.size())) << where;
  };
  fill(100);
  compare("");
  compare("AND token(k) > 0");
  compare("AND token(k) <= 0");
  Run("ALTER TABLE ks.r TRUNCATE PARTITION p0");
  fill(10);
  compare("");
  compare("AND token(k) > 0");
}

TEST_F(IndexesTest, ARangeReadFromOnePartitionObeysABoundOnItsToken) {
  Run("CREATE TABLE ks.p (k int, c int, w int, PRIMARY KEY (k, c)) PARTITION BY KEY (k) PARTITIONS 2");
  Run("CREATE INDEX ON ks.p (w) USING 'sai'");
  const PreparedPtr insert = engine_->Prepare("INSERT INTO p (k, c, w) VALUES (1, ?, ?)", "ks").value();
  for (int i = 0; i < 1'200; ++i) ASSERT_TRUE(engine_->ExecutePrepared(*insert, {.values = {Int(i), Int(i)}}).ok());
  // token(1) is negative. So the first SELECT finds all rows, and the second one finds none.
  for (const uint32_t page_rows : {0u, 500u}) {
    EXPECT_EQ(Pairs("SELECT k, c FROM ks.p WHERE k = 1 AND token(k) < 0 AND w >= 0", page_rows).size(), 1'200u);
    EXPECT_EQ(Pairs("SELECT k, c FROM ks.p WHERE k = 1 AND token(k) > 0 AND w >= 0", page_rows).size(), 0u);
  }
}

// With 1,000 entries in the range, the server reads the index. With 1,150 entries, it reads the table. Between two
// pages, the test adds or removes 150 entries, which belong to rows after the first page.
TEST_F(IndexesTest, PagesGoOnFromIndexToTableAndBack) {
  Run("CREATE INDEX ON ks.t (w) USING 'sai'");
  Insert(0, 6'000);
  const std::string select = "SELECT k, c FROM ks.t WHERE w >= 5000";
  const auto all = Pairs(select);
  ASSERT_EQ(all.size(), 1'000u);
  const std::string first = "k = " + std::to_string(all[0].first);
  RequestParameters parameters{.page_rows = 100};
  std::vector<std::pair<int64_t, int64_t>> paged;
  for (int pages = 0; pages == 0 || !parameters.paging_state.empty(); ++pages) {
    const Outcome outcome = Run(select, parameters);
    const auto& page = std::get<RowsPage>(outcome.result);
    PageReader reader(page);
    for (std::vector<ValueView> row; reader.Next(row);)
      paged.emplace_back(DecodeInteger(*row[0]), DecodeInteger(*row[1]));
    parameters.paging_state = page.paging_state;
    for (int c = 100'000; c < 100'150 && pages % 2 == 0; ++c) {
      Run("UPDATE ks.t SET w = 5000 WHERE " + first + " AND c = " + std::to_string(c));
    }
    if (pages % 2 == 1) Run("DELETE FROM ks.t WHERE " + first + " AND c >= 100000");
  }
  EXPECT_EQ(paged, all);
}

TEST_F(IndexesTest, WritesDuringABuildAreInTheIndex) {
  Insert(0, 4'000);
  std::jthread writer([this] {
    for (int i = 0; i < 300; ++i) {
      const std::string key =
          " WHERE k = " + std::to_string(i % 100) + " AND c = " + std::to_string(i * 13 % 4'000 / 100 * 100 + i % 100);
      Run(i % 3 == 0 ? "DELETE FROM ks.t" + key : "UPDATE ks.t SET v = 9" + key);
    }
  });
  Run("CREATE INDEX by_v ON ks.t (v)");
  Run("CREATE INDEX by_w ON ks.t (w) USING 'sai'");
  writer.join();
  WaitUntilBuilt();
  std::vector<std::pair<int64_t, int64_t>> nines, small;
  const Outcome outcome = Run("SELECT k, c, v, w FROM ks.t");
  PageReader reader(std::get<RowsPage>(outcome.result));
  for (std::vector<ValueView> row; reader.Next(row);) {
    const std::pair<int64_t, int64_t> key(DecodeInteger(*row[0]), DecodeInteger(*row[1]));
    if (row[2] && DecodeInteger(*row[2]) == 9) nines.push_back(key);
    if (row[3] && DecodeInteger(*row[3]) < 500) small.push_back(key);
  }
  EXPECT_FALSE(nines.empty());
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE v = 9", 50), nines);
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE w < 500", 50), small);
}

TEST_F(IndexesTest, ABulkLoadKeepsIndexesInStep) {
  Run("CREATE INDEX by_v ON ks.t (v)");
  const PreparedPtr insert = engine_->Prepare("INSERT INTO t (k, c, v, w) VALUES (?, ?, ?, ?)", "ks").value();
  auto load = engine_->OpenBulkInsert(insert, {}, {}).value();
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(load->Add(0, {Int(i % 10), Int(i), Int(i % 3), Int(i)}, load->NextTimestamp()).ok());
  }
  ASSERT_TRUE(load->Store({}).ok());
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.t").size(), 1'000u);
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE v = 1").size(), 333u);
}

TEST_F(IndexesTest, ABulkLoadThatAnIndexCatchesUpWithIsRefused) {
  const PreparedPtr insert = engine_->Prepare("INSERT INTO t (k, c, v, w) VALUES (?, ?, ?, ?)", "ks").value();
  auto load = engine_->OpenBulkInsert(insert, {}, {}).value();
  ASSERT_TRUE(load->Add(0, {Int(1), Int(1), Int(1), Int(1)}, load->NextTimestamp()).ok());
  Run("CREATE INDEX by_v ON ks.t (v)");
  const Status stored = load->Store({});
  ASSERT_FALSE(stored.ok());
  EXPECT_EQ(stored.error().message, "Table ks.t got an index or a view during the load");
  EXPECT_TRUE(Pairs("SELECT k, c FROM ks.t").empty());
}

// An INSERT that was prepared before the index was made still writes the index entries.
TEST_F(IndexesTest, StatementsPreparedBeforeAnIndexKeepItInStep) {
  const PreparedPtr insert = engine_->Prepare("INSERT INTO t (k, c, v) VALUES (?, ?, ?)", "ks").value();
  Run("CREATE INDEX by_v ON ks.t (v)");
  ASSERT_TRUE(engine_->ExecutePrepared(*insert, {.values = {Int(1), Int(1), Int(5)}}).ok());
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE v = 5").size(), 1u);
}

// A large deletion reads only some of the rows that it deletes. So it leaves stale rows in indexes and views. No read
// may show them, and a sweep removes them.
class LargeDeletionTest : public IndexesTest {
 protected:
  LargeDeletionTest() {
    Run("CREATE TABLE ks.big (p int, c int, v int, PRIMARY KEY (p, c))");
    Run("CREATE INDEX by_v ON ks.big (v)");
    Run("CREATE INDEX by_c ON ks.big (c)");
    Run("CREATE MATERIALIZED VIEW ks.turned AS SELECT * FROM ks.big WHERE p IS NOT NULL AND c IS NOT NULL PRIMARY KEY "
        "(c, p)");
    Run("CREATE MATERIALIZED VIEW ks.of_v AS SELECT * FROM ks.big WHERE p IS NOT NULL AND c IS NOT NULL AND v IS NOT "
        "NULL PRIMARY KEY (v, p, c)");
  }
  // Writes the rows `begin` to `end` - 1 of partition `p`. In row n, c is n, and v is n modulo 7.
  void Fill(int p, int begin, int end) {
    const PreparedPtr insert = engine_->Prepare("INSERT INTO big (p, c, v) VALUES (?, ?, ?)", "ks").value();
    for (int i = begin; i < end; i += 100) {
      std::vector<BatchEntry> entries;
      for (int n = i; n < std::min(i + 100, end); ++n) entries.push_back({insert, {Int(p), Int(n), Int(n % 7)}, {}});
      ASSERT_TRUE(engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {}).ok());
    }
  }
  // Makes later deletions of more than `rows_max` rows leave stale rows. No sweep removes these until the engine is
  // opened again.
  void LeaveRowsStale(size_t rows_max) {
    StorageEngine& storage = StorageOf(*engine_);
    storage.SetDerivedWrites(std::make_shared<DerivedMaintenance>(
        storage, [] {}, rows_max));
  }
  std::vector<TablePtr> Derived() {
    const TablePtr big = engine_->schema()->FindTable("ks", "big");
    return {big->FindIndex("by_v")->entries, big->FindIndex("by_c")->entries,
            engine_->schema()->FindTable("ks", "turned"), engine_->schema()->FindTable("ks", "of_v")};
  }
  // Reads the rows of the table through indexes and views, with and without pages, and compares the answers with a
  // scan.
  void ExpectReadsAreRight() {
    const auto sorted = [&](const std::string& text, uint32_t page_rows = 0) {
      auto pairs = Pairs(text, page_rows);
      std::sort(pairs.begin(), pairs.end());
      return pairs;
    };
    const auto all = sorted("SELECT p, c FROM ks.big");
    for (const uint32_t page_rows : {0u, 7u}) {
      EXPECT_EQ(sorted("SELECT p, c FROM ks.turned", page_rows), all);
      EXPECT_EQ(sorted("SELECT p, c FROM ks.of_v", page_rows), all);
      for (int v = 0; v < 8; ++v) {
        const std::string value = std::to_string(v);
        std::vector<std::pair<int64_t, int64_t>> expected;
        for (const int p : {1, 2}) {
          for (const auto& [c, of_row] : Pairs("SELECT c, v FROM ks.big WHERE p = " + std::to_string(p))) {
            if (of_row == v) expected.emplace_back(p, c);
          }
        }
        EXPECT_EQ(sorted("SELECT p, c FROM ks.big WHERE v = " + value, page_rows), expected);
        EXPECT_EQ(sorted("SELECT p, c FROM ks.of_v WHERE v = " + value, page_rows), expected);
        EXPECT_EQ(Pairs("SELECT count(*), count(*) FROM ks.big WHERE v = " + value)[0].first,
                  static_cast<int64_t>(expected.size()));
        EXPECT_EQ(Pairs("SELECT count(*), count(*) FROM ks.of_v WHERE v = " + value)[0].first,
                  static_cast<int64_t>(expected.size()));
      }
    }
    EXPECT_EQ(sorted("SELECT p, c FROM ks.big WHERE c = 50"), sorted("SELECT p, c FROM ks.turned WHERE c = 50"));
  }
};

TEST_F(LargeDeletionTest, NoReadShowsWhatItLeavesAndASweepRemovesIt) {
  Fill(1, 0, 500);
  Fill(2, 0, 100);
  LeaveRowsStale(20);
  const uint64_t logged = engine_->storage().Statistics().log_bytes_appended;
  Run("DELETE FROM ks.big WHERE p = 1 AND c >= 100");
  EXPECT_LT(engine_->storage().Statistics().log_bytes_appended - logged, 8'192u) << "most entries are left";
  for (const TablePtr& table : Derived()) EXPECT_EQ(Stored(table), 580u) << table->name;
  ExpectReadsAreRight();
  // Some deleted rows are written again with their old value, and some with another value.
  Fill(1, 100, 150);
  for (int c = 150; c < 200; ++c)
    Run("INSERT INTO ks.big (p, c, v) VALUES (1, " + std::to_string(c) + ", " + std::to_string((c + 1) % 8) + ")");
  Run("UPDATE ks.big SET v = 7 WHERE p = 1 AND c = 101");
  ExpectReadsAreRight();
  EXPECT_FALSE(StorageOf(*engine_).StaleMarks().empty());
  engine_.reset();
  engine_ = OpenEngine(directory_);
  for (const TablePtr& table : Derived()) WaitUntilStored(table, 300);
  ExpectReadsAreRight();
  for (int i = 0; i < 6'000 && !StorageOf(*engine_).StaleMarks().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(StorageOf(*engine_).StaleMarks().empty());
  engine_.reset();
  engine_ = OpenEngine(directory_);
  EXPECT_TRUE(StorageOf(*engine_).StaleMarks().empty()) << "nothing is left to sweep after a restart";
}

// This test uses the engine's own limit and its own background thread.
TEST_F(LargeDeletionTest, TheSweepBeginsByItself) {
  Fill(1, 0, 3'000);
  Fill(2, 0, 100);
  Run("DELETE FROM ks.big WHERE p = 1");
  Fill(1, 0, 10);
  for (const TablePtr& table : Derived()) WaitUntilStored(table, 110);
  ExpectReadsAreRight();
}

// After a kill, the log is replayed. It contains the deletion and the mark that there are stale rows.
TEST_F(LargeDeletionTest, AKillForgetsNoMark) {
  Fill(1, 0, 500);
  ASSERT_TRUE(engine_->Flush().ok());
  LeaveRowsStale(20);
  Run("DELETE FROM ks.big WHERE p = 1 AND c >= 100");
  const ScratchDirectory killed;
  std::filesystem::copy(directory_.path(), killed.path(),
                        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  engine_ = OpenEngine(killed);
  for (const TablePtr& table : Derived()) WaitUntilStored(table, 100);
  ExpectReadsAreRight();
  engine_.reset();
}

// A deletion below the limit removes its index entries itself, so no sweep is needed.
TEST_F(LargeDeletionTest, ASmallDeletionLeavesNothing) {
  Fill(1, 0, 500);
  LeaveRowsStale(400);
  Run("DELETE FROM ks.big WHERE p = 1 AND c >= 100");
  EXPECT_TRUE(StorageOf(*engine_).StaleMarks().empty());
  for (const TablePtr& table : Derived()) EXPECT_EQ(Stored(table), 100u);
}

// If a row that is already deleted is deleted again, the writer's thread does not pass over all dead rows.
TEST_F(LargeDeletionTest, ManyDeadRowsAreNotPassed) {
  const PreparedPtr remove = engine_->Prepare("DELETE FROM big WHERE p = ? AND c = ?", "ks").value();
  for (int i = 0; i < 25'000; i += 500) {
    std::vector<BatchEntry> entries;
    for (int n = i; n < i + 500; ++n) entries.push_back({remove, {Int(1), Int(n)}, {}});
    ASSERT_TRUE(engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {}).ok());
  }
  Fill(1, 0, 10);
  Fill(1, 24'990, 25'000);
  LeaveRowsStale(1'024);
  Run("DELETE FROM ks.big WHERE p = 1 AND c < 15000");
  EXPECT_TRUE(StorageOf(*engine_).StaleMarks().empty());
  Run("DELETE FROM ks.big WHERE p = 1 AND c >= 0");
  EXPECT_FALSE(StorageOf(*engine_).StaleMarks().empty());
  ExpectReadsAreRight();
}

TEST_F(LargeDeletionTest, AWriteWithTooManyBytesOfEntriesIsRefused) {
  StorageEngine& storage = StorageOf(*engine_);
  storage.SetDerivedWrites(std::make_shared<DerivedMaintenance>(
      storage, [] {}, 1'024, 20'000));
  const PreparedPtr insert = engine_->Prepare("INSERT INTO big (p, c, v) VALUES (?, ?, ?)", "ks").value();
  std::vector<BatchEntry> entries;
  for (int n = 0; n < 100; ++n) entries.push_back({insert, {Int(1), Int(n), Int(1)}, {}});
  const Result<Outcome> refused = engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              ::testing::StartsWith("The rows of indexes and views that a write to ks.big changes take at least "));
  EXPECT_THAT(refused.error().message, ::testing::EndsWith(" bytes, and the maximum is 20000"));
  EXPECT_EQ(refused.error().hint, "write it in parts");
  EXPECT_TRUE(Pairs("SELECT p, c FROM ks.big").empty());
  Run("INSERT INTO ks.big (p, c, v) VALUES (1, 1, 1)");
}

TEST_F(IndexesTest, ABulkLoadOfLargeRowsComesInWritesOfSomeMegabytes) {
  constexpr int kRows = 100;
  dynamic_cast<LmdbEngine&>(StorageOf(*engine_)).SetRecordBytesMax(8u << 20);
  Run("CREATE TABLE ks.large (k int PRIMARY KEY, v int, text text)");
  Run("CREATE INDEX ON ks.large (v)");
  const PreparedPtr insert = engine_->Prepare("INSERT INTO large (k, v, text) VALUES (?, ?, ?)", "ks").value();
  auto load = engine_->OpenBulkInsert(insert, {}, {}).value();
  const BoundValue text{BoundValue::Kind::kValue, Bytes(200'000, 'x')};
  for (int i = 0; i < kRows; ++i) {
    const Status added = load->Add(0, {Int(i), Int(1), text}, load->NextTimestamp());
    ASSERT_TRUE(added.ok()) << added.error().message;
  }
  const Status stored = load->Store({});
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  EXPECT_EQ(Pairs("SELECT k, v FROM ks.large WHERE v = 1").size(), static_cast<size_t>(kRows));
}

TEST_F(IndexesTest, WhyABuildFailsIsShown) {
  Insert(0, 1'000);
  auto& storage = dynamic_cast<LmdbEngine&>(StorageOf(*engine_));
  storage.SetRecordBytesMax(4'096);
  Run("CREATE INDEX by_v ON ks.t (v)");
  const auto error = [this] {
    const Outcome outcome =
        Run("SELECT error FROM system_views.index_builds WHERE keyspace_name = 'ks' AND table_name = 't'");
    PageReader reader(std::get<RowsPage>(outcome.result));
    std::vector<ValueView> row;
    return reader.Next(row) && row[0] ? std::string(*row[0]) : std::string();
  };
  EXPECT_THAT(error(), ::testing::EndsWith("is longer than the maximum of 4096"));
  storage.SetRecordBytesMax(64u << 20);
  WaitUntilBuilt();
  EXPECT_EQ(error(), "");
  EXPECT_EQ(Pairs("SELECT k, c FROM ks.t WHERE v = 3").size(), 143u);
}

// An index build that fails is repeated later. Other builds continue in the meantime.
TEST_F(IndexesTest, ABuildThatFailsDoesNotHoldUpOthers) {
  Run("CREATE INDEX by_v ON ks.t (v)");
  Run("CREATE TABLE ks.u (k int PRIMARY KEY, v int)");
  Run("CREATE INDEX u_by_v ON ks.u (v)");
  Insert(0, 1'000);
  WaitUntilBuilt();
  std::atomic<bool> t_built{false}, u_built{false};
  std::atomic<int> attempts{0};
  // Returns the present schema. The index of table t counts as built if t_built is true, and that of table u if u_built
  // is.
  const auto schema = [&, now = engine_->schema()]() -> SchemaPtr {
    auto next = std::make_shared<SchemaSnapshot>(*now);
    KeyspaceSchema keyspace = *next->FindKeyspace("ks");
    for (auto& [name, table] : keyspace.tables) {
      TableSchema copy = *table;
      for (IndexSchema& index : copy.indexes) index.built = name == "t" ? t_built : u_built;
      table = std::make_shared<const TableSchema>(std::move(copy));
    }
    next->keyspaces["ks"] = std::make_shared<const KeyspaceSchema>(std::move(keyspace));
    return next;
  };
  const auto publish = [&](const TablePtr& base, const TableDerivation&) -> Result<bool> {
    if (base->name == "t" && ++attempts < 2) return ServerError("no room");
    (base->name == "t" ? t_built : u_built) = true;
    return true;
  };
  std::promise<std::string> logged;  // Set by the first message.
  const auto drop = [](const TablePtr&, const TableDerivation&) -> Result<bool> { return false; };
  DerivedBuilder builder(StorageOf(*engine_), schema, publish, drop,
                         [&](const LogEvent& event) { logged.set_value(event.message); });
  builder.Look();
  builder.WaitUntilBuilt(std::chrono::seconds(60));
  EXPECT_TRUE(u_built);
  EXPECT_EQ(logged.get_future().get(), "building index ks.by_v failed, and is tried again: no room");
  for (int waits = 0; waits < 6'000 && !t_built; ++waits) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(t_built);
  EXPECT_EQ(attempts, 2);
}

}  // namespace
}  // namespace widerow
