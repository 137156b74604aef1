#include "storage/format/key_codec.h"

#include <algorithm>
#include <set>

#include "types/token.h"

namespace widerow {
namespace {

constexpr uint64_t kSignBit = uint64_t{1} << 63;

static_assert(static_cast<uint8_t>(kLastKind) < 0xFE, "a kind must not look like an escaped zero");

// A scan goes to the next partition by seeking a key that is greater than the keys of all kinds (slice_cursor.cc). A
// key with a kind after kLastKind would stop the scan there for ever, so such a key counts as malformed.
bool IsKind(char byte) {
  const auto kind = static_cast<uint8_t>(byte);
  return kind >= static_cast<uint8_t>(RecordKind::kHeader) && kind <= static_cast<uint8_t>(kLastKind);
}

}  // namespace

Bytes PositionOfToken(int64_t token) {
  Bytes out;
  AppendBigEndian(out, static_cast<uint64_t>(token) ^ kSignBit);
  return out;
}

int64_t TokenOfPosition(ByteView eight_bytes) {
  return static_cast<int64_t>(ReadBigEndian<uint64_t>(eight_bytes.data()) ^ kSignBit);
}

void AppendStorageId(StorageId id, Bytes& out) { AppendBigEndian(out, id); }

void AppendPartitionPrefix(StorageId id, ByteView partition_key, Bytes& out) {
  AppendStorageId(id, out);
  AppendBigEndian(out, static_cast<uint64_t>(Murmur3Token(partition_key)) ^ kSignBit);
  AppendDelimited(partition_key, out);
}

void AppendPartitionPrefix(const TableSchema& table, ByteView partition_key, Bytes& out) {
  if (table.partitioning.by_token()) [[likely]]
    return AppendPartitionPrefix(table.storage_id, partition_key, out);
  const size_t begin = out.size();
  AppendStorageId(table.storage_id, out);
  out.append(kNoToken);
  AppendDelimited(partition_key, out);
  if (table.partitioning.extents.empty()) return;
  Bytes id;
  AppendStorageId(StorageIdAt(table, ByteView(out).substr(begin + sizeof(StorageId))), id);
  out.replace(begin, id.size(), id);
}

std::vector<StorageId> StorageIdsOf(const TableSchema& table) {
  std::vector<StorageId> ids{table.storage_id};
  for (const Extent& extent : table.partitioning.extents) {
    const bool known = extent.storage_id == 0 || std::find(ids.begin(), ids.end(), extent.storage_id) != ids.end();
    if (!known) ids.push_back(extent.storage_id);
  }
  return ids;
}

std::vector<KeyExtent> LostExtents(const TableSchema& was, const TableSchema& is) {
  if (was.partitioning.extents == is.partitioning.extents || was.storage_id != is.storage_id) return {};
  const std::vector<StorageId> used = StorageIdsOf(is);
  // Between two neighbours in `firsts` no extent of either table begins. So in this range each table has only one
  // storage id.
  std::set<Bytes> firsts{Bytes()};
  for (const TableSchema* table : {&was, &is}) {
    for (const Extent& extent : table->partitioning.extents) firsts.insert(extent.first_position);
  }
  std::vector<KeyExtent> lost;
  for (auto at = firsts.begin(); at != firsts.end(); ++at) {
    const StorageId before = StorageIdAt(was, *at);
    const bool gone = before != 0 && before != StorageIdAt(is, *at);
    if (!gone || std::find(used.begin(), used.end(), before) == used.end()) continue;
    const auto next = std::next(at);
    lost.push_back({before, *at, next == firsts.end() ? Bytes() : *next});
  }
  return lost;
}

size_t PartitionPrefixSize(ByteView key) {
  if (key.size() <= kKeyHeadBytes) return 0;
  const size_t size = kKeyHeadBytes + DelimitedSize(key.substr(kKeyHeadBytes));
  if (size == kKeyHeadBytes || size >= key.size()) return 0;
  return IsKind(key[size]) ? size : 0;
}

size_t ReadPartitionPrefix(ByteView key, Bytes& partition_key) {
  partition_key.clear();
  if (key.size() <= kKeyHeadBytes) return 0;
  ByteView rest = key.substr(kKeyHeadBytes);
  if (!TakeDelimited(rest, partition_key) || rest.empty() || !IsKind(rest[0])) return 0;
  return key.size() - rest.size();
}

bool PartitionKeyOfPrefix(ByteView prefix, Bytes& partition_key) {
  partition_key.clear();
  if (prefix.size() <= kKeyHeadBytes) return false;
  prefix.remove_prefix(kKeyHeadBytes);
  return TakeDelimited(prefix, partition_key) && prefix.empty();
}

void AppendSpillPrefix(ByteView partition_prefix, ByteView clustering, ColumnId column, Bytes& out) {
  out.append(partition_prefix);
  AppendKind(RecordKind::kSpill, out);
  AppendDelimited(clustering, out);
  AppendBigEndian(out, column);
}

void AppendPiecePrefix(ByteView partition_prefix, uint64_t object, Bytes& out) {
  out.append(partition_prefix);
  AppendKind(RecordKind::kPiece, out);
  AppendBigEndian(out, object);
}

Bytes SuccessorOfPrefix(ByteView prefix) {
  Bytes out(prefix);
  while (!out.empty() && static_cast<uint8_t>(out.back()) == 0xFF) out.pop_back();
  if (!out.empty()) out.back() = static_cast<char>(static_cast<uint8_t>(out.back()) + 1);
  return out;
}

}  // namespace widerow
