// Tests the stored keys of tables with PARTITION BY: they can be decoded, and their bytes have the order of the keys.
#include "planner/access/partition_key.h"

#include <gtest/gtest.h>

#include "planner/access/key_ranges.h"
#include "planner/ddl/partition/partition_by.h"
#include "tests/unit/types/random_value.h"
#include "types/compare.h"
#include "types/order_codec.h"
#include "types/position.h"
#include "types/token.h"

namespace widerow {
namespace {

TableSchema MakeTable(PartitionKind kind, const std::vector<TypeKind>& types, uint32_t partitions) {
  TableSchema table{.keyspace = "ks", .name = "t"};
  for (uint32_t i = 0; i < types.size(); ++i) {
    table.columns.push_back({.name = "k" + std::to_string(i),
                             .id = i,
                             .kind = ColumnKind::kPartitionKey,
                             .position = i,
                             .type = ScalarType(types[i])});
  }
  table.partition_key_size = static_cast<uint32_t>(types.size());
  table.next_column_id = table.partition_key_size;
  table.partitioning.kind = kind;
  table.partitioning.columns = {0};
  for (uint32_t i = 0; i < partitions; ++i) {
    PartitionRange& range = table.partition_map.emplace_back(PartitionRange{.id = i, .number = i});
    Bytes number;
    AppendPartitionNumber(i, number);
    if (i > 0) range.first_position = PositionOfKey(number);
  }
  return table;
}

std::vector<ByteView> Views(const std::vector<Bytes>& values) { return {values.begin(), values.end()}; }

Bytes StoredKey(const TableSchema& table, const std::vector<Bytes>& values) {
  Bytes key;
  EXPECT_TRUE(AppendStoredKey(table, Views(values), key).ok());
  return key;
}

int CompareKeys(const TableSchema& table, const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (const int order = Compare(*table.partition_key(i).type, a[i], b[i]); order != 0) return order;
  }
  return 0;
}

const std::vector<std::vector<TypeKind>> kKeys = {{TypeKind::kText},
                                                  {TypeKind::kBigint},
                                                  {TypeKind::kDecimal},
                                                  {TypeKind::kBlob, TypeKind::kVarint},
                                                  {TypeKind::kVarint, TypeKind::kTimestamp, TypeKind::kDecimal},
                                                  {TypeKind::kInet, TypeKind::kUuid, TypeKind::kDouble}};

TEST(PartitionKey, ComesOutAsItWentIn) {
  testing::ValueMaker make(1);
  for (const PartitionKind kind : {PartitionKind::kToken, PartitionKind::kKey, PartitionKind::kRange}) {
    for (const auto& types : kKeys) {
      const TableSchema table = MakeTable(kind, types, 5);
      for (int n = 0; n < 200; ++n) {
        std::vector<Bytes> values, decoded;
        for (const TypeKind type : types) values.push_back(make.Make(*ScalarType(type)));
        const Bytes key = StoredKey(table, values);
        ASSERT_TRUE(SplitStoredKey(table, key, decoded)) << ToHex(key);
        EXPECT_EQ(decoded, values) << ToHex(key);
        EXPECT_EQ(SerializedKey(table, key), SerializePartitionKey(Views(values)));
        EXPECT_EQ(TokenOfStoredKey(table, key), Murmur3Token(SerializePartitionKey(Views(values))));
      }
    }
  }
}

TEST(PartitionKey, OrdersAsTheKey) {
  testing::ValueMaker make(2);
  for (const auto& types : kKeys) {
    const TableSchema table = MakeTable(PartitionKind::kRange, types, 1);
    std::vector<Bytes> last, last_key;
    for (int n = 0; n < 2'000; ++n) {
      std::vector<Bytes> a, b;
      for (const TypeKind type : types) {
        a.push_back(make.Make(*ScalarType(type)));
        b.push_back(make.OneIn(2) ? a.back() : make.Make(*ScalarType(type)));
      }
      const int order = CompareKeys(table, a, b);
      const Bytes left = StoredKey(table, a), right = StoredKey(table, b);
      if (order != 0) {
        EXPECT_EQ(order < 0, left < right);
        EXPECT_EQ(order < 0, PositionOfKey(left) < PositionOfKey(right));
      }
      EXPECT_EQ(a == b, left == right);
      // The bound of a key is a prefix of the stored key. All stored keys with this prefix come after the bound.
      const Bytes bound = BoundOfKey(table, left);
      EXPECT_TRUE(left.starts_with(bound));
      EXPECT_LE(PositionOfKey(bound), PositionOfKey(left));
      EXPECT_EQ(KeyOfPosition(PositionOfKey(left)), left);
    }
  }
}

TEST(PartitionKey, GarbageIsNoKey) {
  testing::ValueMaker make(3);
  for (const PartitionKind kind : {PartitionKind::kKey, PartitionKind::kRange}) {
    const TableSchema table = MakeTable(kind, {TypeKind::kText, TypeKind::kDecimal}, 3);
    std::vector<Bytes> decoded;
    for (int n = 0; n < 5'000; ++n) {
      const Bytes garbage = make.Garbage();
      if (SplitStoredKey(table, garbage, decoded)) { EXPECT_EQ(decoded.size(), 2u); }
      BoundOfKey(table, garbage);
    }
  }
}

// A key between two bounds must be in one of the ranges of RangesOf, and in one of the partitions of PartitionsOf.
TEST(KeyRanges, HoldWhatLiesBetweenTheBounds) {
  testing::ValueMaker make(4);
  for (const PartitionKind kind : {PartitionKind::kKey, PartitionKind::kHash, PartitionKind::kRange}) {
    TableSchema table = MakeTable(kind, {TypeKind::kInt, TypeKind::kText}, kind == PartitionKind::kRange ? 1 : 7);
    for (int n = 0; n < 3'000; ++n) {
      std::vector<Bytes> key = {make.Make(*ScalarType(TypeKind::kInt)), make.Make(*ScalarType(TypeKind::kText))};
      KeyBounds bounds;
      const bool on_second = make.OneIn(2);
      if (on_second) bounds.prefix.push_back(make.OneIn(4) ? make.Make(*ScalarType(TypeKind::kInt)) : key[0]);
      const size_t column = bounds.prefix.size();
      const Type& type = *table.partition_key(column).type;
      const auto bound = [&] { return KeyBounds::Bound{make.OneIn(3) ? key[column] : make.Make(type), make.OneIn(2)}; };
      if (make.OneIn(2)) bounds.lower = bound();
      if (make.OneIn(2)) bounds.upper = bound();
      bool inside = !on_second || bounds.prefix[0] == key[0];
      if (bounds.lower) {
        const int order = Compare(type, key[column], bounds.lower->value);
        inside = inside && (order > 0 || (order == 0 && bounds.lower->inclusive));
      }
      if (bounds.upper) {
        const int order = Compare(type, key[column], bounds.upper->value);
        inside = inside && (order < 0 || (order == 0 && bounds.upper->inclusive));
      }
      const Bytes stored = StoredKey(table, key);
      for (const bool merged : {false, true}) {
        size_t holding = 0;
        Bytes before;
        for (const StoredKeyRange& range : RangesOf(table, bounds, merged)) {
          EXPECT_TRUE(before.empty() || range.first >= before) << "ranges ascend and do not overlap";
          before = range.end.value_or(Bytes());
          if (stored >= range.first && (!range.end || stored < *range.end)) ++holding;
        }
        EXPECT_EQ(holding, inside ? 1u : 0u);
      }
      const std::vector<size_t> partitions = PartitionsOf(table, bounds);
      const size_t own = PartitionIndexAt(table, PositionOfKey(stored));
      if (inside) { EXPECT_NE(std::find(partitions.begin(), partitions.end(), own), partitions.end()); }
    }
  }
}

}  // namespace
}  // namespace widerow
