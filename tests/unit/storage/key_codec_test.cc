#include "storage/format/key_codec.h"

#include <gtest/gtest.h>

#include <random>

#include "types/token.h"

namespace widerow {
namespace {

Bytes Delimited(ByteView bytes) {
  Bytes out;
  AppendDelimited(bytes, out);
  return out;
}

// Returns random bytes, mostly 00, FE and FF, which the encoding must escape.
Bytes HardBytes(std::mt19937& random) {
  static constexpr char kBytes[] = {'\0', '\0', '\xFE', '\xFF', '\1', 'a'};
  Bytes out(random() % 7, '\0');
  for (char& c : out) c = kBytes[random() % sizeof kBytes];
  return out;
}

TEST(KeyCodecTest, DelimitedBytesComeBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const Bytes original = HardBytes(random);
    const Bytes encoded = Delimited(original) + '\5' + HardBytes(random);
    ByteView in = encoded, skipped = encoded;
    Bytes decoded;
    ASSERT_TRUE(TakeDelimited(in, decoded)) << ToHex(original);
    ASSERT_EQ(ToHex(decoded), ToHex(original));
    ASSERT_TRUE(SkipDelimited(skipped));
    ASSERT_EQ(skipped, in);
    ASSERT_EQ(in[0], '\5');
  }
}

TEST(KeyCodecTest, DelimitedBytesKeepOrderWhateverFollows) {
  std::mt19937 random(2);
  for (int i = 0; i < 50'000; ++i) {
    const Bytes a = HardBytes(random), b = HardBytes(random);
    if (a == b) continue;
    const Bytes after_a(1, static_cast<char>(random() % 0xFE)), after_b(1, static_cast<char>(random() % 0xFE));
    ASSERT_EQ(a < b, Delimited(a) + after_a < Delimited(b) + after_b) << ToHex(a) << " " << ToHex(b);
  }
}

TEST(KeyCodecTest, MalformedDelimitedBytesAreRefused) {
  for (const char* hex : {"", "61", "6100fe", "6100fefe", "00fe01", "61fe", "00ff"}) {
    Bytes bytes, out = "before";
    ASSERT_TRUE(FromHex(hex, bytes));
    ByteView in = bytes;
    EXPECT_FALSE(TakeDelimited(in, out)) << hex;
    EXPECT_EQ(in, bytes) << hex;
    EXPECT_EQ(out, "before") << hex;
    EXPECT_FALSE(SkipDelimited(in)) << hex;
  }
}

TEST(KeyCodecTest, PositionsOrderAsTokens) {
  const int64_t tokens[] = {std::numeric_limits<int64_t>::min(), -5, -1, 0, 1, 7, std::numeric_limits<int64_t>::max()};
  for (size_t i = 0; i + 1 < std::size(tokens); ++i) {
    EXPECT_LT(PositionOfToken(tokens[i]), PositionOfToken(tokens[i + 1]));
    EXPECT_EQ(TokenOfPosition(PositionOfToken(tokens[i])), tokens[i]);
  }
}

TEST(KeyCodecTest, APartitionPrefixIsFoundInItsKeys) {
  std::mt19937 random(3);
  for (int i = 0; i < 5'000; ++i) {
    const Bytes partition_key = HardBytes(random);
    Bytes prefix;
    AppendPartitionPrefix(7, partition_key, prefix);
    for (const RecordKind kind : {RecordKind::kHeader, RecordKind::kRow, RecordKind::kSpill}) {
      Bytes key = prefix;
      AppendKind(kind, key);
      key += HardBytes(random);
      ASSERT_EQ(PartitionPrefixSize(key), prefix.size());
      Bytes read = "what was there before";
      ASSERT_EQ(ReadPartitionPrefix(key, read), prefix.size());
      ASSERT_EQ(read, partition_key);
    }
    Bytes back;
    ASSERT_TRUE(PartitionKeyOfPrefix(prefix, back));
    ASSERT_EQ(back, partition_key);
    ASSERT_EQ(TokenOfPosition(ByteView(prefix).substr(4, 8)), Murmur3Token(partition_key));
  }
  Bytes ignored, unknown_kind;
  AppendPartitionPrefix(7, "key", unknown_kind);
  unknown_kind += '\x07';
  for (const Bytes& malformed : {Bytes("short"), unknown_kind, unknown_kind.substr(0, unknown_kind.size() - 1)}) {
    EXPECT_EQ(PartitionPrefixSize(malformed), 0u);
    EXPECT_EQ(ReadPartitionPrefix(malformed, ignored), 0u);
  }
}

TEST(KeyCodecTest, SuccessorIsTheFirstBeyondAPrefix) {
  EXPECT_EQ(SuccessorOfPrefix("ab"), "ac");
  EXPECT_EQ(SuccessorOfPrefix("a\xFF\xFF"), "b");
  EXPECT_EQ(SuccessorOfPrefix("\xFF\xFF"), "");
}

}  // namespace
}  // namespace widerow
