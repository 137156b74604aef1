#include "exec/rows/row_text.h"

#include <vector>

#include "planner/access/partition_key.h"
#include "types/order_codec.h"
#include "types/text_form.h"

namespace widerow {
namespace {

constexpr size_t kLiteralBytesMax = 200;

// Cuts a long text, but never within a character.
std::string Cut(std::string text) {
  if (text.size() <= kLiteralBytesMax) return text;
  size_t end = kLiteralBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text + "…";
}

}  // namespace

std::string ColumnText(const ColumnSchema& column, std::string literal, bool part) {
  std::string name = QuoteIdentifier(column.name), value = Cut(std::move(literal));
  return part ? value + " in " + name : name + " = " + value;
}

std::string KeyConditionText(const TableSchema& table, ByteView partition_key, ByteView clustering) {
  std::vector<Bytes> values;
  if (!SplitStoredKey(table, partition_key, values)) return "0x" + ToHex(partition_key);
  for (uint32_t i = 0; i < table.clustering_size && !clustering.empty(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    const Result<Value> value = TakeComparable(*column.type, column.descending, clustering);
    if (!value.ok()) break;
    values.push_back(value->value_or(Bytes()));
  }
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    text += (text.empty() ? "" : " AND ") + ColumnText(column, FormatLiteral(*column.type, values[i]), false);
  }
  return text;
}

}  // namespace widerow
