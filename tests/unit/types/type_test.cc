#include "types/type.h"

#include <gtest/gtest.h>

#include "tests/unit/types/type_from_text.h"
#include "types/compare.h"
#include "types/schema.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using testing::TestUdt;
using testing::TypeFromText;

TEST(Type, TextIsCassandras) {
  const TypePtr integer = ScalarType(TypeKind::kInt);
  EXPECT_EQ(TypeText(*MapType(ScalarType(TypeKind::kText), ListType(integer, true))), "map<text, frozen<list<int>>>");
  EXPECT_EQ(TypeText(*TupleType({integer, ScalarType(TypeKind::kText)})), "frozen<tuple<int, text>>");
  EXPECT_EQ(TypeText(*VectorType(ScalarType(TypeKind::kFloat), 2)), "vector<float, 2>");
  EXPECT_EQ(TypeText(*TestUdt(false)), "t");
  EXPECT_EQ(TypeText(*TestUdt(true)), "frozen<t>");
  Type capital = *TestUdt(true);
  capital.name = "Address";
  EXPECT_EQ(TypeText(capital), "frozen<\"Address\">");
  Type bounded = *ScalarType(TypeKind::kBlob);
  bounded.bytes_max = 10;
  EXPECT_EQ(TypeText(bounded), "blob");  // Drivers know this type only as blob.
  for (int kind = 1; kind <= 20; ++kind) {
    const TypePtr& type = ScalarType(static_cast<TypeKind>(kind));
    EXPECT_EQ(ScalarKindFromName(TypeText(*type)), type->kind);
  }
}

TEST(Type, Names) {
  EXPECT_EQ(ScalarKindFromName("VarChar"), TypeKind::kText);
  EXPECT_EQ(ScalarKindFromName("list"), std::nullopt);
  EXPECT_EQ(ScalarKindFromName(""), std::nullopt);
  EXPECT_EQ(QuoteIdentifier("abc_1"), "abc_1");
  EXPECT_EQ(QuoteIdentifier("Abc"), "\"Abc\"");
  EXPECT_EQ(QuoteIdentifier("1a"), "\"1a\"");
  EXPECT_EQ(QuoteIdentifier(""), "\"\"");
  EXPECT_EQ(QuoteIdentifier("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuoteIdentifier("select"), "\"select\"");
  EXPECT_EQ(QuoteIdentifier("key"), "key");
  for (const char* const reserved : {"add", "desc", "infinity", "order", "with", "token"}) {
    EXPECT_EQ(QuoteIdentifier(reserved)[0], '"') << reserved;
  }
}

TEST(Type, Sameness) {
  const TypePtr integer = ScalarType(TypeKind::kInt), text = ScalarType(TypeKind::kText);
  EXPECT_TRUE(SameType(*ListType(integer), *ListType(integer)));
  EXPECT_FALSE(SameType(*ListType(integer), *ListType(integer, true)));
  EXPECT_FALSE(SameType(*ListType(ListType(integer, true)), *ListType(ListType(integer))));
  EXPECT_FALSE(SameType(*ListType(integer), *SetType(integer)));
  EXPECT_FALSE(SameType(*ListType(integer), *ListType(text)));
  EXPECT_FALSE(SameType(*VectorType(integer, 2), *VectorType(integer, 3)));
  EXPECT_FALSE(SameType(*TupleType({integer}), *TupleType({integer, integer})));
  EXPECT_TRUE(SameType(*TestUdt(true), *TestUdt(true)));
  Type renamed = *TestUdt(true);
  renamed.field_names[0] = "x";
  EXPECT_FALSE(SameType(*TestUdt(true), renamed));
  Type bounded = *ScalarType(TypeKind::kBlob);
  bounded.bytes_max = 10;
  EXPECT_TRUE(SameType(bounded, *ScalarType(TypeKind::kBlob)));
  EXPECT_TRUE(WithFrozen(ListType(integer), true)->frozen);
  EXPECT_EQ(WithFrozen(integer, true), integer);
  EXPECT_TRUE(ListType(integer)->is_multi_cell());
  EXPECT_FALSE(ListType(integer, true)->is_multi_cell());
  EXPECT_FALSE(TupleType({integer})->is_multi_cell());
}

TEST(ValueBytes, Integers) {
  for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{127}, int64_t{-128}}) {
    for (const TypeKind kind : {TypeKind::kTinyint, TypeKind::kSmallint, TypeKind::kInt, TypeKind::kBigint}) {
      EXPECT_EQ(EncodeInteger(kind, value).size(), FixedSize(kind));
      EXPECT_EQ(DecodeInteger(EncodeInteger(kind, value)), value);
    }
  }
  EXPECT_EQ(ToHex(EncodeInteger(TypeKind::kDate, int64_t{1} << 31)), "80000000");
  EXPECT_EQ(DecodeDouble(EncodeDouble(-0.5)), -0.5);
  EXPECT_EQ(DecodeFloat(EncodeFloat(1.5F)), 1.5F);
}

TEST(ValueBytes, CollectionsComeApartAndTogether) {
  const TypePtr text = ScalarType(TypeKind::kText);
  const std::vector<ValueView> elements = {ByteView("a"), ByteView(""), ByteView("bc")};
  for (const TypePtr& type : {ListType(text), VectorType(text, 3)}) {
    const Bytes joined = JoinCollection(*type, elements);
    const auto split = SplitCollection(*type, joined);
    ASSERT_TRUE(split.ok());
    EXPECT_EQ(*split, elements);
    for (size_t size = 0; size < joined.size(); ++size) {
      EXPECT_FALSE(SplitCollection(*type, joined.substr(0, size)).ok()) << TypeText(*type) << " " << size;
    }
    EXPECT_FALSE(SplitCollection(*type, joined + "x").ok());
  }
  const TypePtr tuple = TupleType({text, text, text});
  const std::vector<ValueView> fields = {ByteView("a"), std::nullopt};
  const Bytes joined_fields = JoinTuple(fields);
  const auto split = SplitTuple(*tuple, joined_fields);
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(*split, (std::vector<ValueView>{ByteView("a"), std::nullopt, std::nullopt}));
}

// A value can claim to have very many elements, although it has few bytes. It is refused before memory is allocated for
// the elements.
TEST(ValueBytes, HugeCountsAreRefused) {
  const TypePtr text = ScalarType(TypeKind::kText);
  const Bytes huge("\x7F\xFF\xFF\xFF\x00\x00\x00\x01", 8);
  EXPECT_FALSE(SplitCollection(*ListType(text), huge).ok());
  EXPECT_FALSE(SplitCollection(*MapType(text, text), huge).ok());
  EXPECT_FALSE(SplitCollection(*VectorType(text, 4'000'000'000), huge).ok());
  const TypePtr wide = VectorType(ScalarType(TypeKind::kUuid), 4'000'000'000);
  EXPECT_FALSE(SplitCollection(*VectorType(wide, 4'000'000'000), huge).ok());
  EXPECT_FALSE(SplitCollection(*ListType(text), Bytes("\xFF\xFF\xFF\xFF", 4)).ok());
}

TEST(ValueBytes, SortingDropsRepeats) {
  const TypePtr integer = ScalarType(TypeKind::kInt), text = ScalarType(TypeKind::kText);
  const Bytes one = EncodeInteger(TypeKind::kInt, 1), minus = EncodeInteger(TypeKind::kInt, -1);
  std::vector<ValueView> set = {one, minus, one};
  SortCollection(*SetType(integer), set);
  EXPECT_EQ(set, (std::vector<ValueView>{minus, one}));
  std::vector<ValueView> map = {one, ByteView("a"), minus, ByteView("b"), one, ByteView("c")};
  SortCollection(*MapType(integer, text), map);
  EXPECT_EQ(map, (std::vector<ValueView>{minus, ByteView("b"), one, ByteView("c")}));
  std::vector<ValueView> list = {one, minus, one};
  SortCollection(*ListType(integer), list);
  EXPECT_EQ(list.size(), 3u);
}

TEST(Token, PartitionKeys) {
  std::vector<ByteView> parts;
  const std::vector<ByteView> two = {"ab", ""};
  const Bytes key = SerializePartitionKey(two);
  EXPECT_EQ(ToHex(key), "0002616200000000");
  ASSERT_TRUE(SplitPartitionKey(key, 2, parts));
  EXPECT_EQ(parts, two);
  EXPECT_FALSE(SplitPartitionKey(key, 3, parts));
  EXPECT_FALSE(SplitPartitionKey(key + "x", 2, parts));
  for (size_t size = 0; size < key.size(); ++size) EXPECT_FALSE(SplitPartitionKey(key.substr(0, size), 2, parts));
  EXPECT_EQ(SerializePartitionKey({"ab"}), "ab");
  ASSERT_TRUE(SplitPartitionKey("ab", 1, parts));
  EXPECT_EQ(parts, std::vector<ByteView>{"ab"});
}

TEST(Schema, Lookups) {
  TableSchema table;
  table.name = "t";
  table.columns = {{.name = "k", .kind = ColumnKind::kPartitionKey}, {.name = "s", .kind = ColumnKind::kStatic}};
  EXPECT_TRUE(table.has_statics());
  ASSERT_NE(table.Find("s"), nullptr);
  EXPECT_EQ(table.Find("s")->kind, ColumnKind::kStatic);
  EXPECT_EQ(table.Find("x"), nullptr);
  table.columns.pop_back();
  EXPECT_FALSE(table.has_statics());
  auto keyspace = std::make_shared<KeyspaceSchema>();
  keyspace->tables["t"] = std::make_shared<const TableSchema>(table);
  SchemaSnapshot schema;
  schema.keyspaces["ks"] = keyspace;
  EXPECT_EQ(schema.FindKeyspace("ks"), keyspace.get());
  EXPECT_EQ(schema.FindKeyspace("x"), nullptr);
  EXPECT_NE(schema.FindTable("ks", "t"), nullptr);
  EXPECT_EQ(schema.FindTable("ks", "x"), nullptr);
  EXPECT_EQ(schema.FindTable("x", "t"), nullptr);
}

}  // namespace
}  // namespace widerow
