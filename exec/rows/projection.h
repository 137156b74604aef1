// The fast path from a stored row to the answer for the most common outputs: single-cell columns and parts of the key.
// It does not look at the plan and does not allocate.
#pragma once

#include <memory>

#include "exec/rows/rows_writer.h"
#include "exec/rows/scanned_row.h"
#include "planner/plan.h"

namespace widerow {

// Immutable; any thread.
class Projection {
 public:
  // Returns the plan's projection. Null if the plan selects anything but key columns and stored regular columns of a
  // single cell. Also null if it selects a regular column twice, or more than kOutputsMax columns.
  static std::shared_ptr<const Projection> Of(const SelectPlan& plan);
  // True if all outputs are regular columns: AppendRegular is then enough.
  bool regular_only() const { return keys_.empty(); }

  static constexpr size_t kOutputsMax = 64;
  // Memory for the values of one row, by output; not initialized.
  struct Values {
    Values() {}  // NOLINT: on purpose
    ByteView& operator[](size_t output) { return at[output]; }
    const ByteView* data() const { return at; }
    // The last entry receives the values of columns that are not selected and is never read. That is cheaper than a
    // test.
    union {
      ByteView at[kOutputsMax + 1];
    };
  };
  size_t output_count() const { return output_count_; }

  // Sets `values` to the row's values; null data() means null. They point into the row. `uniform` is row.LiveUniform().
  Status Read(const RowView& uniform, ScannedRow& row, Values& values) const {
    size_t key_bytes = 0;
    WR_RETURN_IF_ERROR(ReadKeys(row, values, key_bytes));
    return ReadRegular(uniform, values);
  }
  Status ReadRegular(const RowView& uniform, Values& values) const {
    const uint8_t* const outputs = outputs_.data();  // A local copy: writes might alias the member.
    const size_t known = outputs_.size();
    UniformCells cells = uniform.packed;
    for (const uint8_t output : regulars_) values[output] = ByteView();
    ColumnId id = 0;
    ByteView value;
    while (cells.Next(id, value)) {
      if (id < known) values[outputs[id]] = value;
    }
    if (cells.done()) [[likely]]
      return OkStatus();
    return DamagedCells();
  }

  // Appends the row's values to an answer. `uniform` is row.LiveUniform().
  Status Append(const RowView& uniform, ScannedRow& row, RowsWriter& rows) const {
    Values values;
    size_t key_bytes = 0;
    if (!regular_only()) WR_RETURN_IF_ERROR(ReadKeys(row, values, key_bytes));
    return AppendAll(uniform, key_bytes, values, rows);
  }
  Status AppendRegular(const RowView& uniform, RowsWriter& rows) const {
    Values values;
    return AppendAll(uniform, 0, values, rows);
  }

 private:
  static constexpr uint8_t kNone = kOutputsMax;
  struct Key {
    uint32_t output = 0, column = 0;
  };

  Status ReadKeys(ScannedRow& row, Values& values, size_t& bytes) const {
    for (const Key& key : keys_) {
      WR_ASSIGN_OR_RETURN(const ValueView value, row.Column(key.column));
      values[key.output] = value.value_or(ByteView());
      bytes += values[key.output].size();
    }
    return OkStatus();
  }
  // Appends all values of the row. `values` already has the values of keys.
  Status AppendAll(const RowView& uniform, size_t key_bytes, Values& values, RowsWriter& rows) const {
    const size_t count = output_count_, bytes = key_bytes + uniform.packed.bytes();
    WR_RETURN_IF_ERROR(rows.MakeRoom(bytes));
    char* to = rows.BeginRow(count, bytes);
    WR_RETURN_IF_ERROR(ReadRegular(uniform, values));
    for (size_t i = 0; i < count; ++i) to = RowsWriter::Put(values[i], to);
    rows.EndRow(to);
    return OkStatus();
  }

  size_t output_count_ = 0;
  std::vector<uint8_t> outputs_;   // By column id, up to the greatest selected; kNone: not selected.
  std::vector<uint8_t> regulars_;  // Outputs that are regular columns.
  std::vector<Key> keys_;
};

}  // namespace widerow
