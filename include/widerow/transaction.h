// Several statements that see one moment of the database, and several that are decided together.
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
//     if (transfer->Commit().value()) break;  // False: somebody else was quicker.
//   }
//
// Both keep a snapshot: what is overwritten while it is held cannot be written again, so it ends by itself, and later uses
// fail with "Snapshot expired" and the reason. One thread at a time each; the Database outlives them, and they outlive the
// ResultSets that they gave, as far as those fetch later pages.
#pragma once

#include <chrono>

#include "widerow/database.h"

namespace widerow {

struct SnapshotOptions {
  std::chrono::milliseconds age_max{60'000};        // 1 ms to a minute.
  uint64_t pinned_bytes_max = uint64_t{256} << 20;  // Of pages and memtables that nobody else needs any more.
};

// All statements see what was there when it was opened: rows of all tables, and the schema. Writes go on meanwhile, unseen.
class ReadSnapshot {
 public:
  static Expected<std::unique_ptr<ReadSnapshot>> Open(Database& database, SnapshotOptions options = {});
  ~ReadSnapshot();
  ReadSnapshot(const ReadSnapshot&) = delete;
  ReadSnapshot& operator=(const ReadSnapshot&) = delete;

  // SELECTs; others are a Failure.
  Expected<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters = {});
  Expected<ResultSet> Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters = {});
  // As Database's; `visit` may use the database but not this snapshot.
  Expected<size_t> ForEachRow(const PreparedQuery& query, const std::vector<Parameter>& parameters,
                              const std::function<bool(const Row&)>& visit);

 private:
  struct State;
  explicit ReadSnapshot(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads and writes of any partitions that take effect together, as if nothing else had happened between Begin and Commit
// (serializable), or not at all. Optimistic: nothing is locked; Commit reads again what was read and applies the writes only
// if the answers are the same.
class Transaction {
 public:
  static Expected<std::unique_ptr<Transaction>> Begin(Database& database, SnapshotOptions options = {});
  // Without a Commit nothing has happened.
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // SELECT: answers at once, from the snapshot. It must name its partitions and select without filter, aggregate or functions
  // that answer differently each time; all reads together may answer 4 MiB at most. INSERT, UPDATE and DELETE without
  // conditions: checked now, kept for Commit. A table that was written to in the transaction can no longer be read in it.
  Expected<ResultSet> Execute(std::string_view cql, const std::vector<Parameter>& parameters = {});
  Expected<ResultSet> Execute(const PreparedQuery& query, const std::vector<Parameter>& parameters = {});
  // True: all writes are applied, durably as any. False: something that was read is no longer so (or a table of it has been
  // altered), and nothing is applied: begin anew. The transaction is over either way; after a Failure it may be tried again.
  Expected<bool> Commit();

 private:
  struct State;
  explicit Transaction(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
