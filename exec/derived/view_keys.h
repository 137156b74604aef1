// How a materialized view's rows follow from those of its table, and back: a view stores keys alone, each of which names the row of
// the base table that it shows. Its columns are the key columns of the base table and at most one more.
#pragma once

#include "exec/derived/derivation.h"
#include "planner/evaluate/evaluate.h"

namespace widerow {

// `base` has the view. One whose WHERE cannot be planned any more refuses all writes to the table.
DerivationPtr MakeViewDerivation(const TablePtr& base, const TablePtr& view, const SchemaSnapshot& schema);

// From keys of a view to those of its table. Immutable; any thread.
class ViewKeys {
 public:
  // Borrows both.
  ViewKeys(const TableSchema& base, const TableSchema& view);

  struct BaseKey {
    Bytes partition_key, clustering;  // As stored.
    Bytes added;                      // The value of added().
  };
  // kServerError for a damaged key.
  Status BaseKeyOf(const RowView& entry, BaseKey& key) const;
  // The column of the base table, outside of its key, that is part of the view's key: an index into its columns.
  std::optional<uint32_t> added() const { return added_; }

 private:
  enum class Part : uint8_t { kPartitionKey, kClustering, kAdded };
  struct Place {
    Part part = Part::kPartitionKey;
    uint32_t position = 0;
  };

  const TableSchema& base_;
  const TableSchema& view_;
  std::vector<Place> places_;  // Of the view's key columns in the base table, in the order of the view's key.
  std::optional<uint32_t> added_;
};

}  // namespace widerow
