// The code of the template DecodeRowInto. Only row_codec.h includes this file. Reads use the template to fill RowViews,
// and writes use it to fill fragments. It is a template so that no cell needs a function call.
#pragma once

namespace widerow::row_decode {

// Reads fields from the front of a record. If a field is missing, `ok` becomes false, and this field and all later ones
// read as zero.
struct Reader {
  const char* at;
  const char* end;
  bool ok = true;

  explicit Reader(ByteView in) : at(in.data()), end(in.data() + in.size()) {}
  bool more() const { return ok && at != end; }
  uint8_t Byte() {
    if (at == end) return Fail();
    return static_cast<uint8_t>(*at++);
  }
  uint64_t Varint() {
    if (at != end && static_cast<uint8_t>(*at) < 0x80) [[likely]]
      return static_cast<uint8_t>(*at++);
    ByteView rest(at, static_cast<size_t>(end - at));
    uint64_t value = 0;
    if (!TakeVarint(rest, value)) return Fail();
    at = rest.data();
    return value;
  }
  int64_t Fixed64() {
    if (end - at < 8) return Fail();
    const auto value = static_cast<int64_t>(ReadBigEndian<uint64_t>(at));
    at += 8;
    return value;
  }
  ByteView Take(uint64_t size) {
    if (static_cast<uint64_t>(end - at) < size) {
      Fail();
      return {};
    }
    const ByteView out(at, static_cast<size_t>(size));
    at += size;
    return out;
  }
  uint8_t Fail() {
    ok = false;
    at = end;
    return 0;
  }
};

struct Base {
  int64_t timestamp = 0;
  int32_t ttl = 0;
  int64_t expires_at = 0;
};

// Reads the times that follow the flags of a cell or element.
inline void ReadTimes(Reader& in, uint8_t flags, const Base& base, CellView& cell) {
  cell.timestamp = (flags & cell_flags::kOwnTimestamp) != 0 ? in.Fixed64() : base.timestamp;
  cell.tombstone = (flags & cell_flags::kTombstone) != 0;
  cell.ttl = 0;
  cell.expires_at = 0;
  if (cell.tombstone) {
    cell.expires_at = static_cast<int64_t>(in.Varint());
  } else if ((flags & cell_flags::kOwnTtl) != 0) {
    cell.ttl = static_cast<int32_t>(in.Varint());
    cell.expires_at = static_cast<int64_t>(in.Varint());
  } else if ((flags & cell_flags::kSharedTtl) != 0) {
    cell.ttl = base.ttl;
    cell.expires_at = base.expires_at;
  }
}

template <typename Sink>
bool ReadMultiCellColumn(Reader& in, uint8_t flags, const Base& base, CellView& cell, Sink& sink) {
  if ((flags & cell_flags::kColumnDeletion) != 0) {
    DeletionTime deletion;
    deletion.timestamp = in.Fixed64();
    deletion.local_seconds = static_cast<int64_t>(in.Varint());
    sink.Columns(cell.column, deletion);
  }
  if ((flags & cell_flags::kSpilled) != 0) return in.ok && sink.Spilled({cell.column, true, 0}, cell);
  for (uint64_t count = in.Varint(); count > 0 && in.ok; --count) {
    const uint8_t element = in.Byte();
    cell.path = in.Take(in.Varint());
    ReadTimes(in, element, base, cell);
    cell.value = cell.tombstone ? ByteView() : in.Take(in.Varint());
    if (in.ok) sink.Cell(cell);
  }
  cell.path = {};
  return in.ok;
}

template <typename Sink>
bool ReadColumn(Reader& in, const Base& base, CellView& cell, Sink& sink) {
  cell.column = static_cast<ColumnId>(in.Varint());
  const uint8_t flags = in.Byte();
  static_assert(cell_flags::kKnown == 0xFF, "every flag has a meaning");
  cell.large = (flags & cell_flags::kLarge) != 0;
  if ((flags & cell_flags::kMultiCell) != 0) return !cell.large && ReadMultiCellColumn(in, flags, base, cell, sink);
  ReadTimes(in, flags, base, cell);
  if ((flags & cell_flags::kSpilled) != 0) {
    if (cell.large) return false;
    const uint64_t size = in.Varint();
    cell.value = {};
    return in.ok && sink.Spilled({cell.column, false, size}, cell);
  }
  cell.value = cell.tombstone ? ByteView() : in.Take(in.Varint());
  if (in.ok) sink.Cell(cell);
  return in.ok;
}

template <typename Sink>
bool ReadHead(Reader& in, uint8_t flags, Base& base, Sink& sink) {
  base.timestamp = in.Fixed64();
  if ((flags & row_flags::kBaseTtl) != 0) {
    base.ttl = static_cast<int32_t>(in.Varint());
    base.expires_at = static_cast<int64_t>(in.Varint());
  }
  if ((flags & row_flags::kMarker) != 0) sink.Marker(Liveness{base.timestamp, base.ttl, base.expires_at});
  if ((flags & row_flags::kDeletion) != 0) {
    DeletionTime deletion;
    deletion.timestamp = in.Fixed64();
    deletion.local_seconds = static_cast<int64_t>(in.Varint());
    sink.Deletion(deletion);
  }
  if ((flags & row_flags::kKeptClustering) != 0) {
    for (uint64_t count = in.Varint(); count > 0 && in.ok; --count) {
      const auto position = static_cast<uint32_t>(in.Varint());
      sink.Kept(position, in.Take(in.Varint()));
    }
  }
  return in.ok;
}

}  // namespace widerow::row_decode

namespace widerow {

template <typename Sink>
bool DecodeRowInto(ByteView record, Sink& sink) {
  if (!Unseal(record)) return false;
  row_decode::Reader in(record);
  const uint8_t version = in.Byte();
  const uint8_t flags = in.Byte();
  if (version != kRecordVersion || (flags & ~row_flags::kKnown) != 0) return false;
  row_decode::Base base;
  if (!row_decode::ReadHead(in, flags, base, sink)) return false;
  if ((flags & row_flags::kUniform) == 0) {
    CellView cell;
    while (in.more()) {
      if (!row_decode::ReadColumn(in, base, cell, sink)) return false;
    }
    return in.ok;
  }
  if (!in.more()) return in.ok;
  return sink.Uniform(Liveness{base.timestamp, base.ttl, base.expires_at},
                      UniformCells(ByteView(in.at, static_cast<size_t>(in.end - in.at))));
}

}  // namespace widerow
