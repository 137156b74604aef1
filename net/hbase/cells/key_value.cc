#include "net/hbase/cells/key_value.h"

#include <cstring>

#include "net/hbase/cells/java_error.h"

namespace widerow::hbase {

namespace {

constexpr size_t kLengths = 8;            // The lengths of key and value.
constexpr size_t kFixed = 2 + 1 + 8 + 1;  // Row length, family length, timestamp and type.

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
  AppendKeyValue(out, row, cell.family, cell.qualifier, cell.timestamp, cell.type, cell.value);
}

void AppendKeyValue(Bytes& out, ByteView row, ByteView family, ByteView qualifier, int64_t timestamp, CellType type,
                    ByteView value) {
  const size_t key = kFixed + row.size() + family.size() + qualifier.size();
  const size_t begin = out.size();
  out.resize(begin + 4 + kLengths + key + value.size());
  char* to = out.data() + begin;
  const auto put_number = [&](auto number) {
    number = ToBigEndian(number);
    std::memcpy(to, &number, sizeof number);
    to += sizeof number;
  };
  const auto put = [&](ByteView bytes) {
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    to += bytes.size();
  };
  put_number(static_cast<uint32_t>(kLengths + key + value.size()));
  put_number(static_cast<uint32_t>(key));
  put_number(static_cast<uint32_t>(value.size()));
  put_number(static_cast<uint16_t>(row.size()));
  put(row);
  put_number(static_cast<uint8_t>(family.size()));
  put(family);
  put(qualifier);
  put_number(timestamp);
  put_number(static_cast<uint8_t>(type));
  put(value);
}

Result<ByteView> CutKeyValues(ByteView& in, size_t count) {
  const ByteView before = in;
  for (size_t i = 0; i < count; ++i) {
    const size_t size = in.size() < 4 ? 0 : ReadBigEndian<uint32_t>(in.data());
    if (in.size() < 4 || size > in.size() - 4) {
      in = {};
      return BadCell();
    }
    in.remove_prefix(4 + size);
  }
  return before.substr(0, before.size() - in.size());
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
  // Tags may follow the value, so `body` may be longer than key and value.
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
