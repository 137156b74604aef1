#include "storage/bulk/bulk_load.h"

#include <chrono>

#include "base/limits.h"
#include "storage/bulk/bulk_pipe.h"
#include "storage/bulk/bulk_slice.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

// One transaction of a load ends after kSliceBytes or after kLoadSliceTime, or after kSliceTimeWhenAwaited if a
// memtable waits to be folded. The clock is read once for every kLookAtClockEvery entries.
constexpr size_t kSliceBytes = 32u << 20;
constexpr auto kLoadSliceTime = std::chrono::milliseconds(200);
constexpr auto kSliceTimeWhenAwaited = std::chrono::milliseconds(20);
constexpr size_t kLookAtClockEvery = 256;

}  // namespace

LmdbBulkLoad::LmdbBulkLoad(Folder& folder, const SharedReadState& state, std::filesystem::path directory,
                           TablePtr table, const BulkLimits& limits)
    : folder_(folder),
      state_(state),
      directory_(std::move(directory)),
      table_(table),
      columns_(std::move(table)),
      run_bytes_max_(std::max(limits.memory_bytes / limits.lanes, kRunBytesMin)) {
  for (size_t i = 0; i < limits.lanes; ++i) lanes_.push_back(std::make_unique<Lane>());
}

Status LmdbBulkLoad::Add(size_t lane_number, const PartitionMutation& mutation) {
  Lane& lane = *lanes_[lane_number];
  WR_CHECK(!mutation.partition_deletion.present() && mutation.range_deletions.empty());
  WR_RETURN_IF_ERROR(CheckKey(mutation));
  if (lane.run.bytes() >= run_bytes_max_) WR_RETURN_IF_ERROR(Spill(lane));
  lane.key.clear();
  AppendPartitionPrefix(*table_, mutation.partition_key, lane.key);
  const size_t prefix_size = lane.key.size();
  for (const RowMutation& row : mutation.rows) {
    lane.key.resize(prefix_size);
    AppendKind(row.is_static ? RecordKind::kStatic : RecordKind::kRow, lane.key);
    lane.key.append(row.clustering);
    const Bytes record = EncodeFragment(row.content, columns_);
    lane.run.Add(lane.key, record);
    bytes_.fetch_add(lane.key.size() + record.size(), std::memory_order_relaxed);
    entries_.fetch_add(1, std::memory_order_relaxed);
  }
  return OkStatus();
}

Status LmdbBulkLoad::Spill(Lane& lane) {
  lane.run.Sort();
  WR_ASSIGN_OR_RETURN(BulkFile file, BulkFile::Write(directory_, lane.run));
  lane.files.push_back(std::move(file));
  ++files_;
  lane.run.Clear();
  return OkStatus();
}

Status LmdbBulkLoad::Store(const std::function<void(uint64_t)>& progress) {
  std::vector<std::unique_ptr<BulkCursor>> runs;
  for (const auto& lane : lanes_) {
    lane->run.Sort();
    if (lane->run.size() > 0) runs.push_back(OpenRun(lane->run));
    for (const BulkFile& file : lane->files) runs.push_back(OpenRun(file));
  }
  if (runs.empty()) return OkStatus();
  {
    BulkPipe pipe(MergeRuns(std::move(runs)));
    WR_RETURN_IF_ERROR(StoreSlices(pipe, progress));
  }
  for (const auto& lane : lanes_) {
    lane->run.Clear();
    lane->files.clear();
  }
  bytes_ = 0;
  entries_ = 0;
  files_ = 0;
  return OkStatus();
}

Status LmdbBulkLoad::StoreSlices(BulkPipe& pipe, const std::function<void(uint64_t)>& progress) {
  uint64_t stored = 0;
  for (bool ended = false; !ended;) {
    WR_RETURN_IF_ERROR(folder_.Run([&](StoreWriter& writer) {
      return writer.Apply([&](WriteContext& context, const LiveTables& tables) {
        return StoreSlice(pipe, context, tables, ended, stored);
      });
    }));
    if (progress) progress(stored);
  }
  return OkStatus();
}

Status LmdbBulkLoad::StoreSlice(BulkPipe& pipe, WriteContext& context, const LiveTables& tables, bool& ended,
                                uint64_t& stored) {
  const auto found = tables.find(table_->storage_id);
  if (found == tables.end()) {
    return InvalidError("Table " + table_->keyspace + "." + table_->name + " was dropped or truncated during the load");
  }
  if (found->second->has_derived()) {
    return InvalidError("Table " + table_->keyspace + "." + table_->name + " got an index or a view during the load",
                        "load the rest again: rows then go the way that keeps indexes and views in step");
  }
  WR_ASSIGN_OR_RETURN(BulkSlice slice, BulkSlice::Open(context, *found->second));
  const SteadyClock::time_point begin = SteadyClock::now();
  BulkEntry entry;
  size_t bytes = 0;
  for (size_t i = 1; bytes < kSliceBytes; ++i) {
    WR_ASSIGN_OR_RETURN(const bool more, pipe.Next(entry));
    if (!more) {
      ended = true;
      break;
    }
    WR_RETURN_IF_ERROR(slice.Put(entry));
    bytes += entry.key.size() + entry.record.size();
    ++stored;
    if (i % kLookAtClockEvery != 0) continue;
    const auto spent = SteadyClock::now() - begin;
    if (spent >= kLoadSliceTime || (spent >= kSliceTimeWhenAwaited && state_.frozen() != nullptr)) break;
  }
  return slice.Finish();
}

}  // namespace widerow
