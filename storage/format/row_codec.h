// Encodes records as bytes (docs/internals/storage-format.md, "Rows"): rows, range tombstones, partition headers and
// spilled cells. Pure functions. A decoder returns false for bytes that no encoder has made, and never reads outside
// the record.
//
// A row's record has a *base time*: a timestamp, which may have a TTL and an expiry. It is the time of the marker and
// of all cells that have no time of their own. Large values and collections are *spilled*: they are stored in records
// of their own, with keys of kind 5 (RecordKind::kSpill).
#pragma once

#include <algorithm>
#include <span>

#include "base/checksum.h"
#include "storage/format/table_columns.h"

namespace widerow {

inline constexpr uint8_t kRecordVersion = 1;
// A simple value is spilled if it has more than this many bytes. The elements of a multi-cell column are spilled if
// their paths and values together have more.
inline constexpr size_t kInlineBytesMax = 1'024;
// A spilled value is cut into records of this many bytes.
inline constexpr size_t kChunkBytes = 256 * 1'024;

namespace row_flags {
inline constexpr uint8_t kMarker = 1;    // The row has a marker, and its time is the base time.
inline constexpr uint8_t kBaseTtl = 2;   // The base time has a TTL and an expiry.
inline constexpr uint8_t kDeletion = 4;  // The row has a deletion.
inline constexpr uint8_t kUniform = 8;   // Only simple cells with the base time; none is spilled, large or a tombstone.
inline constexpr uint8_t kKeptClustering = 16;  // The row has BasicRowFragment::kept_clustering.
inline constexpr uint8_t kSpilled = 32;         // A column is spilled.
inline constexpr uint8_t kKnown = 63;
}  // namespace row_flags

namespace cell_flags {
inline constexpr uint8_t kTombstone = 1;        // The local deletion time follows; there is no value.
inline constexpr uint8_t kOwnTimestamp = 2;     // If not set, the cell has the base timestamp.
inline constexpr uint8_t kOwnTtl = 4;           // The cell's TTL and expiry follow.
inline constexpr uint8_t kSharedTtl = 8;        // The cell has the TTL and expiry of the base time.
inline constexpr uint8_t kMultiCell = 16;       // A multi-cell column; its elements follow.
inline constexpr uint8_t kSpilled = 32;         // The value, or all elements, are spilled.
inline constexpr uint8_t kColumnDeletion = 64;  // Only with kMultiCell: the column has a deletion.
inline constexpr uint8_t kLarge = 128;          // The value is a LargeReference (BasicCell::large).
inline constexpr uint8_t kKnown = 255;
}  // namespace cell_flags

// A column whose value is spilled, or whose elements are.
struct SpilledColumn {
  ColumnId column = 0;
  bool multi_cell = false;
  uint64_t value_bytes = 0;  // Simple columns only.
  friend bool operator==(const SpilledColumn&, const SpilledColumn&) = default;
};

// A row as its record has it. For a spilled simple column, content.cells has a cell with the times and an empty value.
// The elements of a spilled multi-cell column are not in content.cells.
struct StoredRow {
  RowFragment content;
  std::vector<SpilledColumn> spilled;  // Ascending by column.

  const SpilledColumn* FindSpilled(ColumnId column) const;
};

Bytes EncodeRow(const RowFragment& content, std::span<const SpilledColumn> spilled, const TableColumns& columns);
inline Bytes EncodeRow(const StoredRow& row, const TableColumns& columns) {
  return EncodeRow(row.content, row.spilled, columns);
}
bool DecodeRow(ByteView record, StoredRow& row);

// True if the record may have something that can be purged after gc_grace: a deletion, a tombstone or an expiring cell.
// Reads two bytes and does not compare the checksum. So call it only if the checksum has been checked, or if the record
// will be decoded before it is changed.
bool MayBePurgeable(ByteView record);

// True if the record is a *plain* INSERT: one with values and without TTL. Such a record has a version, flags and a
// timestamp, then the cells of a uniform row, then the checksum. Reads two bytes.
inline constexpr size_t kPlainHeadBytes = 2 + 8;
inline bool IsPlainInsert(ByteView record) {
  return record.size() > kPlainHeadBytes + kChecksumBytes && static_cast<uint8_t>(record[0]) == kRecordVersion &&
         static_cast<uint8_t>(record[1]) == (row_flags::kMarker | row_flags::kUniform);
}

// True if the row has a marker. Reads two bytes.
bool IsInsert(ByteView record);

// Returns a timestamp that is not greater than those of the row's marker, cells and deletions. Returns INT64_MIN if the
// first bytes of the record do not show one.
int64_t MinTimestamp(ByteView record);
// True if `newer` replaces `older` completely because both are plain INSERTs of the same columns. Only this usual case
// is checked. The result false does not mean that something of `older` remains.
bool Supersedes(ByteView newer, ByteView older);

// Deletes the rows in [begin, end), or from `begin` to the end of the partition if there is no `end`. `begin` is stored
// in the key of the record.
struct RangeTombstone {
  Bytes begin;
  std::optional<Bytes> end;
  DeletionTime deletion;
};
Bytes EncodeRangeTombstone(const RangeTombstone& tombstone);
// Sets everything but `begin`, which the caller takes from the key.
bool DecodeRangeTombstone(ByteView record, RangeTombstone& tombstone);

Bytes EncodeHeader(const DeletionTime& deletion);
bool DecodeHeader(ByteView record, DeletionTime& deletion);

// The first record (chunk 0) of a spilled cell: the times, the path, the length of the whole value, and the first bytes
// of the value. The records of the other chunks have only bytes and a checksum.
struct SpilledCell {
  CellView cell;  // `value` is the part in this record.
  uint64_t value_bytes = 0;
};
Bytes EncodeSpilledCell(const Cell& cell);
bool DecodeSpilledCell(ByteView record, SpilledCell& spilled);

// Decodes the record of a row into `sink`. These functions of the sink return void: Marker(const Liveness&),
// Deletion(const DeletionTime&), Kept(uint32_t, ByteView), Cell(const CellView&) and Columns(ColumnId, const
// DeletionTime&).
//
// The other two return bool; if one returns false, the decoding ends and fails. Spilled(const SpilledColumn&, const
// CellView&) receives a spilled column; if the column is simple, the cell has its times. Uniform(const Liveness&,
// UniformCells) receives all cells of a uniform row, for which Cell is not called; it returns false if a cell is cut
// short.
template <typename Sink>
bool DecodeRowInto(ByteView record, Sink& sink);

}  // namespace widerow

#include "storage/format/row_decode.h"
