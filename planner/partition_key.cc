#include "planner/partition_key.h"

#include <algorithm>

#include "types/order_codec.h"
#include "types/position.h"
#include "types/text_form.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr size_t kNumberBytes = sizeof(uint32_t);

const Type& BlobType() {
  static const TypePtr blob = ScalarType(TypeKind::kBlob);
  return *blob;
}

bool HasNumber(const TableSchema& table) { return table.partitioning.kind != PartitionKind::kRange; }

int64_t FloorMod(int64_t value, int64_t n) {
  const int64_t rest = value % n;
  return rest < 0 ? rest + n : rest;
}

// "5", "(5, 'a')".
std::string ValuesText(const TableSchema& table, const std::vector<Bytes>& components) {
  std::string out;
  for (size_t i = 0; i < components.size(); ++i) {
    out += (i == 0 ? "" : ", ") + FormatLiteral(*table.partition_key(i).type, components[i]);
  }
  return components.size() == 1 ? out : "(" + out + ")";
}

}  // namespace

const char* PartitionKindName(PartitionKind kind) {
  switch (kind) {
    case PartitionKind::kToken: return "TOKEN";
    case PartitionKind::kKey: return "KEY";
    case PartitionKind::kHash: return "HASH";
    case PartitionKind::kList: return "LIST";
    case PartitionKind::kRange: return "RANGE";
  }
  return "";
}

void AppendPartitionNumber(uint32_t number, Bytes& key) { AppendBigEndian(key, number); }

uint32_t NumberOfValues(const TableSchema& table, std::span<const ByteView> values) {
  const auto count = static_cast<int64_t>(table.partition_map.size());
  switch (table.partitioning.kind) {
    case PartitionKind::kKey: {
      Bytes serialized;
      SerializePartitionKey(values, serialized);
      return static_cast<uint32_t>(FloorMod(Murmur3Token(serialized), count));
    }
    case PartitionKind::kHash:
      return values[0].empty() ? 0 : static_cast<uint32_t>(FloorMod(DecodeInteger(values[0]), count));
    case PartitionKind::kList:
      for (const PartitionRange& partition : table.partition_map) {
        if (std::find(partition.values.begin(), partition.values.end(), values[0]) != partition.values.end()) {
          return partition.number;
        }
      }
      return kNoPartitionNumber;
    case PartitionKind::kToken:
    case PartitionKind::kRange: break;
  }
  return kNoPartitionNumber;
}

Result<uint32_t> PartitionNumber(const TableSchema& table, std::span<const ByteView> components) {
  std::vector<ByteView> values;
  for (const ColumnId id : table.partitioning.columns) {
    const ColumnSchema* const column = table.FindId(id);
    if (column == nullptr || column->kind != ColumnKind::kPartitionKey) {
      return ServerError("Table " + table.keyspace + "." + table.name + " is partitioned by a column that is not in its key");
    }
    values.push_back(components[column->position]);
  }
  return NumberOfValues(table, values);
}

Status AppendStoredKey(const TableSchema& table, std::span<const ByteView> components, Bytes& key) {
  if (table.partitioning.by_token()) {
    SerializePartitionKey(components, key);
    return OkStatus();
  }
  if (HasNumber(table)) {
    WR_ASSIGN_OR_RETURN(const uint32_t number, PartitionNumber(table, components));
    AppendPartitionNumber(number, key);
  }
  for (size_t i = 0; i < components.size(); ++i) {
    AppendComparable(*table.partition_key(i).type, false, components[i], key);
  }
  for (size_t i = 0; i < components.size(); ++i) {
    if (!KeepsBytes(*table.partition_key(i).type)) AppendComparable(BlobType(), false, components[i], key);
  }
  return OkStatus();
}

bool SplitStoredKey(const TableSchema& table, ByteView key, std::vector<Bytes>& components) {
  components.clear();
  const size_t count = table.partition_key_size;
  if (table.partitioning.by_token()) {
    std::vector<ByteView> views;
    if (!SplitPartitionKey(key, count, views)) return false;
    components.assign(views.begin(), views.end());
    return true;
  }
  if (HasNumber(table)) {
    if (key.size() < kNumberBytes) return false;
    key.remove_prefix(kNumberBytes);
  }
  const auto take = [&](const Type& type, Bytes& into) {
    Result<Value> value = TakeComparable(type, false, key);
    if (!value.ok() || !value->has_value()) return false;
    into = std::move(**value);
    return true;
  };
  components.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (!take(*table.partition_key(i).type, components[i])) return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!KeepsBytes(*table.partition_key(i).type) && !take(BlobType(), components[i])) return false;
  }
  return key.empty();
}

Bytes SerializedKey(const TableSchema& table, ByteView key) {
  if (table.partitioning.by_token()) return Bytes(key);
  std::vector<Bytes> components;
  if (!SplitStoredKey(table, key, components)) return {};
  return SerializePartitionKey(std::vector<ByteView>(components.begin(), components.end()));
}

int64_t TokenOfStoredKey(const TableSchema& table, ByteView key) {
  return table.partitioning.by_token() ? Murmur3Token(key) : Murmur3Token(SerializedKey(table, key));
}

Status CheckHasPartition(const TableSchema& table, ByteView key) {
  const Partitioning& partitioning = table.partitioning;
  const bool missing =
      partitioning.kind == PartitionKind::kList
          ? key.size() >= kNumberBytes && ReadBigEndian<uint32_t>(key.data()) == kNoPartitionNumber
          : partitioning.kind == PartitionKind::kRange && !partitioning.end_key.empty() && key >= ByteView(partitioning.end_key);
  if (!missing) return OkStatus();
  std::vector<Bytes> components;
  if (!SplitStoredKey(table, key, components)) components.clear();
  const bool list = partitioning.kind == PartitionKind::kList;
  const std::string name = table.keyspace + "." + table.name;
  return InvalidError("Table has no partition for value " + ValuesText(table, components),
                      "ALTER TABLE " + name +
                          (list ? " ADD PARTITION p VALUES IN (…) adds one" : " ADD PARTITION p VALUES LESS THAN MAXVALUE adds one"));
}

std::vector<Bytes> BoundValuesOf(const TableSchema& table, ByteView bound_key) {
  std::vector<Bytes> values;
  for (size_t i = 0; i < table.partition_key_size && !bound_key.empty(); ++i) {
    Result<Value> value = TakeComparable(*table.partition_key(i).type, false, bound_key);
    if (!value.ok() || !value->has_value()) break;
    values.push_back(std::move(**value));
  }
  return values;
}

std::string BoundText(const TableSchema& table, ByteView first_position) {
  const std::vector<Bytes> values = BoundValuesOf(table, KeyOfPosition(first_position));
  std::string out;
  for (size_t i = 0; i < values.size(); ++i) {
    out += (i == 0 ? "" : ", ") + FormatLiteral(*table.partition_key(i).type, values[i]);
  }
  return out;
}

}  // namespace widerow
