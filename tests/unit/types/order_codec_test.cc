#include "types/order_codec.h"

#include <gtest/gtest.h>

#include "tests/unit/types/random_value.h"
#include "types/compare.h"

namespace widerow {
namespace {

using testing::AllTypes;
using testing::ValueMaker;

int Sign(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

Bytes Encoded(const Type& type, bool descending, const ValueView& value) {
  Bytes out;
  AppendComparable(type, descending, value, out);
  return out;
}

constexpr int kPairs = 12'000;

TEST(OrderCodec, ByteOrderEqualsCompare) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(7);
    int equal = 0, different = 0;
    for (int i = 0; i < kPairs; ++i) {
      const Bytes a = maker.Make(*type);
      const Bytes b = maker.OneIn(10) ? a : maker.Make(*type);
      const int order = Sign(Compare(*type, a, b));
      ++(order == 0 ? equal : different);
      ASSERT_EQ(order, -Sign(Compare(*type, b, a)));
      for (const bool descending : {false, true}) {
        const int encoded_order = Sign(Encoded(*type, descending, a).compare(Encoded(*type, descending, b)));
        ASSERT_EQ(encoded_order, descending ? -order : order)
            << TypeText(*type) << (descending ? " DESC " : " ") << ToHex(a) << " " << ToHex(b);
      }
    }
    EXPECT_GT(equal, 100) << TypeText(*type);
    EXPECT_GT(different, 1'000) << TypeText(*type);
  }
}

TEST(OrderCodec, NullSortsFirst) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(8);
    for (int i = 0; i < 100; ++i) {
      const Bytes value = maker.Make(*type);
      for (const bool descending : {false, true}) {
        EXPECT_LT(Encoded(*type, descending, std::nullopt), Encoded(*type, descending, value));
      }
    }
  }
}

TEST(OrderCodec, DecodeGivesTheValueBack) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(9);
    for (int i = 0; i < kPairs; ++i) {
      const Bytes value = maker.Make(*type), next = maker.Make(*type);
      for (const bool descending : {false, true}) {
        // Decoding the first component must stop at the component's end, although another component follows.
        Bytes key = Encoded(*type, descending, value);
        const size_t first_size = key.size();
        AppendComparable(*type, !descending, next, key);
        ByteView rest = key, skipped = key;
        const auto decoded = TakeComparable(*type, descending, rest);
        ASSERT_TRUE(decoded.ok() && decoded->has_value()) << TypeText(*type) << " " << ToHex(value);
        ASSERT_EQ(rest.size(), key.size() - first_size) << TypeText(*type) << " " << ToHex(value);
        ASSERT_TRUE(SkipComparable(*type, descending, skipped).ok());
        ASSERT_EQ(skipped.size(), rest.size());
        ASSERT_EQ(Compare(*type, **decoded, value), 0) << TypeText(*type) << " " << ToHex(value);
        ASSERT_TRUE(ValidateValue(*type, **decoded).ok());
        ASSERT_EQ(Encoded(*type, descending, **decoded), key.substr(0, first_size));
        if (KeepsBytes(*type)) { ASSERT_EQ(ToHex(**decoded), ToHex(value)) << TypeText(*type); }
      }
    }
  }
}

// Keys of two columns must be ordered by the first column and then by the second, whatever bytes the second begins
// with.
TEST(OrderCodec, KeysOfTwoColumns) {
  const std::vector<TypePtr> types = AllTypes();
  ValueMaker maker(10);
  for (int i = 0; i < 60'000; ++i) {
    const Type& first = *types[maker.Below(types.size())];
    const Type& second = *types[maker.Below(types.size())];
    const bool first_desc = maker.OneIn(2), second_desc = maker.OneIn(2);
    const Bytes a1 = maker.Make(first), b1 = maker.OneIn(3) ? a1 : maker.Make(first);
    const Bytes a2 = maker.Make(second), b2 = maker.Make(second);
    int order = Sign(Compare(first, a1, b1)) * (first_desc ? -1 : 1);
    if (order == 0) order = Sign(Compare(second, a2, b2)) * (second_desc ? -1 : 1);
    Bytes a = Encoded(first, first_desc, a1), b = Encoded(first, first_desc, b1);
    const Bytes prefix = a;
    AppendComparable(second, second_desc, a2, a);
    AppendComparable(second, second_desc, b2, b);
    ASSERT_EQ(Sign(a.compare(b)), order) << TypeText(first) << ", " << TypeText(second);
    // The keys with this first column must be exactly the keys that begin with the prefix.
    const bool inside = b >= prefix && b < ByteSuccessor(prefix);
    ASSERT_EQ(inside, Compare(first, a1, b1) == 0) << TypeText(first) << " " << ToHex(a1) << " " << ToHex(b1);
  }
}

TEST(OrderCodec, MalformedKeysAreRefused) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(11);
    for (int i = 0; i < 4'000; ++i) {
      Bytes key = maker.OneIn(2) ? "\x40" + maker.Garbage() : Encoded(*type, false, maker.Make(*type));
      if (maker.OneIn(2) && !key.empty()) key[maker.Below(key.size())] = static_cast<char>(maker.Below(256));
      if (maker.OneIn(2)) key.resize(maker.Below(key.size() + 1));
      for (const bool descending : {false, true}) {
        ByteView rest = key, skipped = key;
        auto decoded = TakeComparable(*type, descending, rest);
        (void)SkipComparable(*type, descending, skipped);
        if (!decoded.ok()) { EXPECT_EQ(decoded.error().code, ErrorCode::kServerError); }
      }
    }
    ByteView empty;
    EXPECT_FALSE(TakeComparable(*type, false, empty).ok());
    EXPECT_FALSE(SkipComparable(*type, false, empty).ok());
  }
}

TEST(OrderCodec, CutOffKeysAreRefused) {
  for (const TypePtr& type : AllTypes()) {
    ValueMaker maker(12);
    for (int i = 0; i < 300; ++i) {
      const Bytes whole = Encoded(*type, false, maker.Make(*type));
      for (size_t size = 0; size < whole.size(); ++size) {
        ByteView rest = ByteView(whole).substr(0, size), skipped = rest;
        EXPECT_FALSE(TakeComparable(*type, false, rest).ok()) << TypeText(*type) << " " << ToHex(whole) << " " << size;
        EXPECT_FALSE(SkipComparable(*type, false, skipped).ok()) << TypeText(*type) << " " << ToHex(whole);
      }
    }
  }
}

TEST(OrderCodec, LongValues) {
  const Bytes zeros(65'000, '\0'), nines(65'000, '\x7F');
  for (const TypeKind kind : {TypeKind::kBlob, TypeKind::kText, TypeKind::kVarint}) {
    const Type& type = *ScalarType(kind);
    for (const Bytes& value : {zeros, nines, zeros + nines, nines + zeros}) {
      for (const bool descending : {false, true}) {
        const Bytes key = Encoded(type, descending, value);
        ByteView rest = key;
        const auto decoded = TakeComparable(type, descending, rest);
        ASSERT_TRUE(decoded.ok());
        EXPECT_EQ(Compare(type, **decoded, value), 0);
        EXPECT_TRUE(rest.empty());
      }
    }
  }
}

TEST(OrderCodec, ByteSuccessor) {
  EXPECT_EQ(ByteSuccessor("a"), "b");
  EXPECT_EQ(ByteSuccessor("a\xFF\xFF"), "b");
  EXPECT_EQ(ByteSuccessor(Bytes("\x7F\xFE", 2)), Bytes("\x7F\xFF", 2));
  EXPECT_EQ(ByteSuccessor("\xFF\xFF"), "");
  EXPECT_EQ(ByteSuccessor(""), "");
}

TEST(OrderCodec, KeepsBytes) {
  EXPECT_TRUE(KeepsBytes(*ScalarType(TypeKind::kBigint)));
  EXPECT_TRUE(KeepsBytes(*ListType(ScalarType(TypeKind::kText), true)));
  EXPECT_FALSE(KeepsBytes(*ScalarType(TypeKind::kDecimal)));
  EXPECT_FALSE(KeepsBytes(*ScalarType(TypeKind::kVarint)));
  EXPECT_FALSE(KeepsBytes(*ScalarType(TypeKind::kDouble)));
  EXPECT_FALSE(KeepsBytes(*MapType(ScalarType(TypeKind::kInt), ScalarType(TypeKind::kDecimal), true)));
  EXPECT_FALSE(KeepsBytes(*TupleType({ScalarType(TypeKind::kInt)})));
}

}  // namespace
}  // namespace widerow
