#include "net/hbase/cells/key_value.h"

#include "net/hbase/cells/java_error.h"

namespace widerow::hbase {

namespace {

constexpr size_t kLengths = 8;            // The lengths of key and value.
constexpr size_t kFixed = 2 + 1 + 8 + 1;  // The parts of a key that every key has.

Error BadCell() { return MakeJavaError(kDoNotRetry, "The cell block of the request is malformed"); }

bool IsKnown(uint8_t type) {
  switch (static_cast<CellType>(type)) {
    case CellType::kPut:
    case CellType::kDelete:
    case CellType::kDeleteFamilyVersion:
    case CellType::kDeleteColumn:
    case CellType::kDeleteFamily: return true;
  }
  return false;
}

}  // namespace

void AppendKeyValue(Bytes& out, ByteView row, const Cell& cell) {
  const size_t key = kFixed + row.size() + cell.family.size() + cell.qualifier.size();
  AppendBigEndian(out, static_cast<uint32_t>(kLengths + key + cell.value.size()));
  AppendBigEndian(out, static_cast<uint32_t>(key));
  AppendBigEndian(out, static_cast<uint32_t>(cell.value.size()));
  AppendBigEndian(out, static_cast<uint16_t>(row.size()));
  out += row;
  AppendBigEndian(out, static_cast<uint8_t>(cell.family.size()));
  out += cell.family;
  out += cell.qualifier;
  AppendBigEndian(out, cell.timestamp);
  AppendBigEndian(out, static_cast<uint8_t>(cell.type));
  out += cell.value;
}

Status TakeKeyValue(ByteView& in, Bytes& row, Cell& cell) {
  if (in.size() < 4) return BadCell();
  const size_t size = ReadBigEndian<uint32_t>(in.data());
  if (size < kLengths + kFixed || size > in.size() - 4) return BadCell();
  ByteView body = in.substr(4, size);
  in.remove_prefix(4 + size);
  const size_t key_size = ReadBigEndian<uint32_t>(body.data());
  const size_t value_size = ReadBigEndian<uint32_t>(body.data() + 4);
  body.remove_prefix(kLengths);
  // Tags may follow the value.
  if (key_size < kFixed || key_size > body.size() || value_size > body.size() - key_size) return BadCell();
  const ByteView key = body.substr(0, key_size);
  const size_t row_size = ReadBigEndian<uint16_t>(key.data());
  if (row_size > key_size - kFixed) return BadCell();
  const size_t family_size = static_cast<uint8_t>(key[2 + row_size]);
  if (family_size > key_size - kFixed - row_size) return BadCell();
  const size_t family_at = 3 + row_size, qualifier_at = family_at + family_size;
  const size_t timestamp_at = key_size - 9;
  const auto type = static_cast<uint8_t>(key[key_size - 1]);
  if (!IsKnown(type)) return BadCell();
  row.assign(key.substr(2, row_size));
  cell.family.assign(key.substr(family_at, family_size));
  cell.qualifier.assign(key.substr(qualifier_at, timestamp_at - qualifier_at));
  cell.timestamp = ReadBigEndian<int64_t>(key.data() + timestamp_at);
  cell.type = static_cast<CellType>(type);
  cell.value.assign(body.substr(key_size, value_size));
  return OkStatus();
}

}  // namespace widerow::hbase
