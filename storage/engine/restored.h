// A directory that is being restored has a file that says so, until everything in it is durable. Such a directory is
// not opened.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace widerow {

inline constexpr const char* kRestoringName = "widerow.restoring";

// Fails if a restore into the directory was not finished.
Status CheckRestored(const std::filesystem::path& directory);

}  // namespace widerow
