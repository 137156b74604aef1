// Converts keys of a table's rows to keys of a materialized view, and back. A view stores keys only; each names the
// base row that it shows. Its key consists of the base table's key columns and at most one more column.
#pragma once

#include "exec/derived/derivation.h"
#include "planner/evaluate/evaluate.h"

namespace widerow {

// Returns the derivation of a view of `base`. If the view's WHERE can no longer be planned, all writes to the table
// fail.
DerivationPtr MakeViewDerivation(const TablePtr& base, const TablePtr& view, const SchemaSnapshot& schema);

// Converts keys of a view to keys of its table. Immutable; any thread.
class ViewKeys {
 public:
  // The object borrows both tables.
  ViewKeys(const TableSchema& base, const TableSchema& view);

  struct BaseKey {
    Bytes partition_key, clustering;  // In stored form.
    Bytes added;                      // The value of added().
  };
  // Converts the key of a view's row to the key of its base row. kServerError for a damaged key.
  Status BaseKeyOf(const RowView& entry, BaseKey& key) const;
  // Returns the column of the view's key that is not in the base table's key, as an index into the base table's
  // columns.
  std::optional<uint32_t> added() const { return added_; }

 private:
  enum class Part : uint8_t { kPartitionKey, kClustering, kAdded };
  struct Place {
    Part part = Part::kPartitionKey;
    uint32_t position = 0;
  };

  const TableSchema& base_;
  const TableSchema& view_;
  std::vector<Place> places_;  // For each key column of the view: its place in the base table's key.
  std::optional<uint32_t> added_;
};

}  // namespace widerow
