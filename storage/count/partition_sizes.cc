#include "storage/count/partition_sizes.h"

#include <xxhash.h>

#include <algorithm>

#include "storage/format/key_codec.h"

namespace widerow {
namespace {

uint64_t HashOf(ByteView prefix) { return XXH3_64bits(prefix.data(), prefix.size()); }

}  // namespace

void PartitionSizes::Begin() {
  MutexLock lock(mutex_);
  saved_.clear();
}

void PartitionSizes::RollBack() {
  MutexLock lock(mutex_);
  for (auto& [id, table] : saved_) {
    if (table.has_value()) {
      tables_.insert_or_assign(id, std::move(*table));
    } else {
      tables_.erase(id);
    }
  }
  saved_.clear();
}

void PartitionSizes::Save(StorageId id) {
  const auto [saved, added] = saved_.try_emplace(id);
  if (!added) return;
  const auto table = tables_.find(id);
  if (table != tables_.end()) saved->second = table->second;
}

bool PartitionSizes::Notices(int64_t bytes, const Table& table) {
  if (bytes >= table.unit) return true;
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return bytes > 0 && static_cast<int64_t>((random_ >> 16) % static_cast<uint64_t>(table.unit)) < bytes;
}

void PartitionSizes::Add(ByteView prefix, int64_t rows, int64_t bytes) {
  const uint64_t hash = HashOf(prefix);
  MutexLock lock(mutex_);
  Save(StorageIdOf(prefix));
  Table& table = tables_[StorageIdOf(prefix)];
  auto held = table.held.find(hash);
  if (held == table.held.end()) {
    if (!Notices(bytes, table)) return;
    held = table.held.try_emplace(hash, Size{.prefix = Bytes(prefix)}).first;
  }
  held->second.rows += rows;
  held->second.bytes += bytes;
  table.changed = true;
  if (held->second.bytes <= 0) {
    table.held.erase(held);
  } else if (table.held.size() > kHeldMax) {
    MakeRoom(table);
  }
}

// Removes the smaller half of the counted partitions. Raises `unit`, so that a partition of their size is less likely
// to become a counted one.
void PartitionSizes::MakeRoom(Table& table) {
  std::vector<int64_t> bytes;
  for (const auto& [hash, size] : table.held) bytes.push_back(size.bytes);
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2);
  std::nth_element(bytes.begin(), middle, bytes.end());
  table.unit = std::max(2 * table.unit, *middle);
  size_t left = table.held.size() / 2;
  absl::erase_if(table.held,
                 [&](const auto& entry) { return entry.second.bytes <= *middle && left > 0 && left-- > 0; });
}

void PartitionSizes::Forget(ByteView prefix) {
  MutexLock lock(mutex_);
  Save(StorageIdOf(prefix));
  const auto table = tables_.find(StorageIdOf(prefix));
  if (table != tables_.end() && table->second.held.erase(HashOf(prefix)) > 0) table->second.changed = true;
}

std::vector<PartitionSizes::Size> PartitionSizes::Largest(StorageId id) const {
  std::vector<Size> out;
  {
    MutexLock lock(mutex_);
    const auto table = tables_.find(id);
    if (table == tables_.end()) return out;
    for (const auto& [hash, size] : table->second.held) out.push_back(size);
  }
  std::sort(out.begin(), out.end(),
            [](const Size& a, const Size& b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.prefix < b.prefix; });
  return out;
}

std::map<StorageId, Bytes> PartitionSizes::TakeChanges(const LiveTables& live) {
  std::map<StorageId, Bytes> changes;
  MutexLock lock(mutex_);
  absl::erase_if(tables_, [&](const auto& entry) { return !live.contains(entry.first); });
  for (auto& [id, table] : tables_) {
    if (!table.changed) continue;
    Save(id);
    table.changed = false;
    Bytes& out = changes[id];
    AppendVarint(out, static_cast<uint64_t>(table.unit));
    for (const auto& [hash, size] : table.held) {
      AppendVarint(out, size.prefix.size());
      out += size.prefix;
      AppendVarint(out, static_cast<uint64_t>(std::max<int64_t>(size.rows, 0)));
      AppendVarint(out, static_cast<uint64_t>(size.bytes));
    }
  }
  return changes;
}

void PartitionSizes::Load(StorageId id, ByteView encoded) {
  Table table;
  uint64_t unit = 0;
  if (!TakeVarint(encoded, unit) || unit == 0) return;
  table.unit = static_cast<int64_t>(unit);
  while (!encoded.empty()) {
    uint64_t prefix_size = 0, rows = 0, bytes = 0;
    if (!TakeVarint(encoded, prefix_size) || prefix_size > encoded.size()) return;
    Size size{.prefix = Bytes(encoded.substr(0, prefix_size))};
    encoded.remove_prefix(prefix_size);
    if (!TakeVarint(encoded, rows) || !TakeVarint(encoded, bytes)) return;
    size.rows = static_cast<int64_t>(rows);
    size.bytes = static_cast<int64_t>(bytes);
    const uint64_t hash = HashOf(size.prefix);
    table.held.emplace(hash, std::move(size));
  }
  MutexLock lock(mutex_);
  tables_.insert_or_assign(id, std::move(table));
}

}  // namespace widerow
