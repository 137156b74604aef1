// Inserts many rows into one table, several times faster than Execute: the rows bypass the commit log, are sorted, and
// are stored in the order of their keys. Each row is stored as the INSERT of the same values would store it.
//
//   auto opened = widerow::BulkWriter::Open(db, "shop.orders", {"user", "id", "total"});
//   if (!opened.ok()) { … opened.error().message … }
//   widerow::BulkWriter& writer = *opened.value();
//   for (const Order& o : orders) {
//     auto added = writer.Add({o.user, o.id, o.total});
//     if (!added.ok()) { … "row 7: parameter 1 …": this row is left out, the others are stored … }
//   }
//   auto rows = writer.Finish();  // The number of rows stored, durably.
//
// One thread at a time may use a BulkWriter. Several BulkWriters, and any other reads and writes, may run at the same
// time. The Database must outlive the BulkWriter. Rows become visible while Finish or Add stores them, each row as a
// whole. If two rows have the same key, the later Add wins. A write or deletion that others make after a row's Add wins
// over that row.
#pragma once

#include "widerow/database.h"

namespace widerow {

struct BulkWriterOptions {
  // The memory for rows that are not stored yet, at least 1 MiB. When it is full, its rows are sorted and written to an
  // unnamed file in the database's directory. When these files have about 4 GiB, Add stores the gathered rows.
  size_t memory_bytes = size_t{256} << 20;
};

class BulkWriter {
 public:
  // `table` is KEYSPACE.TABLE, or TABLE in the keyspace of the last USE, written as in CQL (quoted if its case
  // matters). `columns` gives the order of the values in Add; it must contain all columns of the primary key. Fails
  // with the Failure of the corresponding INSERT.
  static Expected<std::unique_ptr<BulkWriter>> Open(Database& database, std::string_view table,
                                                    const std::vector<std::string>& columns,
                                                    BulkWriterOptions options = {});
  // Drops the rows that have not been stored.
  ~BulkWriter();
  BulkWriter(const BulkWriter&) = delete;
  BulkWriter& operator=(const BulkWriter&) = delete;

  // Adds one row: one value per column, as for a PreparedQuery. Null deletes the column's value, as in INSERT; Unset
  // leaves it unchanged. The values are copied. Returns the number of rows added in all. A Failure begins with "row
  // N:", where N counts all calls from 1. Code 0x2200: the row's values are wrong, the row is left out, and more rows
  // can be added. Any other code is about the database (a full disk, for example); the row may have been added.
  Expected<uint64_t> Add(const std::vector<Parameter>& values);
  // Stores the added rows and waits until they are durable. Returns the number of rows that the writer has stored in
  // all. More rows can be added afterwards. Fails if the table, or a declared partition of it, was dropped or truncated
  // since Open. After a Failure some rows may be stored already. The added rows are kept in any case, and Finish may be
  // called again.
  Expected<uint64_t> Finish();

 private:
  struct State;
  explicit BulkWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
