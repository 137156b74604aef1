// The result of a check of a data directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace widerow {

// One fault. `where` is a file, page and offset, or a table and the key of a record as hexadecimal digits.
struct CheckFault {
  std::string where, what;
  // For the fault of a record: its key in the database `data`. For the fault of a child space
  // (storage/lmdb/long_keys.h): the beginning of its keys.
  Bytes key = {};
  bool unreadable = false;  // True if a read of the record fails.
};

struct CheckReport {
  static constexpr size_t kListedMax = 1'000;

  uint64_t pages = 0, records = 0, rows = 0, spilled_values = 0, log_groups = 0;
  uint64_t index_entries = 0, view_rows = 0;
  uint64_t fault_count = 0;
  std::vector<CheckFault> faults;  // The first kListedMax of them.
  std::vector<std::string> notes;  // Sentences about things that were not checked, or that are no faults.

  void Add(std::string where, std::string what, Bytes key = {}, bool unreadable = false) {
    ++fault_count;
    if (faults.size() < kListedMax) {
      faults.push_back({std::move(where), std::move(what), std::move(key), unreadable});
    }
  }
};

}  // namespace widerow
