#include "exec/heat/heat_map.h"

#include <algorithm>

#include "exec/heat/heat_key.h"
#include "planner/access/partition_key.h"
#include "storage/format/key_codec.h"

namespace widerow {
namespace {

constexpr int64_t kStoreEveryMillis = 60'000;

Bytes PrefixOf(const TableSchema& table) { return "heat" + Bytes(table.id.view()); }

}  // namespace

HeatMap::~HeatMap() {
  {
    MutexLock lock(mutex_);
    if (!thread_.joinable()) return;
    stopping_ = true;
    wake_.NotifyAll();
  }
  thread_.join();
  (void)Store();  // A disk error has been reported already.
}

std::shared_ptr<TableHeat> HeatMap::HeatOf(const TableSchema& table) {
  Bytes prefix = PrefixOf(table);
  MutexLock lock(mutex_);
  if (const auto found = tables_.find(prefix); found != tables_.end()) return found->second;
  const Result<std::vector<StorageNote>> stored = storage_.ReadNotes(prefix);
  auto heat = std::make_shared<TableHeat>(prefix, stored.ok() ? *stored : std::vector<StorageNote>());
  if (tables_.size() >= kTablesMax) {
    const auto oldest = std::min_element(tables_.begin(), tables_.end(), [](const auto& a, const auto& b) {
      return a.second->last_used_seconds() < b.second->last_used_seconds();
    });
    put_away_.push_back(oldest->second);
    tables_.erase(oldest);
  }
  tables_.emplace(std::move(prefix), heat);
  StartStoring();
  return heat;
}

const TouchedPartitions::One* HeatMap::Record(const TouchedPartitions& touched, bool is_write, uint32_t stands_for,
                                              uint64_t micros) {
  const int64_t now_seconds = storage_.clock().NowSeconds();
  const uint64_t weight = touched.stride() * stands_for;
  const uint64_t share = micros / std::max<uint64_t>(touched.count(), 1);
  const TouchedPartitions::One* hot = nullptr;
  const TableSchema* table = nullptr;
  std::shared_ptr<TableHeat> heat;
  for (const TouchedPartitions::One& one : touched.kept()) {
    if (one.table.get() != table) {
      table = one.table.get();
      heat = HeatOf(*table);
    }
    const Bytes ordered = OrderedKey(*table, one.partition_key, one.clustering);
    const auto token = static_cast<uint64_t>(TokenOfStoredKey(*table, one.partition_key));
    TableHeat::Operation operation{.partition_key = one.partition_key,
                                   .ordered_key = ordered,
                                   .token_position = token ^ (uint64_t{1} << 63),
                                   .done = {.bytes = one.bytes * weight, .micros = share * weight}};
    (is_write ? operation.done.writes : operation.done.reads) = weight;
    if (heat->Record(operation, now_seconds)) hot = &one;
  }
  return hot;
}

HeatSnapshot HeatMap::Snapshot(const TableSchema& table) {
  return HeatOf(table)->Snapshot(storage_.clock().NowSeconds());
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
  MutexLock lock(mutex_);
  for (Bytes& prefix : gone) {
    tables_.erase(prefix);
    forgotten_.push_back(std::move(prefix));
  }
  StartStoring();
}

Status HeatMap::Store() {
  TablePtrs tables;
  std::vector<Bytes> forgotten;
  {
    MutexLock lock(mutex_);
    tables.swap(put_away_);
    for (const auto& [prefix, heat] : tables_) tables.push_back(heat);
    forgotten.swap(forgotten_);
  }
  std::vector<StorageNote> notes;
  const auto is_forgotten = [&](const Bytes& prefix) {
    return std::find(forgotten.begin(), forgotten.end(), prefix) != forgotten.end();
  };
  for (const std::shared_ptr<TableHeat>& heat : tables) {
    if (is_forgotten(heat->prefix())) continue;
    std::vector<StorageNote> changes = heat->TakeChanges(storage_.clock().NowSeconds());
    std::move(changes.begin(), changes.end(), std::back_inserter(notes));
  }
  for (const Bytes& prefix : forgotten) {
    WR_ASSIGN_OR_RETURN(std::vector<StorageNote> stored, storage_.ReadNotes(prefix));
    for (StorageNote& note : stored) notes.push_back({std::move(note.key), std::nullopt});
  }
  return notes.empty() ? OkStatus() : storage_.WriteNotes(notes);
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
    (void)Store();  // After an error, later rounds store later changes only.
  }
}

}  // namespace widerow
