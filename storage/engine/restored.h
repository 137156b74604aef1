// While a directory is being restored or salvaged, it has a file that marks it as unfinished. The file is removed when
// everything else is durable. A directory with this file is not opened.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace widerow {

inline constexpr const char* kRestoringName = "widerow.restoring";

// Fails if a restore into the directory was not finished.
Status CheckRestored(const std::filesystem::path& directory);

}  // namespace widerow
