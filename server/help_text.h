// The texts of --help and --version.
#pragma once

#include <string>

namespace widerow {

std::string MainHelp();
std::string ServeHelp();
std::string ShellHelp();
std::string CompactHelp();
std::string VersionText();

}  // namespace widerow
