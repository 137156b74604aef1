// planner/access/partition_key.h describes the parts of a stored key. NumberOfSome() finds the partition number. It
// computes the values of the partitioning columns, some of which may be generated from the key (KeyRow). Then
// NumberOfValues() applies the partitioning method to these values.
#include "planner/access/partition_key.h"

#include <algorithm>

#include "base/check.h"
#include "planner/evaluate/evaluate.h"
#include "planner/generated/generated_columns.h"
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

// Returns "5" or "(5, 'a')".
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

const GeneratedColumn* GeneratedOf(const TableSchema& table, uint32_t column) {
  if (table.generated == nullptr) return nullptr;
  for (const GeneratedColumn& generated : table.generated->columns) {
    if (generated.column == column) return &generated;
  }
  return nullptr;
}

void AppendPartitionNumber(uint32_t number, Bytes& key) { AppendBigEndian(key, number); }

namespace {

// Returns the number of the partition for these values, one per partitioning column; kNoPartitionNumber if no partition
// takes them.
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

// A row of which only the partition key is known. Expressions of generated columns are evaluated over it.
class KeyRow final : public RowValues {
 public:
  KeyRow(const TableSchema& table, const std::vector<ValueView>& components) : table_(table), components_(components) {}
  Result<ValueView> Column(uint32_t column) override {
    const ColumnSchema& schema = table_.columns[column];
    return schema.kind == ColumnKind::kPartitionKey ? components_[schema.position] : ValueView();
  }
  Result<Value> CellTime(CellTimeExpression::Kind, uint32_t, const CellPart&) override { return Value(); }
  int64_t Token() override { return 0; }

 private:
  const TableSchema& table_;
  const std::vector<ValueView>& components_;
};

// Returns the value of a partitioning column; null if a column that determines the value is not known.
Result<Value> PartitioningValue(const TableSchema& table, ColumnId id, const std::vector<ValueView>& components) {
  const ColumnSchema* const column = table.FindId(id);
  WR_CHECK(column != nullptr);
  if (column->kind == ColumnKind::kPartitionKey) {
    const ValueView& value = components[column->position];
    return value ? Value(Bytes(*value)) : Value();
  }
  const auto index = static_cast<uint32_t>(column - table.columns.data());
  const GeneratedColumn* const generated = GeneratedOf(table, index);
  if (generated == nullptr)
    return ServerError("Table " + table.keyspace + "." + table.name + " is partitioned by no key column");
  for (const uint32_t source : generated->sources) {
    if (!components[table.columns[source].position]) return Value();
  }
  KeyRow row(table, components);
  return Evaluate(generated->expression, {.row = &row});
}

}  // namespace

Result<std::optional<uint32_t>> NumberOfSome(const TableSchema& table, const std::vector<ValueView>& components) {
  std::vector<Bytes> values;
  for (const ColumnId id : table.partitioning.columns) {
    WR_ASSIGN_OR_RETURN(Value value, PartitioningValue(table, id, components));
    if (!value) return std::optional<uint32_t>();
    values.push_back(std::move(*value));
  }
  return std::optional(NumberOfValues(table, std::vector<ByteView>(values.begin(), values.end())));
}

Result<uint32_t> PartitionNumber(const TableSchema& table, std::span<const ByteView> components) {
  WR_ASSIGN_OR_RETURN(const auto number,
                      NumberOfSome(table, std::vector<ValueView>(components.begin(), components.end())));
  return number.value_or(kNoPartitionNumber);
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
  const size_t count = table.partition_key_size;
  components.resize(count);
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
    const Result<bool> present = TakeComparableInto(type, false, key, into);
    return present.ok() && *present;
  };
  for (size_t i = 0; i < count; ++i) {
    if (!take(*table.partition_key(i).type, components[i])) return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!KeepsBytes(*table.partition_key(i).type) && !take(BlobType(), components[i])) return false;
  }
  return key.empty();
}

Error DamagedKey(const TableSchema& table, ByteView key) {
  return ServerError("damaged partition key " + ToHex(key) + " in table " + table.keyspace + "." + table.name);
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
  const bool missing = partitioning.kind == PartitionKind::kList
                           ? key.size() >= kNumberBytes && ReadBigEndian<uint32_t>(key.data()) == kNoPartitionNumber
                           : partitioning.kind == PartitionKind::kRange && !partitioning.end_key.empty() &&
                                 key >= ByteView(partitioning.end_key);
  if (!missing) return OkStatus();
  std::vector<Bytes> components;
  if (!SplitStoredKey(table, key, components)) components.clear();
  const bool list = partitioning.kind == PartitionKind::kList;
  const std::string name = table.keyspace + "." + table.name;
  return InvalidError(
      "Table has no partition for value " + ValuesText(table, components),
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
