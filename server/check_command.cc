#include "server/check_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/clock.h"
#include "base/text.h"
#include "exec/derived/compare_derived.h"
#include "server/salvage_report.h"
#include "server/step_report.h"
#include "shell/progress.h"
#include "storage/backup/verify_backup.h"
#include "storage/check/check_storage.h"
#include "storage/check/salvage.h"

namespace widerow {
namespace {

constexpr size_t kPartialRowsShown = 20;

std::string RecordsText(uint64_t number) { return Counted(number, "record", "records"); }
std::string LogGroupsText(uint64_t number) { return Counted(number, "group of the log", "groups of the log"); }

void Print(const CheckReport& report) {
  for (const CheckFault& fault : report.faults) std::printf("%s: %s\n", fault.where.c_str(), fault.what.c_str());
  if (report.fault_count > report.faults.size()) {
    std::printf("… and %s more\n", GroupedDigits(report.fault_count - report.faults.size()).c_str());
  }
  for (const std::string& note : report.notes) std::printf("note: %s\n", note.c_str());
  const std::vector<std::string> counts{Counted(report.pages, "page", "pages"),
                                        RecordsText(report.records),
                                        Counted(report.rows, "row", "rows"),
                                        Counted(report.spilled_values, "spilled value", "spilled values"),
                                        LogGroupsText(report.log_groups),
                                        Counted(report.index_entries, "index entry", "index entries"),
                                        Counted(report.view_rows, "row of views", "rows of views")};
  const std::string verdict = report.fault_count == 0 ? "sound" : Counted(report.fault_count, "fault", "faults");
  std::printf("checked %s: %s\n", JoinNames(counts).c_str(), verdict.c_str());
}

Status Salvage(const CheckCommandOptions& options, StepReport& steps) {
  const auto progress = [&](const std::string& doing, uint64_t done, uint64_t all) { steps.Show(doing, done, all); };
  WR_ASSIGN_OR_RETURN(const SalvageReport report,
                      SalvageDirectory(options.data_directory, options.salvage, progress, SalvageText));
  steps.EndLine();
  const auto count = std::min(report.partial_rows.size(), kPartialRowsShown);
  for (size_t i = 0; i < count; ++i) std::printf("%s\n", PartialRowText(report.partial_rows[i]).c_str());
  if (report.partial_rows.size() > count) {
    std::printf("… and %s more\n", GroupedDigits(report.partial_rows.size() - count).c_str());
  }
  for (const std::string& note : report.notes) std::printf("note: %s\n", note.c_str());
  std::printf("salvaged into '%s': %s and %s; lost: %s\n", options.salvage.c_str(), RecordsText(report.records).c_str(),
              LogGroupsText(report.groups).c_str(), LossText(report).c_str());
  std::printf("%s may lack values; '%s' has the list, and says between which keys rows are lost\n",
              Counted(report.partial_rows.size(), "row", "rows").c_str(),
              (std::filesystem::path(options.salvage) / kSalvageTextName).c_str());
  return OkStatus();
}

Status CheckDirectory(const std::string& directory, StepReport& steps, CheckReport& report) {
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<DirectoryCheck> check, DirectoryCheck::Open(directory));
  const auto progress = [&](const std::string& doing, uint64_t done, uint64_t all) { steps.Show(doing, done, all); };
  if (!check->Run(progress, report)) {
    report.notes.push_back(report.fault_count > 0
                               ? "indexes and views were not compared with their tables, because of the damage"
                               : "indexes and views were not compared with their tables: the server folds too often; "
                                 "try again, or stop the server for the check");
    return OkStatus();
  }
  const std::unique_ptr<ReadView> view = check->OpenView();
  CompareDerived(
      *view, *check->schema(), check->StaleTables(), SystemClock().NowSeconds(),
      [&](const std::string& name) { steps.Show("comparing " + name, 0, 0); }, report);
  return OkStatus();
}

}  // namespace

Status Check(const CheckCommandOptions& options, bool& sound) {
  StepReport steps(isatty(STDERR_FILENO) != 0);
  sound = true;
  if (!options.backup.empty()) {
    WR_ASSIGN_OR_RETURN(const Manifest manifest, ReadManifest(options.backup));
    steps.Show("checking the backup", 0, 0);
    WR_ASSIGN_OR_RETURN(const BackupContents contents, VerifyBackup(options.backup, manifest));
    steps.EndLine();
    std::printf("checked %s, %s and %s: the backup is whole\nmoments from %s to %s\n",
                Counted(contents.pages, "page", "pages").c_str(), RecordsText(contents.records).c_str(),
                LogGroupsText(contents.groups).c_str(), MomentText(manifest.first_moment).c_str(),
                MomentText(manifest.last_moment).c_str());
    return OkStatus();
  }
  if (!options.salvage.empty()) return Salvage(options, steps);
  CheckReport report;
  WR_RETURN_IF_ERROR(CheckDirectory(options.data_directory, steps, report));
  steps.EndLine();
  Print(report);
  sound = report.fault_count == 0;
  return OkStatus();
}

}  // namespace widerow
