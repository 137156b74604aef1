// An operation goes into the buffer of its thread. When a buffer is full, when a slice of time ends, and before anybody
// looks at a map, all buffers are emptied together (EmptyBuffers). BeginSlice ends the slice of all tables.

#include "exec/heat/heat_map.h"

#include <algorithm>

#include "exec/heat/heat_key.h"

namespace widerow {
namespace {

constexpr int64_t kStoreEveryMillis = 60'000;
constexpr size_t kOperationsMax = 128;  // A buffer with this many operations is emptied.

Bytes PrefixOf(const TableSchema& table) { return "heat" + Bytes(table.id.view()); }

}  // namespace

HeatMap::~HeatMap() {
  EmptyBuffers();
  {
    MutexLock lock(mutex_);
    if (!thread_.joinable()) return;
    stopping_ = true;
    wake_.NotifyAll();
  }
  thread_.join();
  (void)Store();  // A disk error has been reported already.
}

template <typename Use>
void HeatMap::AddToBuffer(const Use& add) {
  TurnTo(storage_.clock().NowSeconds());
  const size_t count = buffers_[ThreadNumber() % kBuffers].Add(add);
  if (count < kOperationsMax) [[likely]]
    return;
  // If another thread is moving operations to the maps, this thread does not wait for it. The buffer may grow
  // meanwhile, up to eight times its usual size.
  if (count >= 8 * kOperationsMax) {
    EmptyBuffers();
  } else if (turn_.TryLock()) {
    EmptyBuffersInTurn();
    turn_.Unlock();
  }
}

void HeatMap::CountWrites(const PartitionMutation* partitions, size_t count) {
  if (count == 0) return;
  AddToBuffer([&](HeatOperations& operations) {
    for (size_t i = 0; i < count; ++i) operations.Add(partitions[i]);
  });
}

void HeatMap::Record(const TouchedPartitions& touched, const HeatCell& each, uint64_t bytes_weight) {
  AddToBuffer([&](HeatOperations& operations) {
    for (const TouchedPartitions::One& one : touched.kept()) {
      HeatCell done = each;
      done.bytes = one.bytes * bytes_weight;
      operations.Add(one.table, one.partition_key, one.clustering, done, touched.stride());
    }
    operations.AddUnnamed(touched.count() - touched.kept().size(), each.reads / touched.stride());
  });
}

void HeatMap::RecordRead(const TouchedPartitions& touched, uint32_t stands_for, uint64_t micros) {
  const uint64_t weight = touched.stride() * stands_for;
  Record(touched,
         {.reads = weight,
          .micros = micros / std::max<uint64_t>(touched.count(), 1) * weight,
          .samples = stands_for > 1 ? weight / kReadsOfSample : 0},
         weight);
}

void HeatMap::RecordWriteTime(const TouchedPartitions& touched, uint32_t stands_for, uint64_t micros) {
  const uint64_t weight = touched.stride() * stands_for;
  Record(touched, {.micros = micros / std::max<uint64_t>(touched.count(), 1) * weight}, 0);
}

void HeatMap::EmptyBuffers() {
  MutexLock lock(turn_);
  EmptyBuffersInTurn();
}

void HeatMap::EmptyBuffersInTurn() {
  ++round_;
  for (size_t thread = 0; thread < kBuffers; ++thread) {
    buffers_[thread].Swap(spare_);
    PutOnMaps(spare_, thread);
    spare_.Clear();
  }
}

void HeatMap::PutOnMaps(const HeatOperations& operations, size_t thread) {
  for (const HeatOperations::Run& run : operations.runs()) {
    HeatOf(*run.table)->Add(operations, run, {.round = round_, .thread = thread}, slice_begin_);
  }
}

void HeatMap::BeginSlice(int64_t now_seconds) {
  MutexLock lock(turn_);
  if (now_seconds < slice_end_.load(std::memory_order_relaxed)) return;
  EmptyBuffersInTurn();
  const HeatTime time = TimeInTurn();
  if (slice_begin_ != 0) {
    std::vector<TableHeatPtr> tables;
    {
      MutexLock of_tables(mutex_);
      tables = Tables();
    }
    for (const TableHeatPtr& heat : tables) heat->EndSlice(time);
  }
  slice_begin_ = now_seconds - now_seconds % HeatHistory::kSliceSeconds;
  skipped_before_ += time.skipped;
  slice_end_.store(slice_begin_ + HeatHistory::kSliceSeconds, std::memory_order_relaxed);
}

HeatTime HeatMap::TimeInTurn() const { return {.slice_begin = slice_begin_, .skipped = skipped_() - skipped_before_}; }

HeatTime HeatMap::Time() {
  TurnTo(storage_.clock().NowSeconds());
  MutexLock lock(turn_);
  EmptyBuffersInTurn();
  return TimeInTurn();
}

HeatSnapshot HeatMap::Snapshot(const TableSchema& table) {
  const HeatTime time = Time();
  return HeatOf(table)->Snapshot(time, storage_.clock().NowSeconds());
}

HeatMap::TableHeatPtr HeatMap::HeatOf(const TableSchema& table) {
  Bytes prefix = PrefixOf(table);
  MutexLock lock(mutex_);
  if (const auto found = tables_.find(prefix); found != tables_.end()) return found->second;
  TableHeatPtr heat;
  const auto put_away = std::find_if(put_away_.begin(), put_away_.end(),
                                     [&](const PutAway& other) { return other.heat->prefix() == prefix; });
  if (put_away != put_away_.end()) {
    heat = put_away->heat;
    put_away_.erase(put_away);
  } else {
    const Result<std::vector<StorageNote>> stored = storage_.ReadNotes(prefix);
    heat = std::make_shared<TableHeat>(prefix, stored.ok() ? *stored : std::vector<StorageNote>());
  }
  if (tables_.size() >= kTablesMax) {
    const auto oldest = std::min_element(tables_.begin(), tables_.end(), [](const auto& a, const auto& b) {
      return a.second->last_used_seconds() < b.second->last_used_seconds();
    });
    put_away_.push_back({.number = ++last_put_away_, .heat = oldest->second});
    tables_.erase(oldest);
  }
  tables_.emplace(std::move(prefix), heat);
  StartStoring();
  return heat;
}

std::vector<HeatMap::TableHeatPtr> HeatMap::Tables() {
  std::vector<TableHeatPtr> tables;
  for (const PutAway& put_away : put_away_) tables.push_back(put_away.heat);
  for (const auto& [prefix, heat] : tables_) tables.push_back(heat);
  return tables;
}

void HeatMap::ForgetDropped(const SchemaSnapshot& before, const SchemaSnapshot& after) {
  std::vector<Bytes> gone;
  for (const auto& [name, keyspace] : before.keyspaces) {
    const KeyspaceSchema* const now = after.FindKeyspace(name);
    if (now == keyspace.get()) continue;
    for (const auto& [table_name, table] : keyspace->tables) {
      const TablePtr still = after.FindTable(name, table_name);
      if (still == nullptr || still->id != table->id) gone.push_back(PrefixOf(*table));
    }
  }
  if (gone.empty()) return;
  EmptyBuffers();
  MutexLock lock(mutex_);
  for (Bytes& prefix : gone) {
    tables_.erase(prefix);
    std::erase_if(put_away_, [&](const PutAway& put_away) { return put_away.heat->prefix() == prefix; });
    forgotten_.push_back(std::move(prefix));
  }
  StartStoring();
}

Status HeatMap::Store() {
  MutexLock storing(store_mutex_);
  const HeatTime time = Time();
  std::vector<TableHeatPtr> tables;
  uint64_t put_away = 0;
  {
    MutexLock lock(mutex_);
    tables = Tables();
    put_away = last_put_away_;
    std::move(forgotten_.begin(), forgotten_.end(), std::back_inserter(being_forgotten_));
    forgotten_.clear();
  }
  for (const TableHeatPtr& heat : tables) {
    if (std::ranges::find(being_forgotten_, heat->prefix()) != being_forgotten_.end()) continue;
    for (StorageNote& note : heat->TakeChanges(time)) unstored_[std::move(note.key)] = std::move(note.value);
  }
  for (const Bytes& prefix : being_forgotten_) {
    std::erase_if(unstored_, [&](const auto& note) { return note.first.starts_with(prefix); });
    WR_ASSIGN_OR_RETURN(std::vector<StorageNote> stored, storage_.ReadNotes(prefix));
    for (StorageNote& note : stored) unstored_[std::move(note.key)] = std::nullopt;
  }
  std::vector<StorageNote> notes;
  for (const auto& [key, value] : unstored_) notes.push_back({key, value});
  if (!notes.empty()) WR_RETURN_IF_ERROR(storage_.WriteNotes(notes));
  unstored_.clear();
  being_forgotten_.clear();
  MutexLock lock(mutex_);
  std::erase_if(put_away_, [&](const PutAway& stored) { return stored.number <= put_away; });
  return OkStatus();
}

void HeatMap::StartStoring() {
  if (!thread_.joinable()) thread_ = std::jthread([this] { StoreNowAndThen(); });
}

void HeatMap::StoreNowAndThen() {
  while (true) {
    {
      MutexLock lock(mutex_);
      if (!stopping_) wake_.WaitFor(mutex_, kStoreEveryMillis);
      if (stopping_) return;
    }
    (void)Store();  // After an error, the next round stores these changes too.
  }
}

}  // namespace widerow
