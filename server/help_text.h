// The texts of --help and --version.
#pragma once

#include <string>

namespace widerow {

std::string MainHelp();
std::string ServeHelp();
std::string ShellHelp();
std::string CompactHelp();
std::string BackupHelp();
std::string RestoreHelp();
std::string CheckHelp();
std::string DumpHelp();
std::string VersionText();
// Returns the version of the program, such as "0.1.0".
std::string ProgramVersion();

}  // namespace widerow
