// LmdbEngine's implementation of BulkLoad (storage_engine.h). It gathers rows in memory and, when memory is full, in
// files. Store() writes them into the data file on the folder's thread (fold/folder.h), in one transaction for each
// slice of the rows.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "storage/bulk/bulk_run.h"
#include "storage/fold/folder.h"
#include "storage/mutation.h"

namespace widerow {

class BulkPipe;
class DirectLog;

class LmdbBulkLoad final : public BulkLoad {
 public:
  // `folder`, `state` and `direct` must outlive the load. If `direct` is not null, the slices are logged before they
  // are stored (storage/fold/direct_log.h). The files of the load are made in `directory`.
  LmdbBulkLoad(Folder& folder, const SharedReadState& state, std::filesystem::path directory, TablePtr table,
               const BulkLimits& limits, DirectLog* direct);

  Status Add(size_t lane, const PartitionMutation& mutation) override;
  bool full() const override { return bytes_ >= kBytesMax || files_ >= kFilesMax; }
  uint64_t entries() const override { return entries_.load(std::memory_order_relaxed); }
  Status Store(const std::function<void(uint64_t)>& progress) override;

 private:
  static constexpr uint64_t kBytesMax = uint64_t{4} << 30;
  static constexpr size_t kFilesMax = 256;
  static constexpr size_t kRunBytesMin = size_t{1} << 20;

  struct Lane {
    BulkRun run;
    Bytes key;
    std::vector<BulkFile> files;
  };

  // Writes the rows that the lane holds in memory to a file. Called when the lane's share of the memory is full.
  Status Spill(Lane& lane);
  Status StoreSlices(BulkPipe& pipe, const std::function<void(uint64_t)>& progress);
  // Stores one slice in one transaction. Sets `ended` after the last entry. Adds the number of entries to `stored`.
  Status StoreSlice(BulkPipe& pipe, WriteContext& context, const LiveTables& tables, bool& ended, uint64_t& stored);

  // Fails if the table is gone, or has got an index or a view.
  Status CheckTable(const LiveTables& tables) const;
  // Logs a group and stores its rows. Leaves `logged` false if the group could not be logged now.
  Status LogAndStore(StoreWriter& writer, const Bytes& group, bool& logged);
  Status StoreLoggedSlices(BulkPipe& pipe, const std::function<void(uint64_t)>& progress);

  Folder& folder_;
  const SharedReadState& state_;
  const std::filesystem::path directory_;
  const TablePtr table_;
  const TableColumns columns_;
  const size_t run_bytes_max_;
  DirectLog* const direct_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::atomic<uint64_t> bytes_{0}, entries_{0}, files_{0};
};

// Stores the rows of a bulk group of the log. `body` is the group without its kind. Leaves out rows whose table or
// partition is gone. Also leaves out the rows if the table has an index or a view, because a load into such a table
// fails. Returns false if all rows were left out.
Result<bool> StoreBulkGroup(StoreWriter& writer, ByteView body);

}  // namespace widerow
