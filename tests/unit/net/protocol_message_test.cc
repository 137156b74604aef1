#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "net/protocol/auth_response.h"
#include "net/protocol/batch.h"
#include "net/protocol/event.h"
#include "net/protocol/execute.h"
#include "net/protocol/prepare.h"
#include "net/protocol/query.h"
#include "net/protocol/register.h"
#include "net/protocol/result_metadata.h"
#include "net/protocol/startup.h"
#include "net/protocol/supported.h"
#include "net/protocol/type_option.h"
#include "tests/unit/net/native_messages.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ParametersText kEverything{.values = {IntValue(7), kNullValue, kUnsetValue, SizedValue("")},
                                 .names = {"a", "b", "c", "d"},
                                 .skip_metadata = true,
                                 .page_rows = 100,
                                 .paging_state = "state",
                                 .timestamp = -5,
                                 .consistency = 6,
                                 .serial = true};

void ExpectEverything(const QueryParameters& got, uint8_t version) {
  ASSERT_EQ(got.request.values.size(), 4u);
  EXPECT_EQ(got.request.values[0].kind, BoundValue::Kind::kValue);
  EXPECT_EQ(got.request.values[0].bytes, Bytes("\0\0\0\7", 4));
  EXPECT_EQ(got.request.values[1].kind, BoundValue::Kind::kNull);
  EXPECT_EQ(got.request.values[2].kind, version >= 4 ? BoundValue::Kind::kUnset : BoundValue::Kind::kNull);
  EXPECT_EQ(got.request.values[3].kind, BoundValue::Kind::kValue);
  EXPECT_EQ(got.request.values[3].bytes, "");
  EXPECT_THAT(got.request.names, ElementsAre("a", "b", "c", "d"));
  EXPECT_TRUE(got.skip_metadata);
  EXPECT_EQ(got.request.page_rows, 100u);
  EXPECT_EQ(got.request.paging_state, "state");
  EXPECT_EQ(got.request.timestamp, -5);
  EXPECT_EQ(got.request.consistency, ConsistencyLevel::kLocalQuorum);
  EXPECT_EQ(got.request.serial_consistency, ConsistencyLevel::kSerial);
  EXPECT_EQ(got.request.keyspace, version >= 5 ? "other" : "");
  EXPECT_EQ(got.request.now_seconds, version >= 5 ? std::optional<int64_t>(99) : std::nullopt);
}

ParametersText EverythingIn(uint8_t version) {
  ParametersText text = kEverything;
  if (version >= 5) {
    text.keyspace = "other";
    text.now_seconds = 99;
  }
  return text;
}

TEST(RequestTest, QueryCarriesEverything) {
  for (const uint8_t version : {3, 4, 5}) {
    const Bytes body = QueryBody("SELECT 1", version, EverythingIn(version));
    const Result<QueryMessage> message = DecodeQuery(body, version);
    ASSERT_TRUE(message.ok()) << message.error().message;
    EXPECT_EQ(message->text, "SELECT 1");
    ExpectEverything(message->parameters, version);
  }
}

TEST(RequestTest, ExecuteAndPrepare) {
  for (const uint8_t version : {3, 4, 5}) {
    const Bytes body = ExecuteBody("some id", version, EverythingIn(version), "columns");
    const Result<ExecuteMessage> message = DecodeExecute(body, version);
    ASSERT_TRUE(message.ok()) << message.error().message;
    EXPECT_EQ(message->id, "some id");
    EXPECT_EQ(message->metadata_id, version >= 5 ? "columns" : "");
    ExpectEverything(message->parameters, version);
    const Bytes prepare_body = PrepareBody("SELECT 2", version, "other");
    const Result<PrepareMessage> prepare = DecodePrepare(prepare_body, version);
    ASSERT_TRUE(prepare.ok());
    EXPECT_EQ(prepare->text, "SELECT 2");
    EXPECT_EQ(prepare->keyspace, version >= 5 ? "other" : "");
  }
}

TEST(RequestTest, Batch) {
  for (const uint8_t version : {3, 4, 5}) {
    ParametersText text{.timestamp = 12, .consistency = 1, .serial = true};
    if (version >= 5) text.keyspace = "other";
    const Bytes body = BatchBody(1, {{.cql = "INSERT", .values = {IntValue(1)}}, {.id = "id"}}, version, text);
    const Result<BatchMessage> message = DecodeBatch(body, version);
    ASSERT_TRUE(message.ok()) << message.error().message;
    EXPECT_EQ(message->kind, BatchStatement::Kind::kUnlogged);
    ASSERT_EQ(message->entries.size(), 2u);
    EXPECT_FALSE(message->entries[0].is_prepared);
    EXPECT_EQ(message->entries[0].text_or_id, "INSERT");
    EXPECT_EQ(message->entries[0].values.size(), 1u);
    EXPECT_TRUE(message->entries[1].is_prepared);
    EXPECT_EQ(message->entries[1].text_or_id, "id");
    EXPECT_EQ(message->parameters.request.timestamp, 12);
  }
}

template <typename T>
std::string ErrorText(const Result<T>& result) {
  if (result.ok()) return "no error";
  EXPECT_EQ(result.error().code, ErrorCode::kProtocolError);
  return result.error().message;
}

// The texts of the errors are those of Cassandra 5.0.9.
TEST(RequestTest, Malformed) {
  EXPECT_EQ(ErrorText(DecodeQuery(Bytes("\0\0\0\x50"
                                        "abc",
                                        7),
                                  4)),
            "Not enough bytes to read an UTF8 serialized string preceded by its 4 bytes length");
  EXPECT_EQ(ErrorText(DecodeQuery(Bytes("\xff\xff\xff\xff\0\1\0", 7), 4)),
            "Not enough bytes to read an UTF8 serialized string preceded by its 4 bytes length");
  EXPECT_EQ(ErrorText(DecodeQuery(QueryBody("q", 4, {.consistency = 77}), 4)),
            "Unknown code 77 for a consistency level");
  EXPECT_EQ(ErrorText(DecodeQuery(QueryBody("q", 4, {.values = {Bytes("\xff\xff\xff\xfd", 4)}}), 4)),
            "Invalid ByteBuf length -3");
  EXPECT_EQ(
      ErrorText(DecodeQuery(QueryBody("q", 4, {.timestamp = std::numeric_limits<int64_t>::min()}), 4)),
      "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got -9223372036854775808)");
  EXPECT_EQ(ErrorText(DecodeBatch(BatchBody(9, {}), 4)), "Invalid BATCH message type 9");
  Bytes bad_entry = BatchBody(0, {{.cql = "x"}});
  bad_entry[3] = 7;
  EXPECT_EQ(ErrorText(DecodeBatch(bad_entry, 4)), "Invalid query kind in BATCH messages. Must be 0 or 1 but got 7");
  EXPECT_EQ(ErrorText(DecodeRegister(RegisterBody({"FOO"}))), "Invalid value 'FOO' for Type");
  EXPECT_EQ(ErrorText(DecodeStartup(StringMapBody({}), 4)), "Missing value CQL_VERSION in STARTUP message");
  EXPECT_EQ(ErrorText(DecodeStartup(StringMapBody({{"CQL_VERSION", "2.0.0"}}), 4)),
            "CQL version 2.0.0 is not supported by the binary protocol (supported version are >= 3.0.0)");
  for (const char* version : {"xx", "3", "3.0", "3..0", "3.0.0.0", ".", "99999999.0.0"}) {
    EXPECT_EQ(ErrorText(DecodeStartup(StringMapBody({{"CQL_VERSION", version}}), 4)),
              std::string("Invalid version value: ") + version);
  }
  EXPECT_EQ(ErrorText(DecodeStartup(StartupBody("zstd"), 4)), "Unknown compression algorithm: zstd");
  EXPECT_EQ(ErrorText(DecodeStartup(StartupBody("snappy"), 5)), "Snappy compression is not supported in protocol V5");
}

TEST(RequestTest, StartupOptions) {
  EXPECT_EQ(DecodeStartup(StartupBody(), 4)->compression, Compression::kNone);
  EXPECT_EQ(DecodeStartup(StartupBody("LZ4"), 5)->compression, Compression::kLz4);
  EXPECT_EQ(DecodeStartup(StartupBody("snappy"), 3)->compression, Compression::kSnappy);
  EXPECT_TRUE(DecodeStartup(StringMapBody({{"cql_version", "3.4.7-beta"}, {"NO_SUCH", "x"}}), 4).ok());
  const Result<RegisterMessage> all =
      DecodeRegister(RegisterBody({"SCHEMA_CHANGE", "status_change", "TOPOLOGY_CHANGE"}));
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->schema_change && all->status_change && all->topology_change);
}

struct Decoder {
  const char* name;
  Bytes body;
  std::function<bool(ByteView)> decode;  // Returns true if the message was accepted.
};
std::vector<Decoder> AllDecoders(uint8_t version) {
  const ParametersText everything = EverythingIn(version);
  return {
      {"startup", StartupBody("lz4"), [=](ByteView body) { return DecodeStartup(body, version).ok(); }},
      {"query", QueryBody("SELECT", version, everything),
       [=](ByteView body) { return DecodeQuery(body, version).ok(); }},
      {"prepare", PrepareBody("SELECT", version, "k"),
       [=](ByteView body) { return DecodePrepare(body, version).ok(); }},
      {"execute", ExecuteBody("id", version, everything, "m"),
       [=](ByteView body) { return DecodeExecute(body, version).ok(); }},
      {"batch", BatchBody(0, {{.cql = "a", .values = {IntValue(1)}}, {.id = "i"}}, version, {.timestamp = 3}),
       [=](ByteView body) { return DecodeBatch(body, version).ok(); }},
      {"register", RegisterBody({"SCHEMA_CHANGE"}), [](ByteView body) { return DecodeRegister(body).ok(); }},
      {"auth_response", SizedValue("token"), [](ByteView body) { return DecodeAuthResponse(body).ok(); }},
  };
}

TEST(RequestTest, CutOffAtEveryByte) {
  for (const uint8_t version : {3, 4, 5}) {
    for (const Decoder& decoder : AllDecoders(version)) {
      EXPECT_TRUE(decoder.decode(decoder.body)) << decoder.name;
      EXPECT_TRUE(decoder.decode(decoder.body + "more")) << decoder.name << ": what follows is not looked at";
      for (size_t bytes = 0; bytes < decoder.body.size(); ++bytes) {
        // A string of its own, so that sanitizers find a read beyond its end.
        const Bytes cut(decoder.body, 0, bytes);
        EXPECT_FALSE(decoder.decode(cut)) << decoder.name << " of " << bytes << " bytes, version " << int{version};
      }
    }
  }
}

TEST(RequestTest, RandomBytesNeverHarm) {
  std::mt19937 random(3);
  size_t accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    for (const Decoder& decoder : AllDecoders(static_cast<uint8_t>(3 + i % 3))) {
      Bytes body = decoder.body;
      for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
        body[random() % body.size()] = static_cast<char>(random() % 3 == 0 ? 0xFF : random());
      }
      accepted += decoder.decode(body) ? 1 : 0;
    }
  }
  EXPECT_GT(accepted, 1'000u) << "some of it is still in order";
}

std::string Option(const TypePtr& type, uint8_t version) {
  Bytes out;
  AppendTypeOption(out, *type, version);
  return ToHex(out);
}

std::string CustomOption(const std::string& class_name) {
  Bytes out(2, '\0');
  AppendString(out, class_name);
  return ToHex(out);
}

TEST(TypeOptionTest, CodesByVersion) {
  const std::string package = "org.apache.cassandra.db.marshal.";
  EXPECT_EQ(Option(ScalarType(TypeKind::kInt), 3), "0009");
  EXPECT_EQ(Option(ScalarType(TypeKind::kText), 3), "000d");
  EXPECT_EQ(Option(ScalarType(TypeKind::kDate), 4), "0011");
  EXPECT_EQ(Option(ScalarType(TypeKind::kDuration), 5), "0015");
  EXPECT_EQ(Option(ScalarType(TypeKind::kDuration), 4), CustomOption(package + "DurationType"));
  EXPECT_EQ(Option(ScalarType(TypeKind::kDate), 3), CustomOption(package + "SimpleDateType"));
  EXPECT_EQ(Option(ScalarType(TypeKind::kTime), 3), CustomOption(package + "TimeType"));
  EXPECT_EQ(Option(ScalarType(TypeKind::kSmallint), 3), CustomOption(package + "ShortType"));
  EXPECT_EQ(Option(ScalarType(TypeKind::kTinyint), 3), CustomOption(package + "ByteType"));
  EXPECT_EQ(Option(ListType(ScalarType(TypeKind::kInt)), 4), "00200009");
  EXPECT_EQ(Option(MapType(ScalarType(TypeKind::kInt), SetType(ScalarType(TypeKind::kText), true)), 4),
            "00210009"
            "0022000d");
  EXPECT_EQ(Option(TupleType({ScalarType(TypeKind::kInt), ScalarType(TypeKind::kText)}), 4),
            "0031"
            "0002"
            "0009"
            "000d");
  Type udt{.kind = TypeKind::kUdt,
           .arguments = {ScalarType(TypeKind::kInt)},
           .keyspace = "k",
           .name = "u",
           .field_names = {"f"}};
  EXPECT_EQ(Option(std::make_shared<const Type>(udt), 4),
            "0030"
            "00016b"
            "000175"
            "0001"
            "000166"
            "0009");
  Type varbinary{.kind = TypeKind::kBlob, .bytes_max = 10};
  EXPECT_EQ(Option(std::make_shared<const Type>(varbinary), 4), "0003") << "an extension looks like blob";
}

// Cassandra 5.0.9 sent these names for columns of these types.
TEST(TypeOptionTest, ClassNamesOfVectors) {
  const std::string p = "org.apache.cassandra.db.marshal.";
  const TypePtr integer = ScalarType(TypeKind::kInt), text = ScalarType(TypeKind::kText);
  EXPECT_EQ(MarshalClassName(*VectorType(ScalarType(TypeKind::kFloat), 3)), p + "VectorType(" + p + "FloatType , 3)");
  EXPECT_EQ(MarshalClassName(*VectorType(ListType(integer, true), 2)),
            p + "VectorType(" + p + "FrozenType(" + p + "ListType(" + p + "Int32Type)) , 2)");
  EXPECT_EQ(MarshalClassName(*VectorType(TupleType({integer, text}), 2)),
            p + "VectorType(" + p + "TupleType(" + p + "Int32Type," + p + "UTF8Type) , 2)");
  EXPECT_EQ(MarshalClassName(*VectorType(VectorType(integer, 2), 2)),
            p + "VectorType(" + p + "VectorType(" + p + "Int32Type , 2) , 2)");
  EXPECT_EQ(MarshalClassName(*VectorType(MapType(integer, SetType(ScalarType(TypeKind::kBigint), true), true), 1)),
            p + "VectorType(" + p + "FrozenType(" + p + "MapType(" + p + "Int32Type," + p + "SetType(" + p +
                "LongType))) , 1)");
  const Type udt{.kind = TypeKind::kUdt,
                 .frozen = true,
                 .arguments = {integer, text},
                 .keyspace = "native_k",
                 .name = "u",
                 .field_names = {"a", "b"}};
  EXPECT_EQ(MarshalClassName(*VectorType(std::make_shared<const Type>(udt), 2)),
            p + "VectorType(" + p + "FrozenType(" + p + "UserType(native_k,75,61:" + p + "Int32Type,62:" + p +
                "UTF8Type)) , 2)");
}

TEST(ResultMetadataTest, GlobalTableOnlyIfAllColumnsShareIt) {
  const ResultColumn a{.keyspace = "k", .table = "t", .name = "a", .type = ScalarType(TypeKind::kInt)};
  ResultColumn b = a;
  b.name = "b";
  Bytes out;
  AppendRowsMetadata(out, {a, b}, 4, "ps", MetadataForm::kFull);
  EXPECT_EQ(ToHex(out),
            "00000003"
            "00000002"
            "000000027073"
            "00016b000174"
            "0001610009"
            "0001620009");
  b.table = "other";
  out.clear();
  AppendRowsMetadata(out, {a, b}, 4, {}, MetadataForm::kFull);
  EXPECT_EQ(ToHex(out),
            "00000000"
            "00000002"
            "00016b000174"
            "0001610009"
            "00016b00056f74686572"
            "0001620009");
  out.clear();
  AppendRowsMetadata(out, {a}, 4, "p", MetadataForm::kNone);
  EXPECT_EQ(ToHex(out),
            "00000006"
            "00000001"
            "0000000170");
  out.clear();
  AppendRowsMetadata(out, {a}, 5, {}, MetadataForm::kChanged, "id");
  EXPECT_EQ(ToHex(out),
            "00000009"
            "00000001"
            "00026964"
            "00016b000174"
            "0001610009");
  out.clear();
  AppendMarkersMetadata(out, {{.keyspace = "k", .table = "t", .name = "a", .type = a.type}}, {0}, 4);
  EXPECT_EQ(ToHex(out),
            "00000001"
            "00000001"
            "00000001"
            "0000"
            "00016b000174"
            "0001610009");
  out.clear();
  AppendMarkersMetadata(out, {}, {}, 3);
  EXPECT_EQ(ToHex(out),
            "00000000"
            "00000000")
      << "version 3 has no partition key indexes";
}

TEST(EventTest, SchemaChanges) {
  const SchemaChange table{
      .kind = SchemaChange::Kind::kUpdated, .target = SchemaChange::Target::kTable, .keyspace = "k", .name = "t"};
  const Bytes frame = EncodeSchemaChangeEvent({.version = 4, .stream = 5}, table);
  EXPECT_EQ(DecodeFrameHeader(frame.data()).stream, -1);
  EXPECT_EQ(frame.substr(kFrameHeaderBytes), Bytes("\0\x0dSCHEMA_CHANGE\0\7UPDATED\0\5TABLE\0\1k\0\1t", 37));
  const SchemaChange function{.target = SchemaChange::Target::kFunction, .keyspace = "k", .name = "f"};
  EXPECT_EQ(ChangeFor(3, function).target, SchemaChange::Target::kKeyspace);
  EXPECT_EQ(ChangeFor(4, function).target, SchemaChange::Target::kFunction);
}

TEST(SupportedTest, WhatDriversRead) {
  const Bytes frame = EncodeSupported({.version = 4});
  for (const char* text : {"CQL_VERSION", "3.4.7", "COMPRESSION", "lz4", "snappy", "3/v3", "4/v4", "5/v5"}) {
    EXPECT_THAT(frame, HasSubstr(text));
  }
}

}  // namespace
}  // namespace widerow
