#include "storage/check/check_storage.h"

#include "base/text.h"
#include "storage/check/check_records.h"
#include "storage/check/read_only_store.h"
#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/page_walk.h"

namespace widerow {
namespace {

// The counters of partitions are estimates, and a kill may make them a little wrong. So a difference is a note, not a
// fault.
void CompareCounters(const StoredMeta& meta, uint64_t rows, CheckReport& report) {
  int64_t counted = 0;
  for (const auto& [entry, counters] : meta.counters) counted += counters.rows;
  if (counted >= 0 && static_cast<uint64_t>(counted) == rows) return;
  report.notes.push_back(
      StrCat("the stored counters of partitions say ", counted, " rows; the data file has ", rows, " (an estimate)"));
}

class StoreCheck final : public DirectoryCheck {
 public:
  explicit StoreCheck(std::unique_ptr<ReadOnlyStore> store) : store_(std::move(store)) {}

  bool Run(const CheckProgress& progress, CheckReport& report) override;
  SchemaPtr schema() const override { return store_->schema(); }
  std::unique_ptr<ReadView> OpenView() override { return store_->OpenView(); }
  std::map<StorageId, uint64_t> StaleTables() const override { return store_->StaleTables(); }

 private:
  const std::unique_ptr<ReadOnlyStore> store_;
};

bool StoreCheck::Run(const CheckProgress& progress, CheckReport& report) {
  ReadOnlyStore& store = *store_;
  const Result<lmdb::PageWalk> walk =
      lmdb::WalkPagesOf(store.directory() / lmdb::kDataFileName, store.meta_page(),
                        [&](uint64_t done, uint64_t all) { progress("checking pages", std::min(done, all), all); });
  if (!walk.ok()) return report.Add("the data file", walk.error().message), false;
  report.pages = walk->pages;
  for (const lmdb::DamagedPage& page : walk->damaged) {
    report.Add(StrCat("'", page.file, "', page ", page.page, " at offset ", page.offset), page.what);
  }
  if (walk->unsealed > 0) {
    report.notes.push_back(StrCat(walk->unsealed, walk->unsealed == 1 ? " page" : " pages",
                                  " of an earlier version without a checksum; `widerow compact` gives every page "
                                  "one"));
  }
  if (!store.LoadCatalog(report)) return false;
  const uint64_t all = store.txn().CountRecords();
  CheckRecords(
      store.txn(), store.meta(), true, [&](uint64_t done) { progress("checking records", std::min(done, all), all); },
      report);
  CompareCounters(store.meta(), report.rows, report);
  progress("checking the commit log", 0, 0);
  return store.LoadLog(report);
}

}  // namespace

Result<std::unique_ptr<DirectoryCheck>> DirectoryCheck::Open(const std::filesystem::path& directory) {
  WR_ASSIGN_OR_RETURN(std::unique_ptr<ReadOnlyStore> store, ReadOnlyStore::Open(directory));
  return std::unique_ptr<DirectoryCheck>(std::make_unique<StoreCheck>(std::move(store)));
}

}  // namespace widerow
