// Tests snapshots and transactions that read and write several partitions.
#include "widerow/transaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

namespace widerow {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class TransactionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-db-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    auto opened = Database::Open(
        {.directory = directory_, .map_bytes = uint64_t{1} << 34, .durability = "none", .memtable_bytes = 256u << 10});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
    Exec("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("USE k");
    Exec("CREATE TABLE account (owner text PRIMARY KEY, balance bigint)");
    Exec("CREATE TABLE entry (owner text, n int, amount bigint, PRIMARY KEY (owner, n))");
  }
  void TearDown() override {
    db_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Exec(std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    const auto result = db_->Execute(cql, parameters);
    ASSERT_TRUE(result.ok()) << cql << ": " << result.error().message;
  }
  // Returns all values of the result as one text, or the message of the error.
  template <typename On>
  static std::string All(On& on, std::string_view cql, const std::vector<Parameter>& parameters = {}) {
    auto result = on.Execute(cql, parameters);
    if (!result.ok()) return result.error().message;
    std::string all;
    while (result.value().Next()) {
      for (size_t i = 0; i < result.value().row().size(); ++i) all += result.value().row().Text(i) + " ";
    }
    return result.value().failure() ? result.value().failure()->message : all;
  }
  // Writes enough for several folds of the memtables.
  void WriteMuch() {
    const PreparedQuery put = db_->Prepare("INSERT INTO k.entry (owner, n, amount) VALUES (?, ?, 1)").value();
    for (int i = 0; i < 30'000; ++i) { ASSERT_TRUE(db_->Execute(put, {"owner " + std::to_string(i % 100), i}).ok()); }
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(TransactionTest, ASnapshotSeesOneMomentOfAllTables) {
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
  Exec("INSERT INTO entry (owner, n, amount) VALUES ('ann', 1, 10)");
  const PreparedQuery prepared = db_->Prepare("SELECT balance FROM k.account WHERE owner = ?").value();
  auto snapshot = ReadSnapshot::Open(*db_).value();
  Exec(
      "BEGIN BATCH UPDATE account SET balance = 5 WHERE owner = 'ann'; DELETE FROM entry WHERE owner = 'ann'; "
      "INSERT INTO account (owner, balance) VALUES ('ben', 5) APPLY BATCH");
  WriteMuch();  // Now the data file has newer versions of the snapshot's rows, too.
  EXPECT_EQ(All(*snapshot, "SELECT owner, balance FROM account"), "ann 10 ");
  EXPECT_EQ(All(*snapshot, "SELECT amount FROM entry WHERE owner = 'ann'"), "10 ");
  EXPECT_EQ(All(*snapshot, "SELECT count(*) FROM entry"), "1 ");
  auto run = snapshot->Execute(prepared, {"ann"});
  ASSERT_TRUE(run.ok() && run.value().Next());
  EXPECT_EQ(run.value().row().Get<int64_t>(0), 10);
  int64_t shown = 0;
  EXPECT_EQ(snapshot->ForEachRow(prepared, {"ann"}, [&](const Row& row) { return shown = row.Get<int64_t>(0), true; })
                .value(),
            1u);
  EXPECT_EQ(shown, 10);
  EXPECT_EQ(All(*db_, "SELECT owner, balance FROM account WHERE owner IN ('ann', 'ben')"), "ann 5 ben 5 ");
}

TEST_F(TransactionTest, ASnapshotSeesTheSchemaOfItsMoment) {
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
  const PreparedQuery before = db_->Prepare("SELECT * FROM k.account").value();
  auto snapshot = ReadSnapshot::Open(*db_).value();
  Exec("TRUNCATE account");
  EXPECT_EQ(All(*snapshot, "SELECT * FROM account"), "ann 10 ");
  Exec("ALTER TABLE account ADD since date");
  EXPECT_EQ(All(*snapshot, "SELECT * FROM account"), "ann 10 ");
  Exec("DROP TABLE account");
  EXPECT_EQ(All(*snapshot, "SELECT * FROM account"), "ann 10 ");
  auto run = snapshot->Execute(before);
  ASSERT_TRUE(run.ok() && run.value().Next());
  EXPECT_EQ(run.value().row().size(), 2u);
  EXPECT_THAT(All(*db_, "SELECT * FROM account"), HasSubstr("does not exist"));
}

TEST_F(TransactionTest, ValuesAreBoundForTheTypesOfTheSnapshot) {
  Exec("CREATE TABLE typed (v int PRIMARY KEY)");
  Exec("INSERT INTO typed (v) VALUES (5)");
  auto snapshot = ReadSnapshot::Open(*db_).value();
  Exec("DROP TABLE typed");
  Exec("CREATE TABLE typed (v float PRIMARY KEY)");
  const PreparedQuery now = db_->Prepare("SELECT v FROM k.typed WHERE v = ?").value();
  EXPECT_TRUE(snapshot->Execute(now, {5}).value().Next());
  EXPECT_EQ(snapshot->ForEachRow(now, {5}, [](const Row&) { return true; }).value(), 1u);
  EXPECT_FALSE(db_->Execute(now, {5}).value().Next());
}

TEST_F(TransactionTest, PagesOfASnapshotAreOfOneMoment) {
  WriteMuch();
  auto snapshot = ReadSnapshot::Open(*db_).value();
  // The result is read in pages of 5,000 rows.
  auto rows = snapshot->Execute("SELECT n FROM entry").value();
  size_t count = 0;
  while (rows.Next()) {
    if (count++ == 10) Exec("TRUNCATE entry");
  }
  EXPECT_FALSE(rows.failure());
  EXPECT_EQ(count, 30'000u);
}

TEST_F(TransactionTest, ASnapshotExpires) {
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
  auto by_age = ReadSnapshot::Open(*db_, {.age_max = milliseconds(1)}).value();
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_THAT(All(*by_age, "SELECT * FROM account"), HasSubstr("Snapshot expired: it is older than 0.001 s"));

  auto by_bytes = ReadSnapshot::Open(*db_, {.pinned_bytes_max = 64u << 10}).value();
  std::string answer;
  // The limits of snapshots are checked several times a second, so the snapshot does not end at once.
  for (int i = 0; i < 60 && !answer.starts_with("Snapshot"); ++i) {
    WriteMuch();
    answer = All(*by_bytes, "SELECT * FROM account");
  }
  EXPECT_THAT(answer, HasSubstr("Snapshot expired: writes since have left more than"));

  for (const int64_t age : {int64_t{0}, int64_t{60'001}}) {
    EXPECT_THAT(ReadSnapshot::Open(*db_, {.age_max = milliseconds(age)}).error().message,
                HasSubstr("from 1 ms to 60000 ms"));
  }
}

TEST_F(TransactionTest, AScanOnASnapshotEndsWithIt) {
  WriteMuch();
  const PreparedQuery query = db_->Prepare("SELECT n FROM k.entry").value();
  auto snapshot = ReadSnapshot::Open(*db_, {.age_max = milliseconds(500)}).value();
  int rows = 0;
  const auto shown = snapshot->ForEachRow(query, {}, [&](const Row&) {
    if (rows++ == 0) std::this_thread::sleep_for(milliseconds(600));
    return true;
  });
  ASSERT_FALSE(shown.ok());
  EXPECT_THAT(shown.error().message, HasSubstr("Snapshot expired: it is older than 0.500 s"));
  EXPECT_EQ(rows, 1'000) << "they are looked at so often";
}

TEST_F(TransactionTest, ThereAreNotMoreSnapshotsThanCanBeKept) {
  std::vector<std::unique_ptr<ReadSnapshot>> open;
  while (open.size() < 64) open.push_back(ReadSnapshot::Open(*db_).value());
  EXPECT_EQ(ReadSnapshot::Open(*db_).error().code, 0x1001u);
  open.pop_back();
  EXPECT_TRUE(ReadSnapshot::Open(*db_).ok());
}

TEST_F(TransactionTest, ASnapshotOnlyReadsAndOneStatementAtATime) {
  auto snapshot = ReadSnapshot::Open(*db_).value();
  EXPECT_THAT(All(*snapshot, "INSERT INTO account (owner) VALUES ('x')"), HasSubstr("A snapshot only reads"));
  EXPECT_THAT(All(*snapshot, "TRUNCATE account"), HasSubstr("A snapshot only reads"));
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
  auto later = ReadSnapshot::Open(*db_).value();
  const PreparedQuery query = db_->Prepare("SELECT owner FROM k.account").value();
  std::string inner;
  EXPECT_TRUE(
      later->ForEachRow(query, {}, [&](const Row&) { return inner = All(*later, "SELECT owner FROM account"), true; })
          .ok());
  EXPECT_THAT(inner, HasSubstr("The snapshot is showing rows to the caller"));
  EXPECT_EQ(All(*later, "SELECT owner FROM account"), "ann ");
}

TEST_F(TransactionTest, ATransactionIsAppliedWholeIfNothingHasChanged) {
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
  auto transfer = Transaction::Begin(*db_).value();
  EXPECT_EQ(All(*transfer, "SELECT balance FROM account WHERE owner IN ('ann', 'ben')"), "10 ");
  EXPECT_EQ(All(*transfer, "UPDATE account SET balance = 4 WHERE owner = 'ann'"), "");
  EXPECT_EQ(All(*transfer, "INSERT INTO account (owner, balance) VALUES (?, ?)", {"ben", 6}), "");
  EXPECT_EQ(All(*db_, "SELECT balance FROM account WHERE owner = 'ann'"), "10 ");
  EXPECT_TRUE(transfer->Commit().value());
  EXPECT_EQ(All(*db_, "SELECT balance FROM account WHERE owner IN ('ann', 'ben')"), "4 6 ");
  EXPECT_THAT(transfer->Commit().error().message, HasSubstr("The transaction is over"));
  EXPECT_THAT(All(*transfer, "SELECT balance FROM account WHERE owner = 'ann'"), HasSubstr("The transaction is over"));
}

TEST_F(TransactionTest, AConflictAppliesNothing) {
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
  const std::vector<std::string> disturbances = {
      "UPDATE account SET balance = 11 WHERE owner = 'ann'",
      "DELETE FROM account WHERE owner = 'ann'",
      // The transaction has looked for this row and found none.
      "INSERT INTO account (owner, balance) VALUES ('ben', 1)",
      "TRUNCATE account",
      "ALTER TABLE account ADD x int",
  };
  for (const std::string& disturbance : disturbances) {
    auto transaction = Transaction::Begin(*db_).value();
    All(*transaction, "SELECT balance FROM account WHERE owner IN ('ann', 'ben')");
    EXPECT_EQ(All(*transaction, "INSERT INTO entry (owner, n) VALUES ('never', 1)"), "");
    Exec(disturbance);
    EXPECT_FALSE(transaction->Commit().value()) << disturbance;
    EXPECT_EQ(All(*db_, "SELECT * FROM entry WHERE owner = 'never'"), "") << disturbance;
    Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10)");
    Exec("DELETE FROM account WHERE owner = 'ben'");
  }
  // The transaction has not read the row of zoe. It has read the row of ann, but the UPDATE does not change the value
  // in it. So neither write is a conflict.
  auto other = Transaction::Begin(*db_).value();
  All(*other, "SELECT balance FROM account WHERE owner = 'ann'");
  All(*other, "INSERT INTO entry (owner, n) VALUES ('ann', 1)");
  Exec("INSERT INTO account (owner, balance) VALUES ('zoe', 1)");
  Exec("UPDATE account SET balance = 10 WHERE owner = 'ann'");
  EXPECT_TRUE(other->Commit().value());
}

// A transaction could have run as a whole at the moment of its commit. So a value that it has read and that has expired
// before this moment is a conflict.
TEST_F(TransactionTest, AnExpiredValueIsAConflict) {
  Exec("INSERT INTO account (owner, balance) VALUES ('ann', 10) USING TTL 1");
  auto transaction = Transaction::Begin(*db_).value();
  EXPECT_EQ(All(*transaction, "SELECT balance FROM account WHERE owner = 'ann'"), "10 ");
  std::this_thread::sleep_for(std::chrono::milliseconds(2'100));
  EXPECT_EQ(All(*transaction, "SELECT balance FROM account WHERE owner = 'ann'"), "10 ");
  EXPECT_EQ(All(*transaction, "INSERT INTO entry (owner, n) VALUES ('ann', 1)"), "");
  EXPECT_FALSE(transaction->Commit().value());
}

TEST_F(TransactionTest, ReadsHaveNoTimeOfTheirOwn) {
  Exec("CREATE TABLE event (owner text, at timestamp, PRIMARY KEY (owner, at))");
  for (const char* read : {"SELECT now() FROM event WHERE owner = 'ann'",
                           "SELECT owner FROM event WHERE owner = 'ann' AND at < current_timestamp()"}) {
    auto transaction = Transaction::Begin(*db_).value();
    EXPECT_THAT(All(*transaction, read), HasSubstr("which is another value each time")) << read;
  }
}

// A batch cannot change counters together with other rows. A transaction can.
TEST_F(TransactionTest, CountersBesideOtherRows) {
  Exec("CREATE TABLE total (owner text PRIMARY KEY, n counter)");
  Exec("UPDATE total SET n = n + 5 WHERE owner = 'ann'");
  auto transfer = Transaction::Begin(*db_).value();
  EXPECT_EQ(All(*transfer, "SELECT n FROM total WHERE owner = 'ann'"), "5 ");
  EXPECT_EQ(All(*transfer, "UPDATE total SET n = n + ? WHERE owner = 'ann'", {int64_t{10}}), "");
  EXPECT_EQ(All(*transfer, "UPDATE total SET n = n + 100 WHERE owner = 'ann'"), "");
  EXPECT_EQ(All(*transfer, "INSERT INTO entry (owner, n, amount) VALUES ('ann', 1, 110)"), "");
  EXPECT_TRUE(transfer->Commit().value());
  EXPECT_EQ(All(*db_, "SELECT n FROM total WHERE owner = 'ann'"), "115 ");
  EXPECT_EQ(All(*db_, "SELECT amount FROM entry WHERE owner = 'ann'"), "110 ");
  auto late = Transaction::Begin(*db_).value();
  All(*late, "SELECT n FROM total WHERE owner = 'ann'");
  All(*late, "UPDATE total SET n = n + 1 WHERE owner = 'ann'");
  Exec("UPDATE total SET n = n + 1000 WHERE owner = 'ann'");
  EXPECT_FALSE(late->Commit().value());
  EXPECT_EQ(All(*db_, "SELECT n FROM total WHERE owner = 'ann'"), "1115 ");
}

TEST_F(TransactionTest, WhatATransactionDoesNotDo) {
  auto transaction = Transaction::Begin(*db_).value();
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"SELECT * FROM account", "reads partitions by their keys"},
      {"SELECT * FROM account WHERE balance = 1 ALLOW FILTERING", "reads partitions by their keys"},
      {"SELECT count(*) FROM entry WHERE owner = 'a'", "without filter, aggregate or DISTINCT"},
      {"SELECT owner FROM entry WHERE owner = 'a' AND amount = 1 ALLOW FILTERING",
       "without filter, aggregate or DISTINCT"},
      {"SELECT uuid() FROM account WHERE owner = 'a'", "uuid()"},
      {"INSERT INTO account (owner) VALUES ('a') IF NOT EXISTS", "has no statements with IF"},
      {"TRUNCATE account", "has SELECT, INSERT, UPDATE and DELETE alone"},
      {"SELECT * FROM system.local WHERE key = 'local'", "uses tables that are stored"},
      {"INSERT INTO account (owner) VALUES ('')", "Key may not be empty"},
      {"SELEC", "SELEC"},
  };
  for (const auto& [text, message] : refused) EXPECT_THAT(All(*transaction, text), HasSubstr(message)) << text;
  EXPECT_EQ(All(*transaction, "INSERT INTO account (owner, balance) VALUES ('a', 1)"), "");
  EXPECT_THAT(All(*transaction, "SELECT * FROM account WHERE owner = 'a'"),
              HasSubstr("reads a table before it writes to it"));
  EXPECT_TRUE(transaction->Commit().value());  // The refused statement has changed nothing.
  EXPECT_EQ(All(*db_, "SELECT balance FROM account WHERE owner = 'a'"), "1 ");
}

TEST_F(TransactionTest, ReadsOfATransactionAreBounded) {
  for (int i = 0; i < 5; ++i)
    Exec("INSERT INTO account (owner) VALUES (?)", {std::string(60'000, static_cast<char>('a' + i))});
  const std::string owner(60'000, 'a');
  auto transaction = Transaction::Begin(*db_).value();
  std::string answer;
  for (int i = 0; i < 200 && !answer.starts_with("A transaction"); ++i) {
    answer = All(*transaction, "SELECT owner FROM account WHERE owner = ?", {owner});
  }
  EXPECT_THAT(answer, HasSubstr("A transaction reads at most 4194304 bytes"));
}

// Many threads move money between accounts. No amount may be lost, and every reader must see the same sum.
TEST_F(TransactionTest, TransfersKeepTheSumUnderConcurrency) {
  constexpr int kAccounts = 6, kThreads = 4, kTransfers = 150;
  const auto name = [](int i) { return "account " + std::to_string(i); };
  for (int i = 0; i < kAccounts; ++i) Exec("INSERT INTO account (owner, balance) VALUES (?, 100)", {name(i)});
  const PreparedQuery get = db_->Prepare("SELECT balance FROM k.account WHERE owner = ?").value();
  const PreparedQuery put = db_->Prepare("UPDATE k.account SET balance = ? WHERE owner = ?").value();
  const PreparedQuery note = db_->Prepare("INSERT INTO k.entry (owner, n, amount) VALUES (?, ?, ?)").value();
  std::atomic<int> committed = 0, conflicts = 0;
  std::atomic<bool> done = false;
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < kTransfers;) {
        const int from = static_cast<int>(random() % kAccounts),
                  to = (from + 1 + static_cast<int>(random() % (kAccounts - 1))) % kAccounts;
        auto transfer = Transaction::Begin(*db_).value();
        const auto balance = [&](int account) {
          auto row = transfer->Execute(get, {name(account)});
          EXPECT_TRUE(row.ok() && row.value().Next());
          return row.value().row().Get<int64_t>(0);
        };
        const int64_t a = balance(from), b = balance(to);
        EXPECT_TRUE(transfer->Execute(put, {static_cast<long>(a - 1), name(from)}).ok());
        EXPECT_TRUE(transfer->Execute(put, {static_cast<long>(b + 1), name(to)}).ok());
        EXPECT_TRUE(transfer->Execute(note, {name(t), i, 1}).ok());
        const auto result = transfer->Commit();
        ASSERT_TRUE(result.ok()) << result.error().message;
        (result.value() ? committed : conflicts)++;
        if (result.value()) ++i;
      }
    });
  }
  std::jthread reader([&] {
    while (!done) {
      auto snapshot = ReadSnapshot::Open(*db_).value();
      int64_t sum = 0;
      for (int i = 0; i < kAccounts; ++i) {
        auto row = snapshot->Execute(get, {name(i)});
        ASSERT_TRUE(row.ok() && row.value().Next());
        sum += row.value().row().Get<int64_t>(0);
      }
      ASSERT_EQ(sum, 100 * kAccounts);
    }
  });
  threads.clear();
  done = true;
  reader.join();
  EXPECT_EQ(committed, kThreads * kTransfers);
  EXPECT_EQ(All(*db_, "SELECT count(*) FROM entry"), std::to_string(kThreads * kTransfers) + " ");
  int64_t sum = 0;
  for (const Row& row : db_->Execute("SELECT balance FROM account").value()) sum += row.Get<int64_t>(0);
  EXPECT_EQ(sum, 100 * kAccounts);
}

// A batch writes to two partitions. Readers must see both changes or none.
TEST_F(TransactionTest, BatchesAreIsolatedUnderConcurrency) {
  const PreparedQuery both = db_->Prepare(
                                    "BEGIN BATCH INSERT INTO k.account (owner, balance) VALUES ('left', ?); "
                                    "INSERT INTO k.account (owner, balance) VALUES ('right', ?) APPLY BATCH")
                                 .value();
  const PreparedQuery get = db_->Prepare("SELECT balance FROM k.account WHERE owner IN ('left', 'right')").value();
  ASSERT_TRUE(db_->Execute(both, {0, 0}).ok());
  std::jthread writer([&](const std::stop_token& stop) {
    for (int i = 1; !stop.stop_requested(); ++i) ASSERT_TRUE(db_->Execute(both, {i, i}).ok());
  });
  for (int i = 0; i < 3'000; ++i) {
    std::vector<std::string> seen;
    ASSERT_TRUE(db_->ForEachRow(get, {}, [&](const Row& row) { return seen.push_back(row.Text(0)), true; }).ok());
    ASSERT_EQ(seen.size(), 2u);
    ASSERT_EQ(seen[0], seen[1]);
  }
}

}  // namespace
}  // namespace widerow
