// How the rows of a derived table (an index's entries, a materialized view) follow from those of its base table: a pure function
// of one base row. Everything else is made of it: what a write changes (derived_writes.h), what a build writes (derived_builder.h),
// and what a check expects.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "storage/row.h"
#include "types/schema.h"

namespace widerow {

// A row of a base table, or the static row of one of its partitions, as storage gives it.
struct BaseRow {
  const TableSchema& table;
  ByteView partition_key;  // As stored.
  bool is_static = false;
  ByteView clustering;     // Encoded; empty for static rows.
  const RowView* row = nullptr;  // Expanded (RowView::ExpandUniform): its values are in `cells`. Null: nothing is stored.
};

// A row of a derived table: its key, and until when it is there. It has a marker and no cells.
struct DerivedRow {
  Bytes partition_key, clustering;  // As stored.
  std::vector<std::pair<uint32_t, Bytes>> kept_clustering;  // As RowFragment has them.
  int32_t ttl = 0;         // 0: for ever.
  int64_t expires_at = 0;  // With a ttl.

  // As long as anything else that keeps it, too.
  void KeepUntil(int32_t other_ttl, int64_t other_expires_at) {
    if (ttl == 0 || (other_ttl != 0 && other_expires_at <= expires_at)) return;
    ttl = other_ttl;
    expires_at = other_expires_at;
  }
};

// What a row is there for: as long as its marker or any of its cells is. False: nothing keeps it.
bool LifeOf(const BaseRow& row, DerivedRow& life);

struct DerivedRows {
  std::vector<DerivedRow> rows;
  // A row that would follow as well, if its key were not longer than keys may be. It can never have been stored; a write that would
  // make it is refused with this.
  std::optional<Error> left_out;
};

// Immutable; any thread.
class TableDerivation {
 public:
  virtual ~TableDerivation() = default;

  // The derived table.
  virtual const TablePtr& table() const = 0;
  // Of the index or view, in its keyspace.
  virtual const std::string& name() const = 0;
  // What followed from the rows that there were when it was made is in it.
  virtual bool built() const = 0;
  // Appends the rows that follow from `row`, in any order; a key may come twice. Whatever the time is: what will have expired has
  // its expiry, and is not left out.
  virtual Status KeysOf(const BaseRow& row, DerivedRows& keys) const = 0;
};
using DerivationPtr = std::shared_ptr<const TableDerivation>;

// Whether a table has the rows that it had before its schema was changed, as far as no write came between.
bool HasSameRows(const TableSchema& before, const TableSchema& after);

// Of all indexes and views of the table.
std::vector<DerivationPtr> DerivationsOf(const TablePtr& table, const SchemaSnapshot& schema);

// The rows that follow from `row`, in the order of keys, each once, for as long as anything keeps it.
Result<DerivedRows> SortedKeysOf(const TableDerivation& derivation, const BaseRow& row);

}  // namespace widerow
