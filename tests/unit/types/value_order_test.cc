#include "types/value_order.h"

#include <gtest/gtest.h>

#include "types/value_bytes.h"

namespace widerow {
namespace {

TypePtr IntType() { return ScalarType(TypeKind::kInt); }
Bytes Int(int64_t value) { return EncodeInteger(TypeKind::kInt, value); }
Bytes Join(const TypePtr& type, const std::vector<Bytes>& parts) {
  return JoinCollection(*type, {parts.begin(), parts.end()});
}
Bytes Fields(const std::vector<Bytes>& parts) { return JoinTuple({parts.begin(), parts.end()}); }

const TypePtr kSet = SetType(IntType(), true), kMap = MapType(IntType(), IntType(), true);
const Bytes kSent = Join(kSet, {Int(113), Int(112), Int(114), Int(112)}),
            kOrdered = Join(kSet, {Int(112), Int(113), Int(114)});

Bytes Put(const TypePtr& type, const Bytes& bytes) { return PutInOrder(*type, bytes).value(); }

TEST(ValueOrderTest, OnlySomeTypesMayChange) {
  for (const TypePtr& type : {IntType(), ListType(IntType(), true), TupleType({IntType(), ListType(IntType(), true)}),
                              VectorType(IntType(), 2)}) {
    EXPECT_FALSE(MayBePutInOrder(*type)) << TypeText(*type);
  }
  for (const TypePtr& type :
       {kSet, kMap, ListType(ListType(kSet)), TupleType({IntType(), kMap}), VectorType(kSet, 2),
        ListType(ScalarType(TypeKind::kVarint)), TupleType({ListType(ScalarType(TypeKind::kBoolean), true)})}) {
    EXPECT_TRUE(MayBePutInOrder(*type)) << TypeText(*type);
  }
}

TEST(ValueOrderTest, SetsAndMapsArePutInOrderWhereverTheyAre) {
  EXPECT_EQ(Put(kSet, kSent), kOrdered);
  const Bytes map = Join(kMap, {Int(5), Int(1), Int(3), Int(2), Int(5), Int(9)});
  EXPECT_EQ(Put(kMap, map), Join(kMap, {Int(3), Int(2), Int(5), Int(9)})) << "the last value of a key stays";
  const TypePtr list = ListType(kSet, true), of_maps = ListType(kMap, true), by_set = MapType(kSet, kSet, true);
  EXPECT_EQ(Put(list, Join(list, {kSent, kOrdered})), Join(list, {kOrdered, kOrdered}));
  EXPECT_EQ(Put(of_maps, Join(of_maps, {map})), Join(of_maps, {Put(kMap, map)}));
  EXPECT_EQ(Put(by_set, Join(by_set, {kSent, kSent})), Join(by_set, {kOrdered, kOrdered}));
  EXPECT_EQ(Put(by_set, Join(by_set, {kSent, kSent, kOrdered, kSent})), Join(by_set, {kOrdered, kOrdered}))
      << "one key, sent twice";
  const TypePtr sets = SetType(kSet, true);
  const Bytes one = Join(kSet, {Int(1)});
  EXPECT_EQ(Put(sets, Join(sets, {kSent, one})), Join(sets, {one, kOrdered}));
  const TypePtr vector = VectorType(kSet, 2);
  EXPECT_EQ(Put(vector, Join(vector, {kSent, one})), Join(vector, {kOrdered, one}));
  const TypePtr deep = SetType(ListType(TupleType({ListType(kSet, true), IntType()}), true), true);
  const auto around = [&](const Bytes& set) {
    return Join(deep, {Join(deep->arguments[0], {Fields({Join(list, {set}), Int(7)})})});
  };
  EXPECT_EQ(Put(deep, around(kSent)), around(kOrdered));
}

TEST(ValueOrderTest, TuplesKeepTheFieldsThatWereSent) {
  const TypePtr tuple = TupleType({IntType(), kSet, IntType()});
  EXPECT_EQ(Put(tuple, Fields({Int(1), kSent})), Fields({Int(1), kOrdered}));
  EXPECT_EQ(Put(tuple, Fields({Int(1)})), Fields({Int(1)}));
  const Bytes with_nulls = JoinTuple({std::nullopt, ByteView(kSent), std::nullopt});
  EXPECT_EQ(Put(tuple, with_nulls), JoinTuple({std::nullopt, ByteView(kOrdered), std::nullopt}));
  EXPECT_EQ(Put(tuple, ""), "");
}

// The expected encodings are those of Cassandra 5.0.9, found by inserting such values.
TEST(ValueOrderTest, PartsOfCollectionsGetTheirShortestEncoding) {
  const auto put = [](TypeKind kind, const Bytes& part) {
    const TypePtr list = ListType(ScalarType(kind), true);
    return Put(list, Join(list, {part})).substr(8);
  };
  EXPECT_EQ(put(TypeKind::kVarint, Bytes("\0\0\5", 3)), "\5");
  EXPECT_EQ(put(TypeKind::kVarint, Bytes("\0\x85", 2)), Bytes("\0\x85", 2));
  EXPECT_EQ(put(TypeKind::kVarint, "\xff\xff"), "\xff");
  EXPECT_EQ(put(TypeKind::kDecimal, Bytes("\0\0\0\1\0\5", 6)), Bytes("\0\0\0\1\5", 5));
  EXPECT_EQ(put(TypeKind::kBoolean, "\5"), "\1");
  EXPECT_EQ(put(TypeKind::kBoolean, Bytes(1, '\0')), Bytes(1, '\0'));
  EXPECT_EQ(put(TypeKind::kDuration, Bytes(8, '\0')), Bytes(3, '\0'));
  EXPECT_EQ(put(TypeKind::kInet, Bytes(10, '\0') + "\xff\xff" + "\1\2\3\4"), "\1\2\3\4");
  EXPECT_EQ(put(TypeKind::kInet, Bytes(15, '\0') + "\1"), Bytes(15, '\0') + "\1");
  EXPECT_EQ(put(TypeKind::kVarint, ""), "");

  const TypePtr varint = ScalarType(TypeKind::kVarint), set = SetType(varint, true), list = ListType(varint, true);
  const Bytes five = "\5", longer = Bytes("\0\5", 2);
  EXPECT_EQ(Put(set, Join(set, {longer, five})), Join(set, {five}));
  const TypePtr lists = ListType(list, true), tuples = ListType(TupleType({varint, list}), true);
  EXPECT_EQ(Put(lists, Join(lists, {Join(list, {longer})})), Join(lists, {Join(list, {five})}));
  const Bytes sent = Join(tuples, {Fields({longer, Join(list, {longer})})});
  EXPECT_EQ(Put(tuples, sent), sent) << "tuples are kept as they were sent";
}

TEST(ValueOrderTest, CutOffBytesAreRefused) {
  const TypePtr list = ListType(kSet, true);
  EXPECT_FALSE(PutInOrder(*list, Join(list, {kSent.substr(0, 6)})).ok());
  EXPECT_FALSE(PutInOrder(*TupleType({kSet}), Fields({kSent}).substr(0, 9)).ok());
}

}  // namespace
}  // namespace widerow
