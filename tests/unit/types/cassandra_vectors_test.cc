// For the values in tests/data/types, Widerow must give the same answers as Cassandra 5.0.9.
#include <gtest/gtest.h>

#include <bit>

#include "tests/unit/types/type_from_text.h"
#include "tests/unit/types/vector_file.h"
#include "types/compare.h"
#include "types/java_number_text.h"
#include "types/json_form.h"
#include "types/order_codec.h"
#include "types/text_form.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

using testing::ReadVectors;
using testing::SplitAt;
using testing::TypeFromText;
using testing::Unhex;

constexpr char kTerminator = '\x38';

struct Column {
  TypePtr type;
  bool descending = false;
};

std::vector<Column> Columns(const std::string& text) {
  std::vector<Column> out;
  for (std::string column : SplitAt(text, ';')) {
    const bool descending = column.ends_with(" DESC");
    if (descending) column.resize(column.size() - 5);
    out.push_back({TypeFromText(column), descending});
  }
  return out;
}

// Returns true if Widerow ends the encoding of this clustering value with a terminator. Cassandra writes only one
// terminator, after the whole clustering.
bool ClosesItself(const Column& column, const Value& value) {
  const TypeKind kind = column.type->kind;
  return value && (kind == TypeKind::kText || kind == TypeKind::kAscii || kind == TypeKind::kBlob ||
                   kind == TypeKind::kInet || kind == TypeKind::kDuration);
}

TEST(CassandraVectors, OrderPreservingEncodings) {
  for (const auto& line : ReadVectors("order.txt", 3)) {
    SCOPED_TRACE(line[0] + " " + line[1].substr(0, 200));
    const std::vector<Column> columns = Columns(line[0]);
    const std::vector<std::string> values = SplitAt(line[1], ';');
    ASSERT_EQ(columns.size(), values.size());
    Bytes as_cassandra, ours;
    std::vector<Value> originals;
    for (size_t i = 0; i < columns.size(); ++i) {
      originals.push_back(values[i] == "null" ? Value() : Value(Unhex(values[i])));
      Bytes component;
      AppendComparable(*columns[i].type, columns[i].descending, originals[i], component);
      ours += component;
      if (ClosesItself(columns[i], originals[i])) {
        ASSERT_EQ(component.back(), kTerminator);
        component.pop_back();
      }
      as_cassandra += component;
    }
    as_cassandra += kTerminator;
    EXPECT_EQ(ToHex(as_cassandra), line[2]);

    ByteView rest = ours, skipped = ours;
    for (size_t i = 0; i < columns.size(); ++i) {
      const auto decoded = TakeComparable(*columns[i].type, columns[i].descending, rest);
      ASSERT_TRUE(decoded.ok()) << decoded.error().message;
      ASSERT_TRUE(SkipComparable(*columns[i].type, columns[i].descending, skipped).ok());
      ASSERT_EQ(rest.size(), skipped.size());
      ASSERT_EQ(decoded->has_value(), originals[i].has_value());
      if (!originals[i]) continue;
      EXPECT_EQ(Compare(*columns[i].type, **decoded, *originals[i]), 0);
      if (KeepsBytes(*columns[i].type)) { EXPECT_EQ(ToHex(**decoded), ToHex(*originals[i])); }
    }
    EXPECT_TRUE(rest.empty());
  }
}

TEST(CassandraVectors, Compare) {
  for (const auto& line : ReadVectors("compare.txt", 4)) {
    SCOPED_TRACE(line[0] + " " + line[1] + " " + line[2]);
    const int order = Compare(*TypeFromText(line[0]), Unhex(line[1]), Unhex(line[2]));
    EXPECT_EQ(order < 0 ? -1 : order > 0 ? 1 : 0, std::stoi(line[3]));
  }
}

TEST(CassandraVectors, Tokens) {
  for (const auto& line : ReadVectors("token.txt", 2)) {
    EXPECT_EQ(Murmur3Token(Unhex(line[0])), std::stoll(line[1])) << line[0];
  }
}

TEST(CassandraVectors, Validate) {
  for (const auto& line : ReadVectors("validate.txt", 3)) {
    Status status = ValidateValue(*TypeFromText(line[0]), Unhex(line[1]));
    EXPECT_EQ(status.ok() ? "ok" : status.error().message, line[2]) << line[0] << " " << line[1];
  }
}

bool IsFloating(const Type& type) { return type.kind == TypeKind::kFloat || type.kind == TypeKind::kDouble; }

TEST(CassandraVectors, Text) {
  for (const auto& line : ReadVectors("text.txt", 5)) {
    SCOPED_TRACE(line[0] + " '" + line[1] + "'");
    const TypePtr type = TypeFromText(line[0]);
    const auto parsed = ParseText(*type, line[1]);
    if (line[2].starts_with("!")) {
      EXPECT_FALSE(parsed.ok()) << ToHex(*parsed);
      if (!parsed.ok()) { EXPECT_EQ(parsed.error().message, line[2].substr(1)); }
      continue;
    }
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(ToHex(*parsed), line[2]);
    std::string json;
    AppendJson(*type, *parsed, json, JsonForm::kCassandra);
    EXPECT_EQ(json, line[4]);
    const auto again = ParseText(*type, FormatText(*type, *parsed));
    ASSERT_TRUE(again.ok()) << FormatText(*type, *parsed);
    EXPECT_EQ(ToHex(*again), line[2]);
    // Cassandra prints an empty number as null, which cannot be read back. Floating-point numbers have more than one
    // form.
    if (line[3] != "null" && !IsFloating(*type)) { EXPECT_EQ(FormatLiteral(*type, *parsed), line[3]); }
  }
}

TEST(CassandraVectors, Json) {
  for (const auto& line : ReadVectors("json.txt", 5)) {
    SCOPED_TRACE(line[0] + " " + line[1]);
    const TypePtr type = TypeFromText(line[0]);
    const auto parsed = ParseJson(*type, line[1], JsonForm::kCassandra);
    if (line[2].starts_with("!")) {
      EXPECT_FALSE(parsed.ok());
      if (!parsed.ok()) { EXPECT_EQ(parsed.error().message, line[2].substr(1)); }
      continue;
    }
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    ASSERT_TRUE(parsed->has_value());
    EXPECT_EQ(ToHex(**parsed), line[2]);
    std::string json;
    AppendJson(*type, **parsed, json, JsonForm::kCassandra);
    EXPECT_EQ(json, line[3]);
  }
}

TEST(CassandraVectors, FloatingNumbers) {
  for (const auto& fields : ReadVectors("java_numbers.txt", 3)) {
    const uint64_t bits = std::stoull(fields[1], nullptr, 16);
    const std::string text = fields[0] == "d" ? JavaDoubleText(std::bit_cast<double>(bits))
                                              : JavaFloatText(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    EXPECT_EQ(text, fields[2]) << fields[0] << ' ' << fields[1];
  }
}

}  // namespace
}  // namespace widerow
