// Very many rows into one table, several times faster than by Execute: past the commit log, sorted, and stored in the order
// of their keys. What a row leaves behind is what the INSERT of the same values would.
//
//   auto opened = widerow::BulkWriter::Open(db, "shop.orders", {"user", "id", "total"});
//   if (!opened.ok()) { … opened.error().message … }
//   widerow::BulkWriter& writer = *opened.value();
//   for (const Order& o : orders) {
//     auto added = writer.Add({o.user, o.id, o.total});
//     if (!added.ok()) { … "row 7: parameter 1 …": this one stays out, the others do not … }
//   }
//   auto rows = writer.Finish();  // How many are in the table, durably.
//
// A BulkWriter belongs to one thread at a time; several at once, and any other reads and writes beside it, are fine. The
// Database outlives it. Rows become visible while they are stored, each whole; of two rows with one key the later Add stays,
// and a write or deletion made by others after a row's Add stays over it.
#pragma once

#include "widerow/database.h"

namespace widerow {

struct BulkWriterOptions {
  // Rows gather in so much memory; beyond it they go, sorted, to files in the database's directory, without names, that
  // need room for a copy of the rows (at most 4 GiB: then what has gathered is stored). At least 1 MiB.
  size_t memory_bytes = size_t{256} << 20;
};

class BulkWriter {
 public:
  // `table`: KEYSPACE.TABLE, or TABLE in the keyspace of USE, as in CQL (quoted if its case matters). `columns`: the values'
  // order in Add, the primary key's columns among them. A Failure is the one that the INSERT would give.
  static Expected<std::unique_ptr<BulkWriter>> Open(Database& database, std::string_view table,
                                                    const std::vector<std::string>& columns,
                                                    BulkWriterOptions options = {});
  // Drops what has not been stored.
  ~BulkWriter();
  BulkWriter(const BulkWriter&) = delete;
  BulkWriter& operator=(const BulkWriter&) = delete;

  // One value a column, as for a PreparedQuery; null deletes the column's value as INSERT's does, Unset leaves it alone. The
  // values are copied. Answers how many rows have been added. A Failure begins with "row N: ", counted from 1 over all
  // calls. It leaves that row out, and more can be added; code 0x2200 is about the row's values, any other about the database
  // (a full disk, say).
  Expected<uint64_t> Add(const std::vector<Parameter>& values);
  // Stores what has been added and waits until it is durable. Answers how many rows the writer has stored in all. It can be
  // used again. After a Failure some of the rows may be in; they stay gathered, and Finish may be tried again.
  Expected<uint64_t> Finish();

 private:
  struct State;
  explicit BulkWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
