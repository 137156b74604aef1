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

void Print(const CheckReport& report) {
  for (const CheckFault& fault : report.faults) std::printf("%s: %s\n", fault.where.c_str(), fault.what.c_str());
  if (report.fault_count > report.faults.size()) {
    std::printf("… and %s more\n", WithThousands(report.fault_count - report.faults.size()).c_str());
  }
  for (const std::string& note : report.notes) std::printf("note: %s\n", note.c_str());
  const auto number = [](uint64_t n) { return WithThousands(n); };
  std::printf(
      "checked %s pages, %s records, %s rows, %s spilled values, %s groups of the log, %s index entries, %s rows "
      "of views: %s\n",
      number(report.pages).c_str(), number(report.records).c_str(), number(report.rows).c_str(),
      number(report.spilled_values).c_str(), number(report.log_groups).c_str(), number(report.index_entries).c_str(),
      number(report.view_rows).c_str(),
      report.fault_count == 0 ? "sound" : StrCat(number(report.fault_count), " faults").c_str());
}

Status Salvage(const CheckCommandOptions& options, StepReport& steps) {
  const auto progress = [&](const std::string& doing, uint64_t done, uint64_t all) { steps.Show(doing, done, all); };
  WR_ASSIGN_OR_RETURN(const SalvageReport report,
                      SalvageDirectory(options.data_directory, options.salvage, progress, SalvageText));
  steps.EndLine();
  const auto count = std::min(report.partial_rows.size(), kPartialRowsShown);
  for (size_t i = 0; i < count; ++i) std::printf("%s\n", PartialRowText(report.partial_rows[i]).c_str());
  if (report.partial_rows.size() > count) {
    std::printf("… and %s more\n", WithThousands(report.partial_rows.size() - count).c_str());
  }
  for (const std::string& note : report.notes) std::printf("note: %s\n", note.c_str());
  const auto number = [](uint64_t n) { return WithThousands(n); };
  std::printf(
      "salvaged into '%s': %s records and %s groups of the log; lost: %s damaged pages, %s records, and %s records "
      "that depend on them\n",
      options.salvage.c_str(), number(report.records).c_str(), number(report.groups).c_str(),
      number(report.damaged_pages).c_str(), number(report.lost_records).c_str(), number(report.removed).c_str());
  std::printf("%s rows may lack values; '%s' lists them, and between which keys rows are lost\n",
              number(report.partial_rows.size()).c_str(),
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
    std::printf("checked %s pages, %s records and %s groups of the log: the backup is whole\nmoments from %s to %s\n",
                WithThousands(contents.pages).c_str(), WithThousands(contents.records).c_str(),
                WithThousands(contents.groups).c_str(), MomentText(manifest.first_moment).c_str(),
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
