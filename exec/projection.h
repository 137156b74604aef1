// What most queries select, columns of one cell each and parts of the key, from the storage's page to the answer: without a
// look at the plan, and without an allocation.
#pragma once

#include <memory>

#include "exec/rows_writer.h"
#include "exec/scanned_row.h"
#include "planner/plan.h"

namespace widerow {

// Read-only once made: any thread.
class Projection {
 public:
  // Null if the plan selects anything else, a regular column twice, or more than kOutputsMax columns.
  static std::shared_ptr<const Projection> Of(const SelectPlan& plan);
  // Whether all outputs are regular columns, so that AppendRegular will do.
  bool regular_only() const { return keys_.empty(); }

  // `uniform` is row.LiveUniform().
  Status Append(const RowView& uniform, ScannedRow& row, RowsWriter& rows) const {
    if (regular_only()) return AppendRegular(uniform, rows);
    Values values;
    size_t key_bytes = 0;
    for (const Key& key : keys_) {
      WR_ASSIGN_OR_RETURN(const ValueView value, row.Column(key.column));
      values[key.output] = value.value_or(ByteView());
      key_bytes += values[key.output].size();
    }
    return AppendAll(uniform, key_bytes, values, rows);
  }
  Status AppendRegular(const RowView& uniform, RowsWriter& rows) const {
    Values values;
    return AppendAll(uniform, 0, values, rows);
  }

 private:
  static constexpr size_t kOutputsMax = 64;
  static constexpr uint8_t kNone = kOutputsMax;  // An output that is written to and never read: cheaper than a test.
  struct Key { uint32_t output = 0, column = 0; };
  // By output; not initialized before it is used.
  struct Values {
    Values() {}  // NOLINT: on purpose
    ByteView& operator[](size_t output) { return at[output]; }
    union { ByteView at[kOutputsMax + 1]; };
  };

  static Status Ended(const UniformCells& cells) {
    if (cells.done()) [[likely]] return OkStatus();
    return DamagedCells();
  }
  // `values` has those of keys.
  Status AppendAll(const RowView& uniform, size_t key_bytes, Values& values, RowsWriter& rows) const {
    const uint8_t* const outputs = outputs_.data();  // Copied: bytes written could be these members for all that a compiler knows.
    const size_t known = outputs_.size(), count = output_count_;
    UniformCells cells = uniform.packed;
    char* to = rows.BeginRow(count, key_bytes + cells.bytes());
    for (const uint8_t output : regulars_) values[output] = ByteView();
    ColumnId id = 0;
    ByteView value;
    while (cells.Next(id, value)) {
      if (id < known) values[outputs[id]] = value;
    }
    for (size_t i = 0; i < count; ++i) to = RowsWriter::Put(values[i], to);
    rows.EndRow(to);
    return Ended(cells);
  }

  size_t output_count_ = 0;
  std::vector<uint8_t> outputs_;   // By column id; kNone: not selected. As long as the ids that are.
  std::vector<uint8_t> regulars_;  // Outputs that are regular columns.
  std::vector<Key> keys_;
};

}  // namespace widerow
