// The rows of a virtual table, written column by column in any order. A column that is not written is null. Used by one
// thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/uuid.h"
#include "exec/virtual/memory_view.h"
#include "types/schema.h"

namespace widerow {

class VirtualRows {
 public:
  explicit VirtualRows(const TableSchema& table) : table_(table), values_(table.columns.size()) {}

  // Starts the next row.
  VirtualRows& Add();

  // Each function writes one column, which must exist (WR_CHECK). `Native` takes the protocol's bytes.
  VirtualRows& Native(std::string_view column, Value value);
  VirtualRows& Text(std::string_view column, std::string_view text) { return Native(column, Bytes(text)); }
  VirtualRows& Integer(std::string_view column, int64_t number);  // Any integer type, also timestamp (ms).
  VirtualRows& Double(std::string_view column, double number);
  VirtualRows& Boolean(std::string_view column, bool value) { return Native(column, Bytes(1, value ? '\1' : '\0')); }
  VirtualRows& Id(std::string_view column, const Uuid& id) { return Native(column, Bytes(id.view())); }
  VirtualRows& TextMap(std::string_view column, const std::map<std::string, std::string>& map);
  VirtualRows& Texts(std::string_view column, const std::vector<std::string>& elements);  // A list or set, in order.

  std::vector<MemoryRow> Take() &&;

 private:
  size_t IndexOf(std::string_view column) const;
  void Finish();

  const TableSchema& table_;
  std::vector<Value> values_;  // The current row's values, by column.
  bool under_way_ = false;
  std::vector<MemoryRow> rows_;
};

}  // namespace widerow
