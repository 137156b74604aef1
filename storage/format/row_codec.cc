// RowEncoder chooses a base time (ChooseBase) and writes the head of the record. Then it writes the columns: in the
// uniform form if every cell has the base time, otherwise one by one (AppendColumns). DecodeRow fills a StoredRow
// through FragmentSink, with the decoder DecodeRowInto in row_decode.h. The functions after these answer questions from
// the first bytes of a record. The codecs of the smaller records are at the end.
#include "storage/format/row_codec.h"

namespace widerow {
namespace {

static_assert(kChunkBytes > kInlineBytesMax, "only what is too long for a row is cut into chunks");

void AppendFixed64(Bytes& out, int64_t value) { AppendBigEndian(out, static_cast<uint64_t>(value)); }
void AppendSeconds(Bytes& out, int64_t seconds) { AppendVarint(out, static_cast<uint64_t>(seconds)); }
// Returns the base time of the row: the time of all cells that have no time of their own. If the row has a marker, it
// is the marker's time, because the record has no other place for that time. Otherwise it is the time of the first cell
// that is no tombstone, because most other cells usually have the same time.
row_decode::Base ChooseBase(const RowFragment& row) {
  if (row.marker.present()) return {row.marker.timestamp, row.marker.ttl, row.marker.expires_at};
  for (const Cell& cell : row.cells) {
    if (!cell.tombstone) return {cell.timestamp, cell.ttl, cell.expires_at};
  }
  return row.cells.empty() ? row_decode::Base{} : row_decode::Base{row.cells[0].timestamp, 0, 0};
}

bool HasBaseTime(const Cell& cell, const row_decode::Base& base) {
  return !cell.tombstone && cell.timestamp == base.timestamp && cell.ttl == base.ttl &&
         (cell.ttl == 0 || cell.expires_at == base.expires_at);
}

uint8_t TimeFlags(const Cell& cell, const row_decode::Base& base) {
  uint8_t flags = cell.timestamp != base.timestamp ? cell_flags::kOwnTimestamp : 0;
  if (cell.tombstone) return flags | cell_flags::kTombstone;
  if (cell.ttl == 0) return flags;
  const bool shared = cell.ttl == base.ttl && cell.expires_at == base.expires_at;
  return flags | (shared ? cell_flags::kSharedTtl : cell_flags::kOwnTtl);
}

void AppendTimes(const Cell& cell, uint8_t flags, Bytes& out) {
  if ((flags & cell_flags::kOwnTimestamp) != 0) AppendFixed64(out, cell.timestamp);
  if ((flags & cell_flags::kTombstone) != 0) AppendSeconds(out, cell.expires_at);
  if ((flags & cell_flags::kOwnTtl) != 0) {
    AppendVarint(out, static_cast<uint32_t>(cell.ttl));
    AppendSeconds(out, cell.expires_at);
  }
}

class RowEncoder {
 public:
  RowEncoder(const RowFragment& row, std::span<const SpilledColumn> spilled, const TableColumns& columns)
      : row_(row), spilled_(spilled), columns_(columns), base_(ChooseBase(row)) {}

  Bytes Encode() {
    const bool uniform = IsUniform();
    if (uniform) {
      size_t bytes = 32;  // Room for head and checksum.
      for (const Cell& cell : row_.cells) bytes += cell.value.size() + 4;
      out_.reserve(bytes);
    }
    AppendHead(uniform);
    if (uniform) {
      for (const Cell& cell : row_.cells) {
        AppendVarint(out_, cell.column);
        AppendSized(out_, cell.value);
      }
    } else {
      AppendColumns();
    }
    Seal(out_);
    return std::move(out_);
  }

 private:
  bool IsUniform() const {
    if (!spilled_.empty() || !row_.column_deletions.empty()) return false;
    return std::all_of(row_.cells.begin(), row_.cells.end(), [&](const Cell& cell) {
      return HasBaseTime(cell, base_) && !cell.large && !columns_.multi_cell(cell.column);
    });
  }

  void AppendHead(bool uniform) {
    uint8_t flags = uniform ? row_flags::kUniform : 0;
    if (row_.marker.present()) flags |= row_flags::kMarker;
    if (base_.ttl != 0) flags |= row_flags::kBaseTtl;
    if (row_.deletion.present()) flags |= row_flags::kDeletion;
    if (!row_.kept_clustering.empty()) flags |= row_flags::kKeptClustering;
    if (!spilled_.empty()) flags |= row_flags::kSpilled;
    out_.push_back(static_cast<char>(kRecordVersion));
    out_.push_back(static_cast<char>(flags));
    AppendFixed64(out_, base_.timestamp);
    if (base_.ttl != 0) {
      AppendVarint(out_, static_cast<uint32_t>(base_.ttl));
      AppendSeconds(out_, base_.expires_at);
    }
    if (row_.deletion.present()) {
      AppendFixed64(out_, row_.deletion.timestamp);
      AppendSeconds(out_, row_.deletion.local_seconds);
    }
    if (row_.kept_clustering.empty()) return;
    AppendVarint(out_, row_.kept_clustering.size());
    for (const auto& [position, bytes] : row_.kept_clustering) {
      AppendVarint(out_, position);
      AppendSized(out_, bytes);
    }
  }

  // Appends cells, column deletions and spilled columns. All three lists are in ascending order of columns. They are
  // read together, column by column.
  void AppendColumns() {
    auto cell = row_.cells.begin();
    const auto cells_end = row_.cells.end();
    auto deletion = row_.column_deletions.begin();
    auto spilled = spilled_.begin();
    while (true) {
      ColumnId column = std::numeric_limits<ColumnId>::max();
      if (cell != cells_end) column = std::min(column, cell->column);
      if (deletion != row_.column_deletions.end()) column = std::min(column, deletion->column);
      if (spilled != spilled_.end()) column = std::min(column, spilled->column);
      if (column == std::numeric_limits<ColumnId>::max()) return;
      const auto first = cell;
      while (cell != cells_end && cell->column == column) ++cell;
      const ColumnDeletion* deleted = nullptr;
      if (deletion != row_.column_deletions.end() && deletion->column == column) deleted = &*deletion++;
      const SpilledColumn* spill = nullptr;
      if (spilled != spilled_.end() && spilled->column == column) spill = &*spilled++;
      const bool multi_cell =
          deleted != nullptr || (spill != nullptr ? spill->multi_cell : columns_.multi_cell(column));
      if (multi_cell) {
        AppendMultiCell(column, first, cell, deleted, spill != nullptr);
      } else {
        AppendSimple(*first, spill);
      }
    }
  }

  void AppendSimple(const Cell& cell, const SpilledColumn* spill) {
    uint8_t flags = TimeFlags(cell, base_);
    if (spill != nullptr) flags |= cell_flags::kSpilled;
    if (cell.large) flags |= cell_flags::kLarge;
    AppendVarint(out_, cell.column);
    out_.push_back(static_cast<char>(flags));
    AppendTimes(cell, flags, out_);
    if (spill != nullptr) {
      AppendVarint(out_, spill->value_bytes);
    } else if (!cell.tombstone) {
      AppendSized(out_, cell.value);
    }
  }

  void AppendMultiCell(ColumnId column, std::vector<Cell>::const_iterator begin, std::vector<Cell>::const_iterator end,
                       const ColumnDeletion* deleted, bool spilled) {
    uint8_t flags = cell_flags::kMultiCell;
    if (deleted != nullptr) flags |= cell_flags::kColumnDeletion;
    if (spilled) flags |= cell_flags::kSpilled;
    AppendVarint(out_, column);
    out_.push_back(static_cast<char>(flags));
    if (deleted != nullptr) {
      AppendFixed64(out_, deleted->deletion.timestamp);
      AppendSeconds(out_, deleted->deletion.local_seconds);
    }
    if (spilled) return;
    AppendVarint(out_, static_cast<uint64_t>(end - begin));
    for (auto element = begin; element != end; ++element) {
      const uint8_t element_flags = TimeFlags(*element, base_);
      out_.push_back(static_cast<char>(element_flags));
      AppendSized(out_, element->path);
      AppendTimes(*element, element_flags, out_);
      if (!element->tombstone) AppendSized(out_, element->value);
    }
  }

  const RowFragment& row_;
  const std::span<const SpilledColumn> spilled_;
  const TableColumns& columns_;
  const row_decode::Base base_;
  Bytes out_;
};

// A sink of DecodeRowInto that copies everything into a StoredRow.
struct FragmentSink {
  StoredRow& row;
  void Marker(const Liveness& marker) { row.content.marker = marker; }
  void Deletion(const DeletionTime& deletion) { row.content.deletion = deletion; }
  void Kept(uint32_t position, ByteView bytes) { row.content.kept_clustering.emplace_back(position, bytes); }
  void Columns(ColumnId column, const DeletionTime& deletion) {
    row.content.column_deletions.push_back({column, deletion});
  }
  void Cell(const CellView& cell) {
    row.content.cells.push_back({cell.column, Bytes(cell.path), cell.timestamp, cell.ttl, cell.expires_at,
                                 cell.tombstone, cell.large, Bytes(cell.value)});
  }
  bool Uniform(const Liveness& times, UniformCells cells) {
    ColumnId column = 0;
    ByteView value;
    while (cells.Next(column, value)) {
      row.content.cells.push_back(
          {column, {}, times.timestamp, times.ttl, times.expires_at, false, false, Bytes(value)});
    }
    return cells.done();
  }
  bool Spilled(const SpilledColumn& spilled, const CellView& cell) {
    row.spilled.push_back(spilled);
    if (!spilled.multi_cell) Cell(cell);
    return true;
  }
};

}  // namespace

const SpilledColumn* StoredRow::FindSpilled(ColumnId column) const {
  const auto at =
      std::find_if(spilled.begin(), spilled.end(), [&](const SpilledColumn& s) { return s.column == column; });
  return at == spilled.end() ? nullptr : &*at;
}

Bytes EncodeRow(const RowFragment& row, std::span<const SpilledColumn> spilled, const TableColumns& columns) {
  return RowEncoder(row, spilled, columns).Encode();
}

bool DecodeRow(ByteView record, StoredRow& row) {
  row = {};
  FragmentSink sink{row};
  return DecodeRowInto(record, sink);
}

bool MayBePurgeable(ByteView record) {
  if (record.size() < 2) return false;
  const auto flags = static_cast<uint8_t>(record[1]);
  return (flags & row_flags::kUniform) == 0 || (flags & (row_flags::kBaseTtl | row_flags::kDeletion)) != 0;
}

bool IsInsert(ByteView record) {
  return record.size() >= 2 && (static_cast<uint8_t>(record[1]) & row_flags::kMarker) != 0;
}

int64_t MinTimestamp(ByteView record) {
  if (record.size() < 10) return kNoTimestamp;
  const auto flags = static_cast<uint8_t>(record[1]);
  const bool plain = (flags & row_flags::kUniform) != 0 && (flags & row_flags::kDeletion) == 0;
  return plain ? ReadBigEndian<int64_t>(record.data() + 2) : kNoTimestamp;
}

bool Supersedes(ByteView newer, ByteView older) {
  constexpr char kPlain = row_flags::kMarker | row_flags::kUniform;
  constexpr size_t kHead = 10;
  if (newer.size() < kHead + kChecksumBytes || older.size() < kHead + kChecksumBytes) return false;
  if (newer[0] != older[0] || newer[1] != kPlain || older[1] != kPlain) return false;
  if (ReadBigEndian<int64_t>(newer.data() + 2) <= ReadBigEndian<int64_t>(older.data() + 2)) return false;
  UniformCells left(newer.substr(kHead, newer.size() - kHead - kChecksumBytes));
  UniformCells right(older.substr(kHead, older.size() - kHead - kChecksumBytes));
  ColumnId left_column = 0, right_column = 0;
  ByteView value;
  while (right.Next(right_column, value)) {
    if (!left.Next(left_column, value) || left_column != right_column) return false;
  }
  return right.done() && left.done();
}

Bytes EncodeRangeTombstone(const RangeTombstone& tombstone) {
  Bytes out;
  out.push_back(static_cast<char>(kRecordVersion));
  AppendFixed64(out, tombstone.deletion.timestamp);
  AppendSeconds(out, tombstone.deletion.local_seconds);
  out.push_back(tombstone.end.has_value() ? '\1' : '\0');
  if (tombstone.end.has_value()) out.append(*tombstone.end);
  Seal(out);
  return out;
}

bool DecodeRangeTombstone(ByteView record, RangeTombstone& tombstone) {
  if (!Unseal(record)) return false;
  row_decode::Reader in(record);
  if (in.Byte() != kRecordVersion) return false;
  tombstone.deletion.timestamp = in.Fixed64();
  tombstone.deletion.local_seconds = static_cast<int64_t>(in.Varint());
  const uint8_t has_end = in.Byte();
  if (!in.ok || has_end > 1 || (has_end == 0 && in.more())) return false;
  tombstone.end.reset();
  if (has_end == 1) tombstone.end = Bytes(in.Take(static_cast<uint64_t>(in.end - in.at)));
  return true;
}

Bytes EncodeHeader(const DeletionTime& deletion) {
  Bytes out;
  out.push_back(static_cast<char>(kRecordVersion));
  AppendFixed64(out, deletion.timestamp);
  AppendSeconds(out, deletion.local_seconds);
  Seal(out);
  return out;
}

bool DecodeHeader(ByteView record, DeletionTime& deletion) {
  if (!Unseal(record)) return false;
  row_decode::Reader in(record);
  if (in.Byte() != kRecordVersion) return false;
  deletion.timestamp = in.Fixed64();
  deletion.local_seconds = static_cast<int64_t>(in.Varint());
  return in.ok && !in.more();
}

Bytes EncodeSpilledCell(const Cell& cell) {
  Bytes out;
  const uint8_t flags = TimeFlags(cell, row_decode::Base{}) | cell_flags::kOwnTimestamp;
  out.push_back(static_cast<char>(kRecordVersion));
  out.push_back(static_cast<char>(flags));
  AppendTimes(cell, flags, out);
  AppendSized(out, cell.path);
  AppendVarint(out, cell.value.size());
  out.append(cell.value, 0, kChunkBytes);
  Seal(out);
  return out;
}

bool DecodeSpilledCell(ByteView record, SpilledCell& spilled) {
  if (!Unseal(record)) return false;
  row_decode::Reader in(record);
  const uint8_t version = in.Byte();
  const uint8_t flags = in.Byte();
  constexpr uint8_t kPossible = cell_flags::kTombstone | cell_flags::kOwnTimestamp | cell_flags::kOwnTtl;
  if (version != kRecordVersion || (flags & ~kPossible) != 0) return false;
  row_decode::ReadTimes(in, flags, row_decode::Base{}, spilled.cell);
  spilled.cell.path = in.Take(in.Varint());
  spilled.value_bytes = in.Varint();
  spilled.cell.value = in.Take(std::min<uint64_t>(spilled.value_bytes, kChunkBytes));
  return in.ok && !in.more();
}

}  // namespace widerow
