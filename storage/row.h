// The content of a stored row: a marker, a deletion, and cells, each with its own time. A RowFragment owns its bytes;
// writes and merges use it. A RowView points to bytes that storage owns; reads return it.
//
// Timestamps are microseconds and decide which version wins. Expiry times and local deletion times are seconds since
// 1970. They decide when content has expired and when it may be purged (docs/internals/storage-format.md, "Rows").
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
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

// A deletion. It deletes content whose timestamp is at most `timestamp`.
struct DeletionTime {
  int64_t timestamp = kNoTimestamp;
  int64_t local_seconds = 0;  // When the deletion was written; gc_grace begins then.

  bool present() const { return timestamp != kNoTimestamp; }
  bool Deletes(int64_t cell_timestamp) const { return cell_timestamp <= timestamp && present(); }
  friend bool operator==(const DeletionTime&, const DeletionTime&) = default;
};

template <typename BytesType>
struct BasicCell {
  ColumnId column = 0;
  // Names the element; multi-cell columns only. Set: the element itself, native bytes. Map: the key, native bytes.
  // List: 16 bytes whose byte order is the order of the list. UDT: the index of the field, 16 bits, big-endian.
  BytesType path;
  int64_t timestamp = 0;
  int32_t ttl = 0;
  int64_t expires_at = 0;  // When the cell expires (with a ttl), or the local deletion time (tombstone).
  bool tombstone = false;
  // True if `value` is a LargeReference (large_object.h) and the value itself is stored in pieces. Only cells of simple
  // regular columns can be large.
  bool large = false;
  BytesType value;  // Native bytes; empty for tombstones and set elements.

  bool LiveAt(int64_t now_seconds) const { return !tombstone && (ttl == 0 || expires_at > now_seconds); }
  bool expires_or_deletes() const { return tombstone || ttl != 0; }
};
using Cell = BasicCell<Bytes>;
using CellView = BasicCell<ByteView>;

// True if `a` wins over `b`, another version of the same cell. The first of these rules that tells the two apart
// decides:
// 1. The greater timestamp wins.
// 2. A tombstone or an expiring cell wins over a cell without TTL.
// 3. A tombstone wins over an expiring cell.
// 4. The later expiry (for tombstones: the later local deletion time) wins.
// 5. Of two expiring cells, the one with the smaller TTL wins.
// 6. The greater value wins, compared as unsigned bytes.
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

// The deletion of a whole multi-cell column. `SET m = {…}` writes a deletion whose timestamp is one less than that of
// the statement, and then the new elements.
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
  std::vector<BasicCell<BytesType>> cells;       // Ascending by (column, path), at most one each; paths in CQL order.
  // The original bytes of clustering values that cannot be computed from the key, because their encoding does not keep
  // all bytes (KeepsBytes() is false). Each has the position of its clustering column.
  std::vector<std::pair<uint32_t, BytesType>> kept_clustering;
};
using RowFragment = BasicRowFragment<Bytes>;
using RowFragmentView = BasicRowFragment<ByteView>;

// Reads values that are stored in pieces (BasicCell::large). Belongs to the view that has returned the row, and sees
// what that view sees.
class LargeValues {
 public:
  virtual ~LargeValues() = default;
  // Returns the whole value to which a cell's `reference` refers. `prefix`: RowView::large_prefix.
  virtual Result<Bytes> ReadWhole(ByteView prefix, ByteView reference) = 0;
};

struct RowView {
  ByteView partition_key;  // See PartitionMutation (storage/mutation.h).
  bool is_static = false;
  // The encoded clustering values, one after another. TakeComparable splits them. Empty for static rows.
  ByteView clustering;
  Liveness marker;
  // True for a uniform row: every cell is simple, is no tombstone, and has the times in `times`. Then the cells are in
  // `packed`, and `cells` is unused. `packed` is not empty. No cell in it is cut off, unless the record is damaged.
  bool uniform = false;
  Liveness times;
  UniformCells packed;
  // The cells of a row that is not uniform, in the order of (column, path). Storage has left out the cells that a
  // deletion covers. Tombstones of single cells and expired cells may be here, so check LiveAt.
  std::vector<CellView> cells;
  std::vector<std::pair<uint32_t, ByteView>> kept_clustering;
  // Set if one of `cells` is large. `large_values` lives as long as the view. `large_prefix` is the beginning of the
  // keys of the partition in which the row is stored.
  LargeValues* large_values = nullptr;
  ByteView large_prefix;

  bool empty() const { return !marker.present() && !uniform && cells.empty(); }
  // Turns a uniform row into one with `cells`. Leaves other rows unchanged.
  void ExpandUniform();
};

}  // namespace widerow
