// Several statements that read the same state of the database (ReadSnapshot), or that take effect together
// (Transaction).
//
//   auto snapshot = widerow::ReadSnapshot::Open(db).value();
//   for (const widerow::Row& row : snapshot->Execute("SELECT * FROM shop.orders WHERE user = 'ann'").value()) { … }
//   for (const widerow::Row& row : snapshot->Execute("SELECT * FROM shop.invoices WHERE user = 'ann'").value()) { … }
//
//   while (true) {  // Moves money, wherever the two accounts are kept.
//     auto transfer = widerow::Transaction::Begin(db).value();
//     const int64_t from = Balance(*transfer, "ann"), to = Balance(*transfer, "ben");
//     transfer->Execute(set_balance, {from - 10, "ann"});
//     transfer->Execute(set_balance, {to + 10, "ben"});
//     if (transfer->Commit().value()) break;  // False: another write changed what was read.
//   }
//
// A ReadSnapshot and a Transaction keep a snapshot, and the storage cannot reuse what the snapshot still needs. So a
// snapshot expires by itself; later uses fail with "Snapshot expired" and the reason. One thread at a time may use each
// object. The Database must outlive the object. A ReadSnapshot must outlive the ResultSets that still fetch later
// pages.
#pragma once

#include <chrono>

#include "widerow/database.h"

namespace widerow {

struct SnapshotOptions {
  std::chrono::milliseconds age_max{60'000};        // From 1 ms to one minute.
  uint64_t pinned_bytes_max = uint64_t{256} << 20;  // Bytes of pages and memtables that only this snapshot still needs.
};

// All statements on a ReadSnapshot see the rows and the schema of the moment when it was opened. Later writes proceed,
// but the snapshot does not show them.
class ReadSnapshot {
 public:
  // Fails with code 0x1001 (Overloaded) if 64 snapshots are open, and with 0x2200 (Invalid) if age_max is out of range.
  static Expected<std::unique_ptr<ReadSnapshot>> Open(Database& database, SnapshotOptions options = {});
  ~ReadSnapshot();
  ReadSnapshot(const ReadSnapshot&) = delete;
  ReadSnapshot& operator=(const ReadSnapshot&) = delete;

  // Runs a SELECT; other statements are a Failure.
  Expected<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters = {});
  Expected<ResultSet> Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters = {});
  // Does the same as Database::ForEachRow. `visit` may use the database but not this snapshot.
  Expected<size_t> ForEachRow(const PreparedQuery& query, const std::vector<Parameter>& parameters,
                              const std::function<bool(const Row&)>& visit);

 private:
  struct State;
  explicit ReadSnapshot(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads and writes of any partitions that take effect together, as if nothing else had happened between Begin and
// Commit (serializable), or not at all. Transactions are optimistic: nothing is locked. Commit repeats the reads and
// applies the writes only if the answers are the same.
class Transaction {
 public:
  // Opens the snapshot; fails like ReadSnapshot::Open.
  static Expected<std::unique_ptr<Transaction>> Begin(Database& database, SnapshotOptions options = {});
  // Without a Commit nothing is written.
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // A SELECT is answered at once, from the snapshot. It must name its partitions and must not use filters, aggregates,
  // DISTINCT or functions whose results vary (now(), for example). All reads together may return at most 4 MiB. An
  // INSERT, UPDATE or DELETE must have no condition; it is checked at once and kept for Commit. After the transaction
  // has written to a table, it cannot read this table.
  Expected<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters = {});
  Expected<ResultSet> Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters = {});
  // True: all writes are applied, as durably as other writes. False: something that was read has changed (or one of the
  // tables was altered), and nothing is applied; begin a new transaction. The transaction is over in both cases. After
  // a Failure, Commit may be called again.
  Expected<bool> Commit();

 private:
  struct State;
  explicit Transaction(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
