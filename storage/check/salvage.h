// Makes a new data directory from the readable part of a damaged one.
#pragma once

#include <filesystem>
#include <functional>

#include "storage/check/check_storage.h"
#include "storage/salvage_report.h"

namespace widerow {

// Copies the readable records of `from` into the new directory `to`, which must be absent or empty, and replays the
// commit log up to the first damage. Indexes and views are emptied, and built again by the next start. Nothing in
// `from` is changed. Before `to` can be opened, the text that `describe` makes of the report is stored in it
// (kSalvageTextName). Errors: a server has the directory open; the data file is damaged at its beginning; writing
// fails.
Result<SalvageReport> SalvageDirectory(const std::filesystem::path& from, const std::filesystem::path& to,
                                       const CheckProgress& progress,
                                       const std::function<std::string(const SalvageReport&)>& describe);

}  // namespace widerow
