// Measures the sampled values of each column: sizes, elements of collections, and the number of different values.
#pragma once

#include <set>
#include <vector>

#include "advise/facts.h"
#include "base/result.h"

namespace widerow {

class ColumnMeasures {
 public:
  explicit ColumnMeasures(const TableSchema& table);

  // Adds a value of column `index`. kServerError if a stored collection is damaged.
  Status Add(uint32_t index, ByteView value);
  // Returns one measure per column of the table.
  std::vector<advise::ColumnSample> samples() const { return samples_; }

 private:
  std::vector<TypePtr> types_;
  std::vector<bool> indexed_;
  std::vector<advise::ColumnSample> samples_;
  std::vector<std::set<Bytes>> different_;  // The different values of columns with an index.
};

}  // namespace widerow
