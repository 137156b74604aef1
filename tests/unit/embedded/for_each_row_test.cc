// Database::ForEachRow must show the same rows as the result of Execute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "widerow/database.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;

using ShownRows = std::vector<std::vector<std::string>>;

class ForEachRowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-db-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    Open();
    Exec("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("USE k");
    Exec(
        "CREATE TABLE t (p int, c int, s text STATIC, v text, n bigint, m map<text, int>, d decimal, PRIMARY KEY (p, "
        "c))");
    for (int p = 0; p < 4; ++p) {
      for (int c = 0; c < 50; ++c) {
        Exec("INSERT INTO t (p, c, v, n) VALUES (?, ?, ?, ?)",
             {p, c, "value " + std::to_string(c), c % 7 == 0 ? Parameter() : c});
      }
    }
    Exec("INSERT INTO t (p, s) VALUES (1, 'one for all')");
    Exec("INSERT INTO t (p, s) VALUES (9, 'alone')");
    Exec("UPDATE t SET m = {'a': 1, 'b': 2}, d = 1.50 WHERE p = 1 AND c = 3");
    Exec("UPDATE t USING TTL 1000 SET v = '' WHERE p = 1 AND c = 4");
    Exec("DELETE FROM t WHERE p = 2 AND c > 10 AND c < 20");
  }
  void TearDown() override {
    db_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Open() {
    db_.reset();
    auto opened = Database::Open({.directory = directory_, .map_bytes = uint64_t{1} << 34});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
  }
  void Exec(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db_->Execute(cql, parameters);
    ASSERT_TRUE(result.ok()) << cql << ": " << result.error().message;
  }
  static std::vector<std::string> Texts(const Row& row) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < row.size(); ++i) texts.push_back(row.IsNull(i) ? "null" : "=" + row.Text(i));
    return texts;
  }
  ShownRows Answered(const PreparedQuery& query, const std::vector<Parameter>& parameters) {
    ShownRows rows;
    for (const Row& row : db_->Execute(query, parameters).value()) rows.push_back(Texts(row));
    return rows;
  }
  ShownRows Shown(const PreparedQuery& query, const std::vector<Parameter>& parameters) {
    ShownRows rows;
    const auto shown = db_->ForEachRow(query, parameters, [&](const Row& row) {
      rows.push_back(Texts(row));
      return true;
    });
    EXPECT_TRUE(shown.ok()) << query.text() << ": " << shown.error().message;
    EXPECT_EQ(shown.ok() ? shown.value() : 0, rows.size());
    return rows;
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(ForEachRowTest, ShowsWhatExecuteAnswers) {
  const std::vector<std::pair<std::string, std::vector<Parameter>>> queries = {
      {"SELECT v, n FROM k.t WHERE p = ? AND c = ?", {1, 3}},
      {"SELECT v, n FROM k.t WHERE p = ? AND c = ?", {1, 4}},      // The cells of this row have different timestamps.
      {"SELECT v, n FROM k.t WHERE p = ? AND c = ?", {1, 1'000}},  // There is no such row.
      {"SELECT v, d FROM k.t WHERE p = 1 AND c = 3", {}},
      {"SELECT n, v FROM k.t WHERE p = ? AND c >= ? LIMIT ?", {1, 2, 10}},
      {"SELECT * FROM k.t WHERE p = 1", {}},
      {"SELECT * FROM k.t", {}},
      {"SELECT c, c, v AS w, token(p), writetime(v), m FROM k.t WHERE p = 1 ORDER BY c DESC", {}},
      {"SELECT p, s FROM k.t WHERE p = 9", {}},
      {"SELECT DISTINCT p, s FROM k.t", {}},
      {"SELECT count(*), max(n) FROM k.t", {}},
      {"SELECT v FROM k.t WHERE p IN (3, 1) ORDER BY c LIMIT 7", {}},
      {"SELECT v FROM k.t WHERE n > ? ALLOW FILTERING", {40}},
      {"SELECT keyspace_name, table_name FROM system_schema.tables", {}},
  };
  // The rows are first in the memtable, and then in the data file.
  for (const bool reopened : {false, true}) {
    if (reopened) Open();
    for (const auto& [text, parameters] : queries) {
      const PreparedQuery query = db_->Prepare(text).value();
      EXPECT_EQ(Shown(query, parameters), Answered(query, parameters)) << text;
    }
  }
  EXPECT_EQ(Shown(db_->Prepare("SELECT n, v FROM k.t WHERE p = 1 AND c = 0").value(), {}),
            (ShownRows{{"null", "=value 0"}}));
}

TEST_F(ForEachRowTest, StopsWhenToldTo) {
  for (const char* text :
       {"SELECT v FROM k.t", "SELECT v FROM k.t WHERE p = 1", "SELECT v FROM k.t WHERE p IN (1, 2) ORDER BY c"}) {
    size_t seen = 0;
    const auto shown = db_->ForEachRow(db_->Prepare(text).value(), {}, [&](const Row&) { return ++seen < 3; });
    ASSERT_TRUE(shown.ok()) << text;
    EXPECT_EQ(shown.value(), 3u) << text;
    EXPECT_EQ(seen, 3u) << text;
  }
}

TEST_F(ForEachRowTest, MayReadAndWriteMeanwhile) {
  const PreparedQuery all = db_->Prepare("SELECT c, v FROM k.t WHERE p = 0").value();
  const PreparedQuery one = db_->Prepare("SELECT v FROM k.t WHERE p = ? AND c = ?").value();
  const PreparedQuery put = db_->Prepare("INSERT INTO k.t (p, c, v) VALUES (0, ?, 'new')").value();
  size_t same = 0;
  const auto shown = db_->ForEachRow(all, {}, [&](const Row& row) {
    const auto c = row.Get<int32_t>("c");
    EXPECT_TRUE(db_->ForEachRow(one, {0, c},
                                [&](const Row& inner) {
                                  same += inner.Raw(0) == row.Raw(1) ? 1 : 0;
                                  return true;
                                })
                    .ok());
    // The new row is not shown, because ForEachRow reads one snapshot.
    EXPECT_TRUE(db_->Execute(put, {100 + c}).ok());
    return true;
  });
  EXPECT_EQ(shown.value(), 50u);
  EXPECT_EQ(same, 50u);
  EXPECT_EQ(Shown(all, {}).size(), 100u);
}

TEST_F(ForEachRowTest, AnExceptionOfTheVisitorPasses) {
  const PreparedQuery all = db_->Prepare("SELECT v FROM k.t").value();
  EXPECT_THROW((void)db_->ForEachRow(all, {}, [](const Row& row) -> bool { return row.Get<bool>(0); }), TypeMismatch);
  EXPECT_THROW((void)db_->ForEachRow(all, {}, [](const Row& row) -> bool { return row.IsNull(1); }), TypeMismatch);
  EXPECT_EQ(Shown(all, {}).size(), Answered(all, {}).size());
}

TEST_F(ForEachRowTest, PlansAgainWhenTheSchemaHasChanged) {
  const PreparedQuery all = db_->Prepare("SELECT * FROM k.t WHERE p = 1 AND c = 3").value();
  ASSERT_EQ(Shown(all, {})[0].size(), 7u);
  Exec("ALTER TABLE k.t ADD later int");
  EXPECT_EQ(Shown(all, {})[0].size(), 8u);
}

TEST_F(ForEachRowTest, WhatItCannotDoIsAFailure) {
  const auto never = [](const Row&) { return true; };
  const auto failure = [&](std::string_view cql, const std::vector<Parameter>& parameters) {
    const auto shown = db_->ForEachRow(db_->Prepare(cql).value(), parameters, never);
    return shown.ok() ? "none" : shown.error().message;
  };
  EXPECT_THAT(failure("INSERT INTO k.t (p, c) VALUES (1, 1)", {}), HasSubstr("Only the rows of a SELECT"));
  EXPECT_THAT(failure("SELECT v FROM k.t WHERE p = ?", {}), HasSubstr("1"));
  EXPECT_THAT(db_->ForEachRow(PreparedQuery(), {}, never).error().message, HasSubstr("does not come from Prepare"));
  const PreparedQuery gone = db_->Prepare("SELECT v FROM k.t WHERE p = 1").value();
  Exec("DROP TABLE k.t");
  EXPECT_THAT(db_->ForEachRow(gone, {}, never).error().message, HasSubstr("does not exist"));
}

}  // namespace
}  // namespace widerow
