// A bulk load must give the same table as INSERTs of the same rows.
#include "widerow/bulk_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/unit/reporting_child.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Rows = std::vector<std::vector<Parameter>>;

class BulkWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-bulk-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override {
    db_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Open() {
    db_.reset();
    auto opened = Database::Open({.directory = directory_, .map_bytes = uint64_t{1} << 34, .durability = "none"});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
  }
  void OpenWith(const std::string& columns) {
    Open();
    Exec("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("USE k");
    ExecBoth("CREATE TABLE ", " (" + columns + ")");
  }
  void Exec(const std::string& cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db_->Execute(cql, parameters);
    ASSERT_TRUE(result.ok()) << cql << ": " << result.error().message;
  }
  void ExecBoth(const std::string& before, const std::string& after) {
    for (const char* table : {"bulk", "single"}) Exec(before + table + after);
  }
  // Writes the rows into the table `bulk` by a BulkWriter, and into the table `single` by INSERTs.
  void Load(const std::vector<std::string>& columns, const Rows& rows) {
    auto writer = BulkWriter::Open(*db_, "bulk", columns, {.memory_bytes = size_t{1} << 20});
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    std::string names, markers;
    for (const std::string& column : columns) {
      names += (names.empty() ? "" : ", ") + column;
      markers += markers.empty() ? "?" : ", ?";
    }
    for (const auto& row : rows) {
      const auto added = writer.value()->Add(row);
      ASSERT_TRUE(added.ok()) << added.error().message;
      Exec("INSERT INTO single (" + names + ") VALUES (" + markers + ")", row);
    }
    const auto stored = writer.value()->Finish();
    ASSERT_TRUE(stored.ok()) << stored.error().message;
    EXPECT_EQ(stored.value(), rows.size());
  }
  std::vector<std::string> All(const std::string& table, const std::string& what = "*") {
    std::vector<std::string> lines;
    auto result = db_->Execute("SELECT " + what + " FROM k." + table);
    if (!result.ok()) return {result.error().message};
    for (const Row& row : result.value()) {
      std::string& line = lines.emplace_back();
      for (size_t i = 0; i < row.size(); ++i) line += row.Text(i) + "|";
    }
    return lines;
  }
  // Checks that both tables are equal, now and after a restart.
  void ExpectEqualTables() {
    ASSERT_FALSE(All("single").empty());
    EXPECT_EQ(All("bulk"), All("single"));
    Open();
    EXPECT_EQ(All("bulk"), All("single"));
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(BulkWriterTest, EveryType) {
  OpenWith(
      "k int, c text, s text static, a ascii, b bigint, l blob, o boolean, d date, e decimal, u double, f float, i "
      "inet, "
      "n smallint, t time, p timestamp, q timeuuid, y tinyint, z uuid, v varint, li list<int>, m map<text, int>, "
      "st set<text>, fr frozen<list<text>>, tu tuple<int, text>, ve vector<float, 2>, du duration, "
      "PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC");
  const std::vector<Parameter> row = {1,
                                      "c",
                                      "static",
                                      "ascii",
                                      5'000'000'000L,
                                      "0xCAFE",
                                      true,
                                      "2024-02-29",
                                      "1.10",
                                      2.5,
                                      "0.5",
                                      "::1",
                                      -3,
                                      "10:11:12.5",
                                      "2024-01-01T00:00:00Z",
                                      "50554d6e-29bb-11e5-b345-feff819cdc9f",
                                      7,
                                      "62c36092-82a1-3a00-93d1-46196ee77204",
                                      "123456789012345678901234567890",
                                      "[1, 2]",
                                      "{'x': 1, 'y': 2}",
                                      "{'p', 'q'}",
                                      "['r']",
                                      "(1, 'z')",
                                      "[0.5, 1.5]",
                                      "1h2m"};
  Rows rows{row, row, row};
  rows[1][1] = "another";
  for (size_t i = 3; i < row.size(); ++i) rows[2][i] = i % 2 == 0 ? Parameter() : Parameter::Unset();
  rows[2][0] = 2;
  Load({"k", "c", "s", "a", "b", "l", "o",  "d", "e",  "u",  "f",  "i",  "n",
        "t", "p", "q", "y", "z", "v", "li", "m", "st", "fr", "tu", "ve", "du"},
       rows);
  ExpectEqualTables();
  EXPECT_EQ(All("bulk").size(), 3u);
}

// The rows need more memory than the writer has, so it writes sorted runs into files. There are many partitions, and a
// key can be in several runs.
TEST_F(BulkWriterTest, LargerThanMemoryAndWithRepeatedKeys) {
  OpenWith("k int, c int, v text, PRIMARY KEY (k, c)");
  std::mt19937 random(7);
  std::vector<std::string> texts;
  for (int i = 0; i < 12'000; ++i) texts.push_back(std::to_string(i) + std::string(300, 'x'));
  Rows rows;
  for (const std::string& text : texts) {
    rows.push_back({static_cast<int>(random() % 1'500), static_cast<int>(random() % 5), text});
  }
  Load({"k", "c", "v"}, rows);
  ExpectEqualTables();
}

TEST_F(BulkWriterTest, GeneratedColumns) {
  OpenWith(
      "b int GENERATED ALWAYS AS (bucket(ts, 4)), p text GENERATED ALWAYS AS (hash_prefix(k, 4)), k text, ts bigint, v "
      "int, "
      "PRIMARY KEY ((b, p), ts, k)");
  std::vector<std::string> keys;
  for (int i = 0; i < 37; ++i) keys.push_back("key" + std::to_string(i));
  Rows rows;
  for (int i = 0; i < 1'000; ++i) rows.push_back({keys[static_cast<size_t>(i) % keys.size()], int64_t{i}, i});
  Load({"k", "ts", "v"}, rows);
  ExpectEqualTables();
  auto writer = BulkWriter::Open(*db_, "k.bulk", {"b", "k", "ts", "v"});
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  EXPECT_TRUE(writer.value()->Add({1, "given", int64_t{5}, 1}).ok());
  const auto wrong = writer.value()->Add({2, "given", int64_t{5}, 1});
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().message, HasSubstr("Generated column b is 1 for this row, not 2"));
}

TEST_F(BulkWriterTest, SpillsAndLongKeys) {
  OpenWith("k text, c text, v text, m map<int, text>, PRIMARY KEY (k, c)");
  const std::string big(300'000, 'b'), spilled(1'500, 's'), at_limit(1'024, 'l'), long_key(600, 'k');
  std::vector<std::string> keys;
  for (const size_t size :
       {400, 480, 481, 482, 483, 484, 485, 486, 487, 488, 489, 490, 491, 492, 493, 494, 495, 496, 600}) {
    keys.emplace_back(size, 'n');
  }
  const std::string map = "{1: '" + spilled + "', 2: 'small'}";
  Rows rows{{"a", "1", big, nullptr},     {"a", "2", spilled, map},  {"a", "3", at_limit, nullptr},
            {"a", "4", "v", nullptr},     {long_key, "1", "v", map}, {long_key, long_key, spilled, nullptr},
            {"b", long_key, "v", nullptr}};
  for (const std::string& key : keys) rows.push_back({key, "c", "value", nullptr});
  for (const std::string& key : keys) rows.push_back({"clustered", key, "value", Parameter::Unset()});
  Load({"k", "c", "v", "m"}, rows);
  ExpectEqualTables();
  Exec("USE k");
  for (auto& row : rows) row[2] = "after";
  Load({"k", "c", "v", "m"}, rows);
  ExpectEqualTables();
}

// The table already has rows and deletions, some older and some newer than the bulk load. They are in the data file or
// in a memtable.
TEST_F(BulkWriterTest, OverExistingRowsAndDeletions) {
  OpenWith("k int, c int, v text, w text, PRIMARY KEY (k, c)");
  for (const bool restarts : {true, false}) {
    for (int k = 0; k < 6; ++k) {
      for (int c = 0; c < 6; ++c) {
        const std::string values = " (k, c, v, w) VALUES (" + std::to_string(k) + ", " + std::to_string(c) +
                                   ", 'old', 'kept')" + (c == 1 ? " USING TIMESTAMP 9000000000000000" : "");
        ExecBoth("INSERT INTO ", values);
      }
    }
    ExecBoth("DELETE FROM ", " WHERE k = 1");
    ExecBoth("DELETE FROM ", " USING TIMESTAMP 9000000000000000 WHERE k = 2");
    ExecBoth("DELETE FROM ", " USING TIMESTAMP 9000000000000000 WHERE k = 3 AND c > 1 AND c < 4");
    ExecBoth("DELETE v FROM ", " USING TIMESTAMP 9000000000000000 WHERE k = 4 AND c = 2");
    ExecBoth("DELETE FROM ", " USING TIMESTAMP 9000000000000000 WHERE k = 7");
    if (restarts) Open();  // Opening the database again moves all rows into the data file.
    Exec("USE k");
    Rows rows;
    for (int k = 0; k < 9; ++k) {
      for (int c = 0; c < 8; ++c) rows.push_back({k, c, restarts ? "first" : "second"});
    }
    Load({"k", "c", "v"}, rows);
    EXPECT_EQ(All("bulk"), All("single"));
    EXPECT_EQ(All("bulk", "count(*)"), std::vector<std::string>{std::to_string(9 * 8 - 8 - 2 - 8) + "|"});
    if (!restarts) ExpectEqualTables();
  }
}

TEST_F(BulkWriterTest, ExpiringRows) {
  OpenWith("k int PRIMARY KEY, v text");
  ExecBoth("ALTER TABLE ", " WITH default_time_to_live = 86400");
  Rows rows;
  for (int i = 0; i < 100; ++i) rows.push_back({i, "v"});
  Load({"k", "v"}, rows);
  ExpectEqualTables();
  Exec("USE k");
  EXPECT_EQ(All("bulk WHERE k = 1 AND v < 'w' ALLOW FILTERING", "count(ttl(v))"), std::vector<std::string>{"1|"});
}

TEST_F(BulkWriterTest, ARowAtFaultIsNamedAndLeftOut) {
  OpenWith("k int PRIMARY KEY, v int");
  auto writer = BulkWriter::Open(*db_, "k.bulk", {"k", "v"}).value();
  EXPECT_EQ(writer->Add({1, 1}).value(), 1u);
  const auto null_key = writer->Add({nullptr, 1});
  ASSERT_FALSE(null_key.ok());
  EXPECT_EQ(null_key.error().code, 0x2200u);
  EXPECT_THAT(null_key.error().message, StartsWith("row 2: "));
  EXPECT_THAT(writer->Add({3, "three"}).error().message, StartsWith("row 3: parameter 2 (v, int): "));
  EXPECT_THAT(writer->Add({4}).error().message, StartsWith("row 4: there were 2 markers"));
  EXPECT_EQ(writer->Add({5, 5}).value(), 2u);
  EXPECT_EQ(writer->Finish().value(), 2u);
  EXPECT_EQ(writer->Add({6, 6}).value(), 3u);
  EXPECT_EQ(writer->Finish().value(), 3u);
  EXPECT_EQ(writer->Finish().value(), 3u);
  EXPECT_EQ(All("bulk", "count(*)"), std::vector<std::string>{"3|"});
}

TEST_F(BulkWriterTest, RefusedAtOpen) {
  OpenWith("k int PRIMARY KEY, v int");
  EXPECT_THAT(BulkWriter::Open(*db_, "nothing", {"k"}).error().message, HasSubstr("nothing"));
  EXPECT_THAT(BulkWriter::Open(*db_, "bulk", {"v"}).error().message, HasSubstr("k"));
  EXPECT_THAT(BulkWriter::Open(*db_, "system.local", {"key"}).error().message, HasSubstr("read-only"));
  EXPECT_FALSE(BulkWriter::Open(*db_, "bulk", {"k"}, {.memory_bytes = 1}).ok());
}

TEST_F(BulkWriterTest, ATableThatGoesMeanwhile) {
  OpenWith("k int PRIMARY KEY, v int");
  for (const char* end : {"TRUNCATE bulk", "DROP TABLE bulk"}) {
    auto writer = BulkWriter::Open(*db_, "bulk", {"k", "v"}).value();
    ASSERT_TRUE(writer->Add({1, 1}).ok());
    Exec(end);
    EXPECT_THAT(writer->Finish().error().message, HasSubstr("dropped or truncated"));
  }
}

// The rows of the other partitions are not stored either, as if the whole table had been truncated.
TEST_F(BulkWriterTest, APartitionThatGoesMeanwhile) {
  OpenWith("k int PRIMARY KEY, v int");
  Exec("DROP TABLE bulk");
  Exec(
      "CREATE TABLE bulk (k int PRIMARY KEY, v int) PARTITION BY RANGE (k) "
      "(PARTITION a VALUES LESS THAN (10), PARTITION b VALUES LESS THAN (20), PARTITION c VALUES LESS THAN "
      "(MAXVALUE))");
  for (const char* end : {"TRUNCATE PARTITION a", "DROP PARTITION b"}) {
    auto writer = BulkWriter::Open(*db_, "bulk", {"k", "v"}).value();
    ASSERT_TRUE(writer->Add({15, 1}).ok());
    Exec(std::string("ALTER TABLE bulk ") + end);
    ASSERT_TRUE(writer->Add({5, 1}).ok());
    EXPECT_THAT(writer->Finish().error().message, HasSubstr("A partition of table k.bulk was dropped or truncated"));
    writer = BulkWriter::Open(*db_, "bulk", {"k", "v"}).value();
    ASSERT_TRUE(writer->Add({5, 1}).ok());
    EXPECT_EQ(writer->Finish().value(), 1u);
  }
}

TEST_F(BulkWriterTest, BesideOtherWritersAndReaders) {
  OpenWith("k int PRIMARY KEY, v text");
  constexpr int kRows = 20'000;
  std::atomic<bool> done = false;
  auto writer = BulkWriter::Open(*db_, "k.bulk", {"k", "v"}, {.memory_bytes = size_t{1} << 20}).value();
  for (int i = 0; i < kRows; ++i) { ASSERT_TRUE(writer->Add({i, "bulk"}).ok()); }
  // These writes are newer than all rows of the bulk load. They run while the bulk load stores its rows.
  std::thread others([&] {
    for (int i = 0; !done && i < kRows; ++i) {
      EXPECT_TRUE(db_->Execute("UPDATE k.bulk SET v = ? WHERE k = ?", {"client", i}).ok());
      auto read = db_->Execute("SELECT v FROM k.bulk WHERE k = ?", {i});
      ASSERT_TRUE(read.ok() && read.value().Next());
      EXPECT_EQ(read.value().row().Text(0), "client");
    }
  });
  EXPECT_EQ(writer->Finish().value(), static_cast<uint64_t>(kRows));
  done = true;
  others.join();
  EXPECT_EQ(All("bulk", "count(*)"), std::vector<std::string>{std::to_string(kRows) + "|"});
}

TEST_F(BulkWriterTest, AfterAKillRowsAreWholeAndTheLoadCanBeRepeated) {
  OpenWith("k int, c int, v text, PRIMARY KEY (k, c)");
  db_.reset();
  constexpr int kRows = 40'000;
  const std::string value(500, 'v');
  const auto load = [&](int report) {
    Open();
    auto writer = BulkWriter::Open(*db_, "k.bulk", {"k", "c", "v"}, {.memory_bytes = size_t{4} << 20}).value();
    for (int i = 0; i < kRows; ++i) {
      if (!writer->Add({i % 100, i, value}).ok()) _exit(1);
    }
    if (report >= 0 && ::write(report, "x", 1) != 1) _exit(1);
    return writer->Finish();
  };
  for (int round = 0; round < 4; ++round) {
    ReportingChild child([&](int report) { load(report).ok(); });
    char byte;
    ASSERT_TRUE(child.Read(byte));
    usleep(static_cast<useconds_t>(15'000 * round));
    child.Kill();
    Open();
    auto rows = db_->Execute("SELECT v FROM k.bulk");
    ASSERT_TRUE(rows.ok());
    for (const Row& row : rows.value()) ASSERT_EQ(row.Get<std::string>(0), value);
    for (const auto& file : std::filesystem::directory_iterator(directory_)) {
      EXPECT_FALSE(file.path().filename().string().starts_with("bulk-")) << file.path();
    }
    db_.reset();
  }
  EXPECT_EQ(load(-1).value(), static_cast<uint64_t>(kRows));
  EXPECT_EQ(All("bulk", "count(*)"), std::vector<std::string>{std::to_string(kRows) + "|"});
}

}  // namespace
}  // namespace widerow
