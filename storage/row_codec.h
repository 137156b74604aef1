// Records as pure bytes (docs/internals/storage-format.md, "Rows"): rows, range tombstones, partition headers and spilled cells.
// Every decoder answers false to bytes that no encoder made; nothing in a record can make one read outside it.
#pragma once

#include <algorithm>
#include <span>

#include "storage/checksum.h"
#include "storage/table_columns.h"

namespace widerow {

inline constexpr uint8_t kRecordVersion = 1;
// A simple cell's value, or all of a multi-cell column, above this many bytes leaves the row record (kind 5).
inline constexpr size_t kInlineBytesMax = 1'024;
// A spilled value is cut into records of this size.
inline constexpr size_t kChunkBytes = 256 * 1'024;

namespace row_flags {
inline constexpr uint8_t kMarker = 1;    // The row has a marker, with the base time.
inline constexpr uint8_t kBaseTtl = 2;   // The base time expires.
inline constexpr uint8_t kDeletion = 4;  // The row has a deletion.
inline constexpr uint8_t kUniform = 8;   // Every cell is simple, inline, live and has the base time.
inline constexpr uint8_t kKeptClustering = 16;
inline constexpr uint8_t kSpilled = 32;  // Some column has kind-5 records.
inline constexpr uint8_t kKnown = 63;
}  // namespace row_flags

namespace cell_flags {
inline constexpr uint8_t kTombstone = 1;        // Followed by its local deletion time; no value.
inline constexpr uint8_t kOwnTimestamp = 2;     // Else the base timestamp.
inline constexpr uint8_t kOwnTtl = 4;           // Followed by ttl and expiry.
inline constexpr uint8_t kSharedTtl = 8;        // The base ttl and expiry.
inline constexpr uint8_t kMultiCell = 16;       // A column's entry: its elements follow.
inline constexpr uint8_t kSpilled = 32;         // The value, or all elements, are kind-5 records.
inline constexpr uint8_t kColumnDeletion = 64;  // With kMultiCell.
inline constexpr uint8_t kKnown = 127;
}  // namespace cell_flags

// A column whose value, or whose elements, are kind-5 records.
struct SpilledColumn {
  ColumnId column = 0;
  bool multi_cell = false;
  uint64_t value_bytes = 0;  // Simple columns.
  friend bool operator==(const SpilledColumn&, const SpilledColumn&) = default;
};

// A row as its record has it. A spilled simple cell is in content.cells with its times and an empty value; elements of
// a spilled multi-cell column are not.
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

// True if the record may hold something that gc_grace is waiting for: a deletion, tombstone or expiring cell. Reads two
// bytes; only for records whose checksum has been seen to hold, or that will be decoded before they are changed.
bool MayBePurgeable(ByteView record);

// True if the record is an INSERT's that does not expire and has values: version, flags and timestamp, then a uniform row's
// cells, then the checksum. Reads two bytes.
inline constexpr size_t kPlainHeadBytes = 2 + 8;
inline bool IsPlainInsert(ByteView record) {
  return record.size() > kPlainHeadBytes + kChecksumBytes && static_cast<uint8_t>(record[0]) == kRecordVersion &&
         static_cast<uint8_t>(record[1]) == (row_flags::kMarker | row_flags::kUniform);
}

// True if the row has a marker. Reads two bytes.
bool IsInsert(ByteView record);

// No marker or cell of the row has a lesser timestamp, nor has its deletion; INT64_MIN if that is not to be seen at once.
int64_t MinTimestamp(ByteView record);
// True if merging `newer` over `older` gives `newer`: two plain INSERTs of the same columns, the usual overwrite. False if
// that is not to be seen at once.
bool Supersedes(ByteView newer, ByteView older);

// Range tombstone: [begin in its key, end), or to the end of the partition.
struct RangeTombstone {
  Bytes begin;
  std::optional<Bytes> end;
  DeletionTime deletion;
};
Bytes EncodeRangeTombstone(const RangeTombstone& tombstone);
bool DecodeRangeTombstone(ByteView record, RangeTombstone& tombstone);  // `begin` is the caller's.

Bytes EncodeHeader(const DeletionTime& deletion);
bool DecodeHeader(ByteView record, DeletionTime& deletion);

// Chunk 0 of a spilled cell: its times, its path, how long the whole value is, and the first bytes of it. Later chunks
// are bytes and checksum only.
struct SpilledCell {
  CellView cell;  // `value` is the part that is in this record.
  uint64_t value_bytes = 0;
};
Bytes EncodeSpilledCell(const Cell& cell);
bool DecodeSpilledCell(ByteView record, SpilledCell& spilled);

// Decoding straight into what a reader wants. Sink has Marker(const Liveness&), Deletion(const DeletionTime&),
// Kept(uint32_t, ByteView), Cell(const CellView&) and Columns(ColumnId, const DeletionTime&), all void, and bool
// Spilled(const SpilledColumn&, const CellView&): the cell carries a simple column's times. Instead of Cell, a uniform
// row's cells come all at once: bool Uniform(const Liveness&, UniformCells) answers whether they are whole.
template <typename Sink>
bool DecodeRowInto(ByteView record, Sink& sink);

}  // namespace widerow

#include "storage/row_decode.h"
