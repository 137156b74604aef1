// The content of a stored row: a marker, a deletion, and cells, each with its own time. RowFragment owns its bytes;
// writes and merges use it. RowView borrows from storage; reads return it.
//
// Timestamps are microseconds and decide which version wins. Expiry and local deletion times are seconds and decide
// when something has expired or may be purged (docs/internals/storage-format.md, "Rows").
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "storage/uniform_cells.h"

namespace widerow {

inline constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();

// The row marker. INSERT sets it, UPDATE does not. A row without a marker exists only as long as it has live cells.
struct Liveness {
  int64_t timestamp = kNoTimestamp;
  int32_t ttl = 0;         // Seconds; 0 = never expires.
  int64_t expires_at = 0;  // Seconds from 1970 on; unused if ttl is 0.

  bool present() const { return timestamp != kNoTimestamp; }
  bool LiveAt(int64_t now_seconds) const { return present() && (ttl == 0 || expires_at > now_seconds); }
  friend bool operator==(const Liveness&, const Liveness&) = default;
};

// Deletes everything with a timestamp ≤ `timestamp`.
struct DeletionTime {
  int64_t timestamp = kNoTimestamp;
  int64_t local_seconds = 0;  // When it was written, for gc_grace.

  bool present() const { return timestamp != kNoTimestamp; }
  bool Deletes(int64_t cell_timestamp) const { return cell_timestamp <= timestamp && present(); }
  friend bool operator==(const DeletionTime&, const DeletionTime&) = default;
};

template <typename BytesType>
struct BasicCell {
  ColumnId column = 0;
  // Multi-cell columns only. Set: the element. Map: the key. (Both are native bytes.) List: 16 bytes whose byte order
  // is the list's order. UDT: the field's index, u16 big-endian.
  BytesType path;
  int64_t timestamp = 0;
  int32_t ttl = 0;
  int64_t expires_at = 0;  // When the cell expires (with a ttl), or the local deletion time (tombstone).
  bool tombstone = false;
  BytesType value;  // Native bytes; empty for tombstones and set elements.

  bool LiveAt(int64_t now_seconds) const { return !tombstone && (ttl == 0 || expires_at > now_seconds); }
  bool expires_or_deletes() const { return tombstone || ttl != 0; }
};
using Cell = BasicCell<Bytes>;
using CellView = BasicCell<ByteView>;

// True if `a` wins over `b`, which is another version of the same cell. The greater timestamp wins. If the timestamps
// are equal, a tombstone or expiring cell wins over a cell that stays, and a tombstone wins over an expiring cell. Of
// two expiring cells or two tombstones, the one with the later expiry wins, then the one with the smaller TTL. At last
// the value decides: the greater one by unsigned bytes wins.
template <typename BytesType>
bool CellWins(const BasicCell<BytesType>& a, const BasicCell<BytesType>& b) {
  if (a.timestamp != b.timestamp) return a.timestamp > b.timestamp;
  if (a.expires_or_deletes() != b.expires_or_deletes()) return a.expires_or_deletes();
  if (a.expires_or_deletes()) {
    if (a.tombstone != b.tombstone) return a.tombstone;
    if (a.expires_at != b.expires_at) return a.expires_at > b.expires_at;
    if (!a.tombstone && a.ttl != b.ttl) return a.ttl < b.ttl;
  }
  return a.value > b.value;
}

// Deletion of a whole multi-cell column. `SET m = {…}` writes one with its timestamp - 1, and then the new elements.
struct ColumnDeletion {
  ColumnId column = 0;
  DeletionTime deletion;
};

// Content of one row, or of a partition's static row, without its key.
template <typename BytesType>
struct BasicRowFragment {
  Liveness marker;
  DeletionTime deletion;                         // Row deletion.
  std::vector<ColumnDeletion> column_deletions;  // Ascending by column, at most one each.
  std::vector<BasicCell<BytesType>> cells;       // In order of (column, path), at most one each; CQL order of paths.
  // Original bytes of clustering values whose encoding does not keep them all (KeepsBytes() false): (position, bytes).
  std::vector<std::pair<uint32_t, BytesType>> kept_clustering;
};
using RowFragment = BasicRowFragment<Bytes>;
using RowFragmentView = BasicRowFragment<ByteView>;

struct RowView {
  ByteView partition_key;  // See PartitionMutation (storage/mutation.h).
  bool is_static = false;
  // Encoded components; TakeComparable takes them apart. Empty for static rows.
  ByteView clustering;
  Liveness marker;
  // A uniform row: every cell is simple, is no tombstone, and has the time `times`. The cells are in `packed`, which is
  // not empty and has only whole cells unless the record is damaged. `cells` is unused then.
  bool uniform = false;
  Liveness times;
  UniformCells packed;
  // The cells of any other row, in order of (column, path). Storage has applied all deletions. Tombstones and expired
  // cells may be among them: use LiveAt.
  std::vector<CellView> cells;
  std::vector<std::pair<uint32_t, ByteView>> kept_clustering;

  bool empty() const { return !marker.present() && !uniform && cells.empty(); }
  // Turns a uniform row into one with `cells`. Leaves other rows unchanged.
  void ExpandUniform();
};

}  // namespace widerow
