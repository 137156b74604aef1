#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/overloaded.h"
#include "server/backup_command.h"
#include "server/check_command.h"
#include "server/command_line.h"
#include "server/compact_command.h"
#include "server/dump_command.h"
#include "server/serve.h"

namespace widerow {
namespace {

constexpr int kFailed = 1, kWrongUsage = 2;

int Report(const Error& error, int exit_code) {
  std::fprintf(stderr, "widerow: %s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  return exit_code;
}

int RunCommand(const Command& command) {
  return std::visit(Overloaded{[](const PrintCommand& print) {
                                 std::fputs(print.text.c_str(), print.failed ? stderr : stdout);
                                 return print.failed ? kFailed : 0;
                               },
                               [](const ServeOptions& options) {
                                 bool told = false;
                                 const Status served = Serve(options, told);
                                 if (served.ok()) return 0;
                                 return told ? kFailed : Report(served.error(), kFailed);
                               },
                               [](const CompactOptions& options) {
                                 const Status compacted = Compact(options);
                                 return compacted.ok() ? 0 : Report(compacted.error(), kFailed);
                               },
                               [](const BackupCommandOptions& options) {
                                 const Status made = Backup(options);
                                 return made.ok() ? 0 : Report(made.error(), kFailed);
                               },
                               [](const RestoreCommandOptions& options) {
                                 const Status restored = RestoreFromBackup(options);
                                 return restored.ok() ? 0 : Report(restored.error(), kFailed);
                               },
                               [](const CheckCommandOptions& options) {
                                 bool sound = false;
                                 const Status checked = Check(options, sound);
                                 if (!checked.ok()) return Report(checked.error(), kFailed);
                                 return sound ? 0 : kFailed;
                               },
                               [](const DumpCommandOptions& options) {
                                 const Status dumped = DumpToCql(options);
                                 return dumped.ok() ? 0 : Report(dumped.error(), kFailed);
                               },
                               [](ShellOptions options) {
                                 options.color = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
                                 return RunShell(options);
                               }},
                    command);
}

int Main(int argc, char** argv) {
  const Result<Command> command = ParseCommandLine({argv + 1, argv + argc});
  return command.ok() ? RunCommand(*command) : Report(command.error(), kWrongUsage);
}

}  // namespace
}  // namespace widerow

int main(int argc, char** argv) {
  try {
    return widerow::Main(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "widerow: %s\n", exception.what());
    return widerow::kFailed;
  }
}
