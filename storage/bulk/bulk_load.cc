#include "storage/bulk/bulk_load.h"

#include <chrono>

#include "base/limits.h"
#include "storage/bulk/bulk_pipe.h"
#include "storage/bulk/bulk_slice.h"
#include "storage/fold/direct_log.h"
#include "storage/format/key_codec.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

// One transaction of a load ends after kSliceBytes or after kLoadSliceTime, or after kSliceTimeWhenAwaited if a
// memtable waits to be folded. The clock is read once for every kLookAtClockEvery entries.
constexpr size_t kSliceBytes = 32u << 20;
constexpr auto kLoadSliceTime = std::chrono::milliseconds(200);
constexpr auto kSliceTimeWhenAwaited = std::chrono::milliseconds(20);
constexpr size_t kLookAtClockEvery = 256;
// The size of a slice that is logged. Such a slice is not bounded by time, so it is smaller than kSliceBytes.
constexpr size_t kLoggedSliceBytes = 4u << 20;

}  // namespace

LmdbBulkLoad::LmdbBulkLoad(Folder& folder, const SharedReadState& state, std::filesystem::path directory,
                           TablePtr table, const BulkLimits& limits, DirectLog* direct)
    : folder_(folder),
      state_(state),
      directory_(std::move(directory)),
      table_(table),
      columns_(std::move(table)),
      run_bytes_max_(std::max(limits.memory_bytes / limits.lanes, kRunBytesMin)),
      direct_(direct) {
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
    WR_RETURN_IF_ERROR(direct_ == nullptr ? StoreSlices(pipe, progress) : StoreLoggedSlices(pipe, progress));
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

Status LmdbBulkLoad::CheckTable(const LiveTables& tables) const {
  const auto found = tables.find(table_->storage_id);
  if (found == tables.end()) {
    return InvalidError("Table " + table_->keyspace + "." + table_->name + " was dropped or truncated during the load");
  }
  // The keys of all rows have the storage ids that were valid at the beginning of the load.
  if (found->second->table()->partitioning.extents != table_->partitioning.extents) {
    return InvalidError("A partition of table " + table_->keyspace + "." + table_->name +
                        " was dropped or truncated during the load");
  }
  if (!found->second->has_derived()) return OkStatus();
  return InvalidError("Table " + table_->keyspace + "." + table_->name + " got an index or a view during the load",
                      "load the rest again: rows then go the way that keeps indexes and views in step");
}

Status LmdbBulkLoad::StoreLoggedSlices(BulkPipe& pipe, const std::function<void(uint64_t)>& progress) {
  uint64_t stored = 0;
  while (true) {
    Bytes group(1, static_cast<char>(GroupKind::kBulk));
    uint64_t entries = 0;
    BulkEntry entry;
    while (group.size() < kLoggedSliceBytes) {
      WR_ASSIGN_OR_RETURN(const bool more, pipe.Next(entry));
      if (!more) break;
      AppendSized(group, entry.key);
      AppendSized(group, entry.record);
      ++entries;
    }
    if (entries == 0) return OkStatus();
    for (bool logged = false; !logged;) {
      Status slice = folder_.Run([&](StoreWriter& writer) { return LogAndStore(writer, group, logged); });
      WR_RETURN_IF_ERROR(std::move(slice));
    }
    stored += entries;
    if (progress) progress(stored);
  }
}

Status LmdbBulkLoad::LogAndStore(StoreWriter& writer, const Bytes& group, bool& logged) {
  const auto check = [&](WriteContext&, const LiveTables& tables) { return CheckTable(tables); };
  WR_RETURN_IF_ERROR(writer.Apply(check));
  WR_ASSIGN_OR_RETURN(logged, direct_->Log(group));
  if (!logged) return OkStatus();
  const Result<bool> stored = StoreBulkGroup(writer, ByteView(group).substr(1));
  if (!stored.ok()) {
    direct_->NotMade();
    return stored.error();
  }
  // If no row was stored, the table was changed while the group was being logged. Then `check` returns the error.
  return *stored ? OkStatus() : writer.Apply(check);
}

Result<bool> StoreBulkGroup(StoreWriter& writer, ByteView body) {
  bool any = false;
  Status applied = writer.Apply([&](WriteContext& context, const LiveTables& tables) -> Status {
    std::optional<BulkSlice> slice;
    const TableColumns* columns = nullptr;
    BulkEntry entry;
    const auto take = [&](ByteView& out) {
      uint64_t size = 0;
      if (!TakeVarint(body, size) || size > body.size()) return false;
      out = body.substr(0, size);
      body.remove_prefix(size);
      return true;
    };
    while (!body.empty()) {
      if (!take(entry.key) || !take(entry.record) || entry.key.size() <= sizeof(StorageId) ||
          PartitionPrefixSize(entry.key) >= entry.key.size()) {
        return ServerError("Damaged commit log: a group of a bulk load does not have rows",
                           "restore the data directory from a backup");
      }
      const TableColumns* const found = FindLive(tables, entry.key);
      if (found == nullptr || found->has_derived()) continue;
      if (found != columns) {
        if (slice) WR_RETURN_IF_ERROR(slice->Finish());
        slice.reset();
        WR_ASSIGN_OR_RETURN(BulkSlice opened, BulkSlice::Open(context, *found));
        slice.emplace(std::move(opened));
        columns = found;
      }
      any = true;
      WR_RETURN_IF_ERROR(slice->Put(entry));
    }
    return slice ? slice->Finish() : OkStatus();
  });
  WR_RETURN_IF_ERROR(std::move(applied));
  return any;
}

Status LmdbBulkLoad::StoreSlice(BulkPipe& pipe, WriteContext& context, const LiveTables& tables, bool& ended,
                                uint64_t& stored) {
  WR_RETURN_IF_ERROR(CheckTable(tables));
  const auto found = tables.find(table_->storage_id);
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
