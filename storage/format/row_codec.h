// Records as bytes (docs/internals/storage-format.md, "Rows"): rows, range tombstones, partition headers and spilled
// cells. Pure functions. A decoder returns false for bytes that no encoder made, and never reads outside the record.
#pragma once

#include <algorithm>
#include <span>

#include "base/checksum.h"
#include "storage/format/table_columns.h"

namespace widerow {

inline constexpr uint8_t kRecordVersion = 1;
// A simple value of more than this many bytes is stored in kind-5 records instead of the row's record. So are the
// elements of a multi-cell column if their paths and values together have more bytes.
inline constexpr size_t kInlineBytesMax = 1'024;
// A spilled value is cut into records of this many bytes.
inline constexpr size_t kChunkBytes = 256 * 1'024;

namespace row_flags {
inline constexpr uint8_t kMarker = 1;    // The row has a marker, and its time is the base time.
inline constexpr uint8_t kBaseTtl = 2;   // The base time expires.
inline constexpr uint8_t kDeletion = 4;  // The row has a deletion.
inline constexpr uint8_t kUniform = 8;   // All cells: simple, inline, no tombstones, base time.
inline constexpr uint8_t kKeptClustering = 16;
inline constexpr uint8_t kSpilled = 32;  // A column has kind-5 records.
inline constexpr uint8_t kKnown = 63;
}  // namespace row_flags

namespace cell_flags {
inline constexpr uint8_t kTombstone = 1;        // Its local deletion time follows; no value.
inline constexpr uint8_t kOwnTimestamp = 2;     // If not set: the base timestamp.
inline constexpr uint8_t kOwnTtl = 4;           // ttl and expiry follow.
inline constexpr uint8_t kSharedTtl = 8;        // The base ttl and expiry apply.
inline constexpr uint8_t kMultiCell = 16;       // The entry of a column; its elements follow.
inline constexpr uint8_t kSpilled = 32;         // The value, or all elements, are kind-5 records.
inline constexpr uint8_t kColumnDeletion = 64;  // Only with kMultiCell: the column has a deletion.
inline constexpr uint8_t kKnown = 127;
}  // namespace cell_flags

// A column whose value or elements are kind-5 records.
struct SpilledColumn {
  ColumnId column = 0;
  bool multi_cell = false;
  uint64_t value_bytes = 0;  // Simple columns only.
  friend bool operator==(const SpilledColumn&, const SpilledColumn&) = default;
};

// A row as its record has it. A spilled simple cell is in content.cells with its times and an empty value. The elements
// of a spilled multi-cell column are not in content.cells.
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

// True if the record may hold something that can be purged after gc_grace: a deletion, a tombstone or an expiring cell.
// Reads two bytes and does not check the checksum: use it where the checksum has been checked or the record will be
// decoded before it is changed.
bool MayBePurgeable(ByteView record);

// True if the record is an INSERT with values and without TTL: version, flags and timestamp, then the cells of a
// uniform row, then the checksum. Reads two bytes.
inline constexpr size_t kPlainHeadBytes = 2 + 8;
inline bool IsPlainInsert(ByteView record) {
  return record.size() > kPlainHeadBytes + kChecksumBytes && static_cast<uint8_t>(record[0]) == kRecordVersion &&
         static_cast<uint8_t>(record[1]) == (row_flags::kMarker | row_flags::kUniform);
}

// True if the row has a marker. Reads two bytes.
bool IsInsert(ByteView record);

// Returns a lower bound for the timestamps of the row's marker, cells and deletion; INT64_MIN if the head of the record
// does not show one.
int64_t MinTimestamp(ByteView record);
// True if merging `newer` over `older` gives `newer`, because both are plain INSERTs of the same columns. False does
// not mean the opposite: only this usual case is checked.
bool Supersedes(ByteView newer, ByteView older);

// A range tombstone deletes [begin, end), or from `begin` to the end of the partition. `begin` is part of its key.
struct RangeTombstone {
  Bytes begin;
  std::optional<Bytes> end;
  DeletionTime deletion;
};
Bytes EncodeRangeTombstone(const RangeTombstone& tombstone);
// The caller sets `begin`.
bool DecodeRangeTombstone(ByteView record, RangeTombstone& tombstone);

Bytes EncodeHeader(const DeletionTime& deletion);
bool DecodeHeader(ByteView record, DeletionTime& deletion);

// Chunk 0 of a spilled cell: its times, its path, the length of the whole value, and the first bytes of the value.
// Later chunks have bytes and a checksum only.
struct SpilledCell {
  CellView cell;  // `value` is the part in this record.
  uint64_t value_bytes = 0;
};
Bytes EncodeSpilledCell(const Cell& cell);
bool DecodeSpilledCell(ByteView record, SpilledCell& spilled);

// Decodes a row record into `sink`. Sink has these functions, all void: Marker(const Liveness&), Deletion(const
// DeletionTime&), Kept(uint32_t, ByteView), Cell(const CellView&) and Columns(ColumnId, const DeletionTime&). Two
// return bool; false ends the decoding, which then fails: Spilled(const SpilledColumn&, const CellView&), whose cell
// has the times of a simple column, and Uniform(const Liveness&, UniformCells), which receives all cells of a uniform
// row instead of Cell and returns false if they are not whole.
template <typename Sink>
bool DecodeRowInto(ByteView record, Sink& sink);

}  // namespace widerow

#include "storage/format/row_decode.h"
