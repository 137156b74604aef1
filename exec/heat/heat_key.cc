#include "exec/heat/heat_key.h"

#include "planner/access/partition_key.h"
#include "types/order_codec.h"
#include "types/text_form.h"

namespace widerow {
namespace {

constexpr size_t kTextBytesMax = 120;

// Appends the value as text, with control characters replaced: they would break the lines of a map.
void AppendValue(const Type& type, ByteView value, std::string& out) {
  std::string text = FormatText(type, value);
  for (char& c : text) {
    if (static_cast<uint8_t>(c) < 0x20) c = ' ';
  }
  if (text.size() > kTextBytesMax) {
    size_t end = kTextBytesMax;
    while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
    text.replace(end, std::string::npos, "…");
  }
  out += (out.empty() ? "" : ", ") + text;
}

}  // namespace

void AppendOrderedPartition(const TableSchema& table, ByteView partition_key, Bytes& out) {
  const size_t begin = out.size();
  if (table.partitioning.by_token() && table.partition_key_size == 1) {
    return AppendComparable(*table.partition_key(0).type, false, partition_key, out);
  }
  std::vector<Bytes> components;
  if (!SplitStoredKey(table, partition_key, components)) {
    out += partition_key;
    return;
  }
  for (size_t i = 0; i < components.size() && out.size() - begin < kHeatKeyBytesMax; ++i) {
    AppendComparable(*table.partition_key(i).type, false, ByteView(components[i]), out);
  }
}

Bytes OrderedKey(const TableSchema& table, ByteView partition_key, ByteView clustering) {
  Bytes key;
  AppendOrderedPartition(table, partition_key, key);
  key += clustering;
  if (key.size() > kHeatKeyBytesMax) key.resize(kHeatKeyBytesMax);
  return key;
}

uint8_t TokenBucketOf(const TableSchema& table, ByteView partition_key) {
  // Tokens are signed. With the sign bit flipped they are in order as unsigned numbers.
  const auto token = static_cast<uint64_t>(TokenOfStoredKey(table, partition_key));
  return static_cast<uint8_t>((token ^ (uint64_t{1} << 63)) >> 56);
}

std::string OrderedKeyText(const TableSchema& table, ByteView ordered_key) {
  if (ordered_key.empty()) return "";
  std::string text;
  ByteView rest = ordered_key;
  const uint32_t columns = table.partition_key_size + table.clustering_size;
  for (uint32_t i = 0; i < columns && !rest.empty(); ++i) {
    const ColumnSchema& column = table.columns[i];
    const Result<Value> value = TakeComparable(*column.type, column.descending, rest);
    if (!value.ok()) return text + "…";
    AppendValue(*column.type, *value ? ByteView(**value) : ByteView(), text);
  }
  return text;
}

std::string PartitionKeyText(const TableSchema& table, ByteView partition_key) {
  std::vector<Bytes> components;
  if (!SplitStoredKey(table, partition_key, components)) return "0x" + ToHex(partition_key);
  std::string text;
  for (size_t i = 0; i < components.size(); ++i) AppendValue(*table.partition_key(i).type, components[i], text);
  return text;
}

}  // namespace widerow
