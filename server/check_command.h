// `widerow check`: checks a data directory or a backup and prints what is wrong.
#pragma once

#include <string>

#include "base/result.h"

namespace widerow {

struct CheckCommandOptions {
  std::string data_directory, backup;  // One of the two is given.
  std::string salvage;                 // The new directory, only with data_directory. Empty: nothing is salvaged.
};

// Sets `sound` to false if something is wrong. Fails if the directory cannot be checked at all.
Status Check(const CheckCommandOptions& options, bool& sound);

}  // namespace widerow
