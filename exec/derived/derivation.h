// Computes the rows of a derived table (an index's entries, a materialized view) from the rows of its base table. The
// computation is a pure function of one base row; its results "follow from" the base row. Writes (derived_writes.h),
// builds (derived_builder.h) and consistency checks all use it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "storage/row.h"
#include "types/schema.h"

namespace widerow {

// A row of a base table, or the static row of one of its partitions, as storage returns it.
struct BaseRow {
  const TableSchema& table;
  ByteView partition_key;  // In stored form.
  bool is_static = false;
  ByteView clustering;           // Encoded; empty for static rows.
  const RowView* row = nullptr;  // The row with its cells (RowView::ExpandUniform); null if no such row is stored.
};

// A row of a derived table: its key, its expiry and its content. It is stored with a row marker.
struct DerivedRow {
  Bytes partition_key, clustering;  // In stored form.
  // The values of the columns after the key, in their order; most derived tables have none.
  std::vector<Bytes> values;
  // Original bytes of clustering values that cannot be computed from the stored key, each with the position of its
  // clustering column.
  std::vector<std::pair<uint32_t, Bytes>> kept_clustering;
  int32_t ttl = 0;         // 0: no expiry.
  int64_t expires_at = 0;  // Set only if ttl is not 0.

  // Replaces the expiry by the expiry of another cell or marker if that one is later.
  void KeepUntil(int32_t other_ttl, int64_t other_expires_at) {
    if (ttl == 0 || (other_ttl != 0 && other_expires_at <= expires_at)) return;
    ttl = other_ttl;
    expires_at = other_expires_at;
  }
};

// Sets the expiry of `life` to the latest expiry of the row's marker and cells. False if the row has neither a marker
// nor a cell.
bool LifeOf(const BaseRow& row, DerivedRow& life);

struct DerivedRows {
  std::vector<DerivedRow> rows;
  // Set if one more row follows from the base row, but its key is longer than keys may be. Such a row can never be
  // stored. A write that would create it fails with this error.
  std::optional<Error> left_out;
};

// The set of rows in which a value of an index may occur only once.
enum class Uniqueness : uint8_t { kNone, kInPartition, kInTable };

// Immutable; any thread.
class TableDerivation {
 public:
  virtual ~TableDerivation() = default;

  // Returns the derived table.
  virtual const TablePtr& table() const = 0;
  // Returns the name of the index or view, in its keyspace.
  virtual const std::string& name() const = 0;
  // True if the derived table contains the rows that follow from base rows older than the derived table.
  virtual bool built() const = 0;
  // Says where the values of a unique index must be unique (unique_check.h): within each base partition, or in the
  // whole base table. kNone for every other derivation.
  virtual Uniqueness uniqueness() const { return Uniqueness::kNone; }
  // Returns the value that a derived row of a unique index stands for, as text: "v = 'x'", "'x' in v".
  virtual std::string ValueText(const DerivedRow&) const { return {}; }
  // Appends the rows that follow from `row`, in any order, possibly with duplicate keys. The result does not depend on
  // the time: rows that expire have an expiry and are never left out.
  virtual Status KeysOf(const BaseRow& row, DerivedRows& keys) const = 0;
};
using DerivationPtr = std::shared_ptr<const TableDerivation>;

// True if the schema changes from `before` to `after` neither removed rows of the table (TRUNCATE, DROP PARTITION) nor
// brought dropped columns back. Ordinary writes may have changed rows in the meantime.
bool HasSameRows(const TableSchema& before, const TableSchema& after);

// Returns the derivations of all indexes and views of the table.
std::vector<DerivationPtr> DerivationsOf(const TablePtr& table, const SchemaSnapshot& schema);

// Returns the rows that follow from `row`, in key order without duplicates. If two rows have the same key, the row that
// expires later is returned.
Result<DerivedRows> SortedKeysOf(const TableDerivation& derivation, const BaseRow& row);

}  // namespace widerow
