#include "widerow/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class DatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-db-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    Open({.directory = directory_});
    Exec("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("USE k");
  }
  void TearDown() override {
    db_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Open(DatabaseOptions options) {
    db_.reset();
    options.map_bytes = uint64_t{1} << 34;
    auto opened = Database::Open(std::move(options));
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
  }
  void Exec(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db_->Execute(cql, parameters);
    ASSERT_TRUE(result.ok()) << cql << ": " << result.error().message;
  }
  std::string One(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    auto result = db_->Execute(cql, parameters);
    if (!result.ok()) return result.error().message;
    if (!result.value().Next()) return "no row";
    return result.value().row().Text(0);
  }
  Failure Fails(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db_->Execute(cql, parameters);
    EXPECT_FALSE(result.ok()) << cql;
    return result.ok() ? Failure{} : result.error();
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(DatabaseTest, WritesSurviveReopening) {
  Exec("CREATE TABLE t (id int PRIMARY KEY, v text)");
  Exec("INSERT INTO t (id, v) VALUES (?, ?)", {7, "seven"});
  Open({.directory = directory_});
  EXPECT_EQ(One("SELECT v FROM k.t WHERE id = 7"), "seven");
}

TEST_F(DatabaseTest, AProfileIsItsLanguage) {
  Exec("CREATE TABLE t (k int, c int, PRIMARY KEY (k, c))");
  Exec("INSERT INTO t (k, c) VALUES (1, 5)");
  const std::string_view extended = "SELECT c FROM k.t WHERE k = 1 AND 4 < c < 6";
  EXPECT_EQ(db_->Execute(extended).value().warnings().size(), 1u);
  Open({.directory = directory_, .extension_warnings = false});
  EXPECT_EQ(One(extended), "5");
  EXPECT_TRUE(db_->Execute(extended).value().warnings().empty());
  Open({.directory = directory_, .profile = "cassandra-5"});
  EXPECT_EQ(Fails(extended).code, 0x2000u);
  EXPECT_EQ(One("SELECT c FROM k.t WHERE k = 1 AND c > 4 AND c < 6"), "5");
  db_.reset();
  const auto unknown = Database::Open({.directory = directory_, .profile = "cassandra"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "profile must be widerow or cassandra-5, not \"cassandra\"");
}

TEST_F(DatabaseTest, ADirectoryIsOpenOnce) {
  const auto second = Database::Open({.directory = directory_});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, HasSubstr(directory_.string()));
  EXPECT_THAT(Database::Open({.directory = "/proc/nothing/here"}).error().message, HasSubstr("/proc/nothing"));
  EXPECT_FALSE(Database::Open({.directory = directory_ / "other", .page_rows = 0}).ok());
}

TEST_F(DatabaseTest, ValuesComeBackAsTheyWent) {
  Exec(
      "CREATE TABLE v (id int PRIMARY KEY, ti tinyint, si smallint, b bigint, f float, d double, bo boolean, a ascii, "
      "t text, "
      "ts timestamp, tm time, de decimal, vi varint, bl blob, u uuid)");
  Exec(
      "INSERT INTO v (id, ti, si, b, f, d, bo, a, t, ts, tm, de, vi, bl, u) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, ?, ?, ?)",
      {1, -128, 32767, INT64_C(9007199254740993), 1.5, 0.1, true, "ascii", std::string("t\xC3\xA9xt"),
       INT64_C(1700000000000), INT64_C(86399999999999), "1.10", 42, Parameter::Raw(std::string_view("\0\xFF", 2)),
       "01234567-89ab-cdef-0123-456789abcdef"});
  auto result = db_->Execute("SELECT ti, si, b, f, d, bo, a, t, ts, tm, de, vi, bl, u FROM v WHERE id = 1");
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_TRUE(result.value().Next());
  const Row& row = result.value().row();
  EXPECT_EQ(row.size(), 14u);
  EXPECT_EQ(row.Get<int32_t>("ti"), -128);
  EXPECT_EQ(row.Get<int64_t>("si"), 32767);
  EXPECT_EQ(row.Get<int64_t>("b"), 9007199254740993);
  EXPECT_EQ(row.Get<double>("f"), 1.5);
  EXPECT_EQ(row.Get<double>("d"), 0.1);
  EXPECT_TRUE(row.Get<bool>("bo"));
  EXPECT_EQ(row.Get<std::string>("a"), "ascii");
  EXPECT_EQ(row.Get<std::string>("t"), "t\xC3\xA9xt");
  EXPECT_EQ(row.Get<int64_t>("ts"), 1700000000000);
  EXPECT_EQ(row.Get<int64_t>("tm"), 86399999999999);
  EXPECT_EQ(row.Text(10), "1.10");
  EXPECT_EQ(row.Text(11), "42");
  EXPECT_EQ(row.Raw(12), std::string_view("\0\xFF", 2));
  EXPECT_EQ(row.Json(13), "\"01234567-89ab-cdef-0123-456789abcdef\"");
  EXPECT_FALSE(result.value().Next());
  EXPECT_FALSE(result.value().failure());
}

TEST_F(DatabaseTest, MisuseOfARowThrows) {
  Exec("CREATE TABLE t (id int PRIMARY KEY, v text, n int, b bigint)");
  Exec("INSERT INTO t (id, v, b) VALUES (1, 'x', 5)");
  auto result = db_->Execute("SELECT id, v, n, b FROM t WHERE id = 1");
  ResultSet& rows = result.value();
  EXPECT_THROW(rows.row().Text(0), TypeMismatch) << "before the first row";
  ASSERT_TRUE(rows.Next());
  const Row& row = rows.row();
  EXPECT_THROW(row.Get<int32_t>("v"), TypeMismatch);
  EXPECT_THROW(row.Get<std::string>("id"), TypeMismatch);
  EXPECT_THROW(row.Get<bool>("id"), TypeMismatch);
  EXPECT_THROW(row.Get<double>("id"), TypeMismatch);
  EXPECT_THROW(row.Get<int32_t>("b"), TypeMismatch) << "bigint does not fit";
  EXPECT_THROW(row.Get<int32_t>("n"), TypeMismatch) << "null";
  EXPECT_THROW(row.Get<int32_t>("nope"), TypeMismatch);
  EXPECT_THROW(row.Raw(4), TypeMismatch);
  EXPECT_TRUE(row.IsNull("n"));
  EXPECT_FALSE(row.IsNull("v"));
  EXPECT_EQ(row.Text(2), "null");
  EXPECT_EQ(row.Json(2), "null");
}

TEST_F(DatabaseTest, ParametersAreCheckedAgainstTheirMarkers) {
  Exec("CREATE TABLE p (id int PRIMARY KEY, ti tinyint, f float, de decimal, bo boolean, d date, tm time, t text)");
  const auto with = [this](const char* column, Parameter value) {
    return Fails(std::string("INSERT INTO p (id, ") + column + ") VALUES (1, ?)", {value}).message;
  };
  EXPECT_THAT(with("ti", 128), StartsWith("parameter 1 (ti, tinyint): 128 is out of range: -128 to 127"));
  EXPECT_THAT(with("ti", "x"), StartsWith("parameter 1 (ti, tinyint): "));
  EXPECT_THAT(with("ti", 1.0), HasSubstr("cannot be given as a double"));
  EXPECT_THAT(with("f", 1e300), HasSubstr("out of range of a float"));
  EXPECT_THAT(with("de", 12.5), HasSubstr("does not hold decimals exactly"));
  EXPECT_THAT(with("bo", 1), HasSubstr("cannot be given as an integer"));
  EXPECT_THAT(with("t", 1), HasSubstr("cannot be given as an integer"));
  EXPECT_THAT(with("t", true), HasSubstr("cannot be given as a boolean"));
  EXPECT_THAT(with("tm", INT64_C(86400000000000)), HasSubstr("out of range"));
  EXPECT_THAT(with("t", Parameter::Raw("\xFF")), HasSubstr("String didn't validate"));
  EXPECT_THAT(Fails("SELECT t FROM p WHERE id = ?", {INT64_C(2147483648)}).message,
              HasSubstr("2147483648 is out of range"));
  EXPECT_THAT(Fails("SELECT t FROM p WHERE id = ?", {1, 2}).message,
              StartsWith("there were 1 markers(?) in CQL but 2 bound variables"));
  Exec("INSERT INTO p (id, d, f) VALUES (?, ?, ?)", {1, "2013-01-01", INFINITY});
  EXPECT_EQ(One("SELECT d FROM p WHERE id = 1"), "2013-01-01");
  EXPECT_EQ(One("SELECT f FROM p WHERE id = 1"), "Infinity");
}

TEST_F(DatabaseTest, NullDeletesAndUnsetLeaves) {
  Exec("CREATE TABLE n (id int PRIMARY KEY, a text, b text)");
  Exec("INSERT INTO n (id, a, b) VALUES (1, 'a', 'b')");
  Exec("INSERT INTO n (id, a, b) VALUES (?, ?, ?)", {1, nullptr, Parameter::Unset()});
  EXPECT_EQ(One("SELECT a FROM n WHERE id = 1"), "null");
  EXPECT_EQ(One("SELECT b FROM n WHERE id = 1"), "b");
}

TEST_F(DatabaseTest, PreparedQueriesOutliveSchemaChanges) {
  Exec("CREATE TABLE q (id int PRIMARY KEY, v text)");
  auto insert = db_->Prepare("INSERT INTO q (id, v) VALUES (?, :value)");
  auto select = db_->Prepare("SELECT * FROM q WHERE id = ?");
  ASSERT_TRUE(insert.ok() && select.ok());
  const std::vector<Column> markers = insert.value().markers();
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0].name + ' ' + markers[0].type, "id int");
  EXPECT_EQ(markers[1].name + ' ' + markers[1].type, "value text");
  EXPECT_EQ(markers[1].keyspace + '.' + markers[1].table, "k.q");
  EXPECT_EQ(insert.value().text(), "INSERT INTO q (id, v) VALUES (?, :value)");
  ASSERT_TRUE(db_->Execute(insert.value(), {1, "x"}).ok());
  Exec("ALTER TABLE q ADD w int");
  auto rows = db_->Execute(select.value(), {1});
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  EXPECT_EQ(rows.value().columns().size(), 3u);
  Exec("DROP TABLE q");
  EXPECT_FALSE(db_->Execute(select.value(), {1}).ok());
  EXPECT_FALSE(db_->Execute(PreparedQuery(), {}).ok());
}

TEST_F(DatabaseTest, ValuesAreBoundForTheTypesOfNow) {
  Exec("CREATE TABLE q (id int PRIMARY KEY, v int)");
  const PreparedQuery insert = db_->Prepare("INSERT INTO q (id, v) VALUES (?, ?)").value();
  const PreparedQuery select = db_->Prepare("SELECT id FROM q WHERE v = ? ALLOW FILTERING").value();
  ASSERT_TRUE(db_->Execute(insert, {1, 5}).ok());
  Exec("DROP TABLE q");
  Exec("CREATE TABLE q (id int PRIMARY KEY, v float)");
  ASSERT_TRUE(db_->Execute(insert, {1, 5}).ok());
  EXPECT_EQ(One("SELECT v FROM q"), "5");
  EXPECT_TRUE(db_->Execute(select, {5}).value().Next());
  size_t shown = 0;
  EXPECT_TRUE(db_->ForEachRow(select, {5}, [&](const Row&) { return ++shown > 0; }).ok());
  EXPECT_EQ(shown, 1u);
}

TEST_F(DatabaseTest, AResultWhoseColumnsChangeOnTheWayFails) {
  Open({.directory = directory_, .page_rows = 2});
  Exec("CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c))");
  for (int c = 0; c < 5; ++c) Exec("INSERT INTO k.t (p, c, v) VALUES (0, ?, 'v')", {c});
  const PreparedQuery all = db_->Prepare("SELECT * FROM k.t").value(),
                      named = db_->Prepare("SELECT p, c, v FROM k.t").value();
  ResultSet by_text = db_->Execute("SELECT * FROM k.t").value(), prepared = db_->Execute(all).value();
  ResultSet unchanged = db_->Execute(named).value();
  Exec("ALTER TABLE k.t ADD extra text");  // In the results of SELECT *, the new column comes before v.
  for (ResultSet* rows : {&by_text, &prepared}) {
    size_t seen = 0;
    for (; rows->Next(); ++seen) EXPECT_EQ(rows->row().Get<std::string>(2), "v");
    EXPECT_EQ(seen, 2u);
    ASSERT_TRUE(rows->failure());
    EXPECT_THAT(rows->failure()->message,
                StartsWith("The columns of the result have changed between two of its pages"));
  }
  size_t seen = 0;
  while (unchanged.Next()) ++seen;
  EXPECT_EQ(seen, 5u);
  EXPECT_FALSE(unchanged.failure());
}

TEST_F(DatabaseTest, ResultsComeInPagesWithoutAnyoneNoticing) {
  Open({.directory = directory_, .page_rows = 3});
  Exec("CREATE TABLE k.t (p int, c int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 10; ++c) Exec("INSERT INTO k.t (p, c) VALUES (0, ?)", {c});
  auto prepared = db_->Prepare("SELECT c FROM k.t WHERE p = ?");
  for (auto* result : {new auto(db_->Execute("SELECT c FROM k.t")), new auto(db_->Execute(prepared.value(), {0}))}) {
    std::unique_ptr<Expected<ResultSet>> owner(result);
    ASSERT_TRUE(result->ok());
    ResultSet moved = std::move(*result).value();
    std::vector<int32_t> seen;
    for (const Row& row : moved) seen.push_back(row.Get<int32_t>("c"));
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  }
}

TEST_F(DatabaseTest, RowsOfSeveralPartitionsAreSorted) {
  Open({.directory = directory_, .page_rows = 2});
  Exec("CREATE TABLE k.t (p int, c int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 6; ++c) Exec("INSERT INTO k.t (p, c) VALUES (?, ?)", {c % 2, c});
  std::vector<int32_t> seen;
  ResultSet sorted = db_->Execute("SELECT c FROM k.t WHERE p IN (0, 1) ORDER BY c DESC").value();
  for (const Row& row : sorted) seen.push_back(row.Get<int32_t>("c"));
  EXPECT_THAT(seen, ElementsAre(5, 4, 3, 2, 1, 0));
  seen.clear();
  ResultSet groups = db_->Execute("SELECT c FROM k.t WHERE p IN (0, 1) GROUP BY p, c ORDER BY c LIMIT 3").value();
  for (const Row& row : groups) seen.push_back(row.Get<int32_t>("c"));
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
}

TEST_F(DatabaseTest, ItsDatacenterHasAName) {
  Open({.directory = directory_, .datacenter = "dc1"});
  Exec("CREATE KEYSPACE by_dc WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
  EXPECT_EQ(One("SELECT data_center FROM system.local"), "dc1");
  EXPECT_FALSE(Database::Open({.directory = directory_ / "other", .datacenter = ""}).ok());
}

TEST_F(DatabaseTest, AFailureOnALaterPageIsReported) {
  Open({.directory = directory_, .page_rows = 2});
  Exec("CREATE TABLE k.t (p int, c int, PRIMARY KEY (p, c))");
  for (int c = 0; c < 5; ++c) Exec("INSERT INTO k.t (p, c) VALUES (0, ?)", {c});
  auto result = db_->Execute("SELECT c FROM k.t");
  ASSERT_TRUE(result.value().Next());
  ASSERT_TRUE(result.value().Next());
  Exec("DROP TABLE k.t");
  EXPECT_FALSE(result.value().Next());
  ASSERT_TRUE(result.value().failure());
  EXPECT_EQ(result.value().failure()->code, 0x2200u);
}

TEST_F(DatabaseTest, FailuresPointAtTheirPlace) {
  Exec("CREATE TABLE t (id int PRIMARY KEY)");
  const Failure failure = Fails("SELECT\n  nope FROM t");
  EXPECT_EQ(failure.code, 0x2200u);
  EXPECT_THAT(failure.message, StartsWith("Undefined column name nope in table k.t\n"));
  EXPECT_THAT(failure.message, HasSubstr("\n  ^^^^"));
  EXPECT_EQ(failure.line, 2u);
  EXPECT_EQ(failure.column, 2u);
  EXPECT_EQ(failure.length, 4u);
  EXPECT_THROW(db_->Execute("SELECT nope FROM t").value(), std::runtime_error);
}

TEST_F(DatabaseTest, ScriptsStopAtTheFirstFailureAndPointIntoTheScript) {
  auto done = db_->ExecuteScript(
      "CREATE TABLE s (id int PRIMARY KEY); -- a comment; with semicolon\n"
      "INSERT INTO s (id) VALUES (1);INSERT INTO s (id) VALUES (2)");
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value(), 3u);
  EXPECT_EQ(One("SELECT count(*) FROM s"), "2");
  auto failed =
      db_->ExecuteScript("INSERT INTO s (id) VALUES (3);\nSELECT nope FROM s;\nINSERT INTO s (id) VALUES (4)");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().line, 2u);
  EXPECT_EQ(failed.error().column, 7u);
  EXPECT_EQ(One("SELECT count(*) FROM s"), "3");
  EXPECT_EQ(db_->ExecuteScript(" ; -- nothing\n").ok(), true);
}

TEST_F(DatabaseTest, UseIsOfThisDatabase) {
  Exec("CREATE KEYSPACE other WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  Exec("CREATE TABLE other.t (id int PRIMARY KEY)");
  EXPECT_FALSE(db_->Execute("SELECT * FROM t").ok());
  Exec("USE other");
  Exec("SELECT * FROM t");
  Exec("SELECT * FROM t WHERE id = ?", {1});
}

TEST_F(DatabaseTest, TimeIsTheClocks) {
  std::atomic<int64_t> now{1'700'000'000'000'000};
  Open({.directory = directory_, .clock = [&now] { return now.load(); }});
  Exec("CREATE TABLE k.ttl (id int PRIMARY KEY, v text)");
  Exec("INSERT INTO k.ttl (id, v) VALUES (1, 'x') USING TTL 10");
  EXPECT_EQ(One("SELECT v FROM k.ttl WHERE id = 1"), "x");
  now += 11'000'000;
  EXPECT_EQ(One("SELECT v FROM k.ttl WHERE id = 1"), "no row");
  db_.reset();  // Closes the database before `now` is destroyed, because its clock reads `now`.
}

class DatabaseConcurrencyTest : public DatabaseTest {};

TEST_F(DatabaseConcurrencyTest, ThreadsShareADatabaseAndAPreparedQuery) {
  Exec("CREATE TABLE t (thread int, n int, PRIMARY KEY (thread, n))");
  auto insert = db_->Prepare("INSERT INTO t (thread, n) VALUES (?, ?)").value();
  auto select = db_->Prepare("SELECT n FROM t WHERE thread = ? AND n = ?").value();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int n = 0; n < 25; ++n) {
        EXPECT_TRUE(db_->Execute(insert, {thread, n}).ok());
        auto rows = db_->Execute(select, {thread, n});
        EXPECT_TRUE(rows.ok() && rows.value().Next());
        EXPECT_TRUE(db_->Execute("USE k").ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(One("SELECT count(*) FROM t"), "200");
}

}  // namespace
}  // namespace widerow
