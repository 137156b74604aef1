// Computes the primary keys of the rows of a CSV file, so that rows with one key can be stored in the order of the
// file. The expressions of key columns (WITH SET, and generated columns) are evaluated, because different fields may
// give the same key.
//
// Only the reading thread uses it.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "shell/row_converter.h"

namespace widerow {

class RowKeys {
 public:
  // Plans the statement of the mapping. Fails as the database does for this statement. `mapping` and `command` must
  // outlive the RowKeys.
  static Result<RowKeys> Make(const CopyMapping& mapping, const CopyCommand& command, const SchemaSnapshot& schema);

  // Returns the key of the record's row. Keys that are equal by the order of their types have the same bytes. If a
  // partition key column has no value, the key is empty. If only a clustering column has none, it is the partition key.
  RowKey Of(const CsvRecord& record);
  // Returns the part of the key that decides about the order: rows with the same part must be stored one after the
  // other. If static columns are written, it is the partition key.
  ByteView OrderedPart(const RowKey& key) const;

 private:
  RowKeys(const CopyMapping& mapping, const CopyCommand& command, Plan plan);

  // Returns false if the column has no value.
  bool AppendColumn(const ColumnSchema& column, const KeyValues& values, Bytes& key);

  const CopyMapping& mapping_;
  const CopyCommand& command_;
  const Plan plan_;
  const bool has_statics_;
  std::vector<BoundValue> values_;  // One per slot. Only those of mapping_.key_slots are set.
  Bytes scratch_;
};

}  // namespace widerow
