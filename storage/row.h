// What a row is made of once it is stored: a marker, a deletion, and cells that each carry their own time. RowFragment owns
// its bytes and is what writes and merges work with; RowView borrows from storage and is what reads see.
//
// Times: timestamps are microseconds and decide who wins; expiry and local deletion times are seconds and decide when
// something is gone or may be purged. See docs/internals/storage-format.md.
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

// The row marker. INSERT sets it, UPDATE does not: a row without one exists only through its live cells.
struct Liveness {
  int64_t timestamp = kNoTimestamp;
  int32_t ttl = 0;              // Seconds; 0 = never expires.
  int64_t expires_at = 0;       // Seconds since 1970; meaningful if ttl is not 0.

  bool present() const { return timestamp != kNoTimestamp; }
  bool LiveAt(int64_t now_seconds) const { return present() && (ttl == 0 || expires_at > now_seconds); }
  friend bool operator==(const Liveness&, const Liveness&) = default;
};

// Deletes everything with a timestamp ≤ `timestamp`.
struct DeletionTime {
  int64_t timestamp = kNoTimestamp;
  int64_t local_seconds = 0;    // When it was written, for gc_grace.

  bool present() const { return timestamp != kNoTimestamp; }
  bool Deletes(int64_t cell_timestamp) const { return cell_timestamp <= timestamp && present(); }
  friend bool operator==(const DeletionTime&, const DeletionTime&) = default;
};

template <typename BytesType>
struct BasicCell {
  ColumnId column = 0;
  // Multi-cell columns only. set: the element; map: the key (both native bytes); list: 16 bytes whose byte order is
  // the list's order; UDT: the field's index, u16 big-endian.
  BytesType path;
  int64_t timestamp = 0;
  int32_t ttl = 0;
  int64_t expires_at = 0;       // With a ttl: seconds when it expires. Tombstone: local deletion time.
  bool tombstone = false;
  BytesType value;              // Native bytes; empty for tombstones and set elements.

  bool LiveAt(int64_t now_seconds) const { return !tombstone && (ttl == 0 || expires_at > now_seconds); }
};
using Cell = BasicCell<Bytes>;
using CellView = BasicCell<ByteView>;

// Deletion of a whole multi-cell column: what `SET m = {…}` writes under the new elements, with its timestamp - 1.
struct ColumnDeletion {
  ColumnId column = 0;
  DeletionTime deletion;
};

// Content of one row, or of a partition's static row, without its key.
template <typename BytesType>
struct BasicRowFragment {
  Liveness marker;
  DeletionTime deletion;                         // Row deletion.
  std::vector<ColumnDeletion> column_deletions;  // By column, at most one each.
  std::vector<BasicCell<BytesType>> cells;       // By (column, path), paths by unsigned bytes; at most one each.
  // Original bytes of clustering values whose encoding forgets some (KeepsBytes() false): (clustering position, bytes).
  std::vector<std::pair<uint32_t, BytesType>> kept_clustering;
};
using RowFragment = BasicRowFragment<Bytes>;
using RowFragmentView = BasicRowFragment<ByteView>;

struct RowView {
  ByteView partition_key;                      // As written (storage/mutation.h).
  bool is_static = false;
  ByteView clustering;                         // Encoded components; TakeComparable takes it apart. Empty for statics.
  Liveness marker;
  // The usual row comes in the uniform form: every cell simple and of the time `times`, in `packed`, which is not empty, and
  // whole but for damage. `cells` means nothing then.
  bool uniform = false;
  Liveness times;
  UniformCells packed;
  // Any other row: in (column, path) order. Storage has applied all deletions; tombstones and expired cells may be among
  // them: ask LiveAt. A multi-cell column's cells are consecutive.
  std::vector<CellView> cells;
  std::vector<std::pair<uint32_t, ByteView>> kept_clustering;

  bool empty() const { return !marker.present() && !uniform && cells.empty(); }
  // Turns a uniform row into its cells; leaves others as they are.
  void ExpandUniform();
};

}  // namespace widerow
