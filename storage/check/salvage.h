// Makes a new data directory from the readable part of a damaged one.
#pragma once

#include <filesystem>
#include <functional>

#include "storage/check/check_storage.h"
#include "storage/check/partial_rows.h"

namespace widerow {

struct SalvageReport {
  uint64_t records = 0;        // Records that were kept.
  uint64_t damaged_pages = 0;  // Pages that could not be read.
  uint64_t found_pages = 0;    // Pages of kept records that are below a damaged page in the tree.
  uint64_t lost_records = 0;   // Records with a wrong checksum, or whose value is on a damaged page.
  uint64_t removed = 0;  // Records that could not be read without a lost one, such as a row without its large value.
  uint64_t groups = 0;   // Groups of the commit log that were replayed.
  std::vector<std::string> notes;
  std::vector<LostRange> lost_ranges;
  // The rows that may lack values of the time up to `newest_micros`, in the order of tables and keys.
  std::vector<PartialRow> partial_rows;
  int64_t newest_micros = 0;
};

// Copies the readable records of `from` into the new directory `to`, which must be absent or empty, and replays the
// commit log up to the first damage. Indexes and views are emptied, and built again by the next start. Nothing in
// `from` is changed. Before `to` can be opened, `keep` receives the report, to store it there. Errors: those of `keep`;
// a server has the directory open; the data file is damaged at its beginning; writing fails.
Result<SalvageReport> SalvageDirectory(const std::filesystem::path& from, const std::filesystem::path& to,
                                       const CheckProgress& progress,
                                       const std::function<Status(const SalvageReport&)>& keep);

}  // namespace widerow
