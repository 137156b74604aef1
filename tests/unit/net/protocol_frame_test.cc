#include <gtest/gtest.h>

#include <random>

#include "net/protocol/compression.h"
#include "net/protocol/error_response.h"
#include "net/protocol/frame_writer.h"
#include "net/protocol/segment.h"
#include "tests/unit/net/native_messages.h"

namespace widerow {
namespace {

// Gives `stream` to the decoder in pieces of `piece` bytes. Returns the frames.
std::vector<Frame> Decode(FrameDecoder& decoder, ByteView stream, size_t piece, FrameDecoder::State* last = nullptr) {
  std::vector<Frame> frames;
  while (!stream.empty()) {
    ByteView input = stream.substr(0, piece);
    stream.remove_prefix(input.size());
    for (;;) {
      const FrameDecoder::State state = decoder.Next(input);
      if (last != nullptr) *last = state;
      if (state == FrameDecoder::State::kNeedsMore) break;
      if (state != FrameDecoder::State::kFrame) return frames;
      frames.push_back(decoder.TakeFrame());
    }
  }
  return frames;
}

TEST(FrameTest, AnyCutGivesTheSameFrames) {
  Bytes stream;
  for (int i = 0; i < 5; ++i) {
    stream += MakeFrame(Opcode::kQuery, Bytes(static_cast<size_t>(i * i * 7), 'a'), 4, static_cast<int16_t>(i - 2), 2);
  }
  for (size_t piece = 1; piece <= stream.size(); ++piece) {
    FrameDecoder decoder(1'000);
    const std::vector<Frame> frames = Decode(decoder, stream, piece);
    ASSERT_EQ(frames.size(), 5u) << piece;
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(frames[i].header.stream, static_cast<int16_t>(i) - 2);
      EXPECT_EQ(frames[i].header.flags, 2);
      EXPECT_EQ(frames[i].header.version, 4);
      EXPECT_FALSE(frames[i].header.is_response);
      EXPECT_EQ(frames[i].body, Bytes(i * i * 7, 'a'));
    }
    EXPECT_TRUE(decoder.at_boundary());
  }
}

TEST(FrameTest, VersionsThatAreNotSpoken) {
  for (int version = 0; version < 128; ++version) {
    FrameDecoder decoder(1'000);
    FrameDecoder::State last{};
    Decode(decoder, MakeFrame(Opcode::kOptions, {}, static_cast<uint8_t>(version), 300), 3, &last);
    if (version >= 3 && version <= 5) {
      EXPECT_TRUE(decoder.at_boundary()) << version;
    } else {
      EXPECT_EQ(last, FrameDecoder::State::kBadVersion) << version;
      EXPECT_EQ(decoder.header().version, version);
    }
  }
}

TEST(FrameTest, TooLongIsSkippedWithoutMemory) {
  FrameDecoder decoder(1'000);
  Bytes stream = MakeFrame(Opcode::kQuery, Bytes(1'001, 'x'));
  ByteView input = stream;
  ASSERT_EQ(decoder.Next(input), FrameDecoder::State::kTooLong);
  EXPECT_EQ(decoder.header().body_bytes, 1'001u);
  decoder.SkipBody();
  stream += MakeFrame(Opcode::kOptions, {});
  input = ByteView(stream).substr(kFrameHeaderBytes);
  ASSERT_EQ(decoder.Next(input), FrameDecoder::State::kFrame);
  EXPECT_EQ(decoder.TakeFrame().header.opcode, static_cast<uint8_t>(Opcode::kOptions));
}

TEST(FrameTest, AnAnnouncedLengthClaimsNoMemory) {
  FrameDecoder decoder(256u << 20);
  Bytes stream = MakeFrame(Opcode::kQuery, Bytes(100, 'x'));
  stream[5] = 0x0F;  // The header now announces a body of 250 MB.
  ByteView input = stream;
  EXPECT_EQ(decoder.Next(input), FrameDecoder::State::kNeedsMore);
  EXPECT_TRUE(decoder.in_body());
  EXPECT_EQ(decoder.held_bytes(), 100u);
}

TEST(CompressionTest, BothWays) {
  std::mt19937 random(1);
  for (const Compression compression : {Compression::kLz4, Compression::kSnappy}) {
    for (const size_t bytes : {0u, 1u, 2u, 100u, 5'000u, 300'000u}) {
      for (const bool dull : {true, false}) {
        Bytes body(bytes, 'a');
        if (!dull) std::generate(body.begin(), body.end(), [&] { return static_cast<char>(random()); });
        Bytes compressed;
        CompressBody(compression, body, compressed);
        const Result<Bytes> back = DecompressBody(compression, compressed, 1u << 20);
        ASSERT_TRUE(back.ok()) << back.error().message << ' ' << bytes;
        EXPECT_EQ(*back, body);
        for (size_t cut = 0; cut < std::min<size_t>(compressed.size(), 200); ++cut) {
          const Result<Bytes> damaged = DecompressBody(compression, ByteView(compressed).substr(0, cut), 1u << 20);
          EXPECT_TRUE(!damaged.ok() || bytes == 0) << cut;
        }
      }
    }
  }
}

TEST(CompressionTest, Bombs) {
  // These 100 bytes claim to be 200 MB when they are decompressed.
  Bytes lz4;
  AppendBigEndian(lz4, int32_t{200 << 20});
  lz4.append(96, '\0');
  Bytes snappy("\x80\x80\x80\x64", 4);
  snappy.append(96, '\0');
  for (const auto& [compression, bomb] : {std::pair(Compression::kLz4, lz4), std::pair(Compression::kSnappy, snappy)}) {
    const Result<size_t> bytes = UncompressedBytes(compression, bomb, 256u << 20);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().code, ErrorCode::kProtocolError);
    const Result<size_t> too_long = UncompressedBytes(compression, bomb, 100u << 20);
    ASSERT_FALSE(too_long.ok());
    EXPECT_NE(too_long.error().message.find("exceeds maximum allowed length 104857600"), std::string::npos);
  }
}

// A client gets an error instead of an answer that is too long for a frame.
TEST(FrameWriterTest, AnswersAboveTheLimit) {
  for (const Compression compression : {Compression::kNone, Compression::kLz4}) {
    for (const size_t over : {0u, 1u}) {
      FrameWriter writer({.version = 4, .stream = 3, .compression = compression}, Opcode::kResult);
      writer.body().append((256u << 20) + over, 'x');
      const Bytes frame = writer.Finish();
      const FrameHeader header = DecodeFrameHeader(frame.data());
      EXPECT_EQ(header.stream, 3);
      EXPECT_EQ(header.opcode, static_cast<uint8_t>(over == 0 ? Opcode::kResult : Opcode::kError));
      EXPECT_EQ(header.body_bytes, frame.size() - kFrameHeaderBytes);
      if (over == 0) continue;
      const ByteView body = ByteView(frame).substr(kFrameHeaderBytes);
      EXPECT_EQ(ReadBigEndian<uint32_t>(body.data()), static_cast<uint32_t>(ErrorCode::kInvalid));
      EXPECT_NE(body.find("The answer has 268435457 bytes, and a frame of the native protocol has at most 268435456"),
                ByteView::npos);
    }
  }
}

std::vector<Bytes> Payloads(ByteView stream, bool compressed, size_t piece, SegmentDecoder::State* last) {
  SegmentDecoder decoder(compressed);
  std::vector<Bytes> payloads;
  while (!stream.empty()) {
    ByteView input = stream.substr(0, piece);
    stream.remove_prefix(input.size());
    while ((*last = decoder.Next(input)) == SegmentDecoder::State::kSegment) payloads.emplace_back(decoder.payload());
    if (*last != SegmentDecoder::State::kNeedsMore) break;
  }
  return payloads;
}

TEST(SegmentTest, SmallFramesShareOneAndLargeOnesAreCut) {
  for (const bool compressed : {false, true}) {
    SegmentWriter writer(compressed);
    std::mt19937 random(2);
    Bytes noise(300'000, '\0');
    std::generate(noise.begin(), noise.end(), [&] { return static_cast<char>(random()); });
    Bytes all;
    for (const Bytes& frame : {Bytes("one"), Bytes("two"), noise, Bytes(kSegmentPayloadMax, 'x'), Bytes("three")}) {
      writer.AddFrame(frame);
      all += frame;
    }
    const Bytes stream = writer.Take();
    EXPECT_EQ(writer.Take(), "");
    for (const size_t piece : {size_t{1}, size_t{7}, stream.size()}) {
      SegmentDecoder::State last{};
      const std::vector<Bytes> payloads = Payloads(stream, compressed, piece, &last);
      EXPECT_EQ(last, SegmentDecoder::State::kNeedsMore);
      ASSERT_EQ(payloads.size(), 6u) << "onetwo, three of noise, the full one, three";
      EXPECT_EQ(payloads[0], "onetwo");
      EXPECT_EQ(payloads[5], "three");
      Bytes joined;
      for (const Bytes& payload : payloads) joined += payload;
      EXPECT_EQ(joined, all);
    }
  }
}

TEST(SegmentTest, EveryFlippedBitIsSeen) {
  for (const bool compressed : {false, true}) {
    SegmentWriter writer(compressed);
    writer.AddFrame(Bytes(100, 'a') + "some payload");
    const Bytes good = writer.Take();
    for (size_t bit = 0; bit < good.size() * 8; ++bit) {
      Bytes bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
      SegmentDecoder::State last{};
      EXPECT_TRUE(Payloads(bad, compressed, bad.size(), &last).empty()) << bit;
      const size_t header_bits = compressed ? 64 : 48;
      EXPECT_EQ(last, bit < header_bits ? SegmentDecoder::State::kBadHeader : SegmentDecoder::State::kBadPayload)
          << bit;
    }
  }
}

// Cassandra 5.0.9 sent this segment, without compression. It contains the frame READY, the answer to REGISTER.
TEST(SegmentTest, AsCassandraWritesThem) {
  Bytes frame;
  AppendFrameHeader(frame, {.version = 5, .is_response = true, .stream = 3, .opcode = 2});
  SegmentWriter writer(false);
  writer.AddFrame(frame);
  EXPECT_EQ(ToHex(writer.Take()), "090002a4c8c1850000030200000000e128c91f");
}

TEST(ErrorResponseTest, FieldsOfEachCode) {
  const auto tail = [](ErrorCode code, uint8_t version, const ErrorFields& fields = {}) {
    const Error error{.code = code, .message = "m", .keyspace = "k", .table = "t"};
    const Bytes frame = EncodeError({.version = version}, error, "m", fields);
    return ToHex(ByteView(frame).substr(kFrameHeaderBytes + 4 + 3));
  };
  EXPECT_EQ(tail(ErrorCode::kInvalid, 4), "");
  EXPECT_EQ(tail(ErrorCode::kOverloaded, 4), "");
  EXPECT_EQ(tail(ErrorCode::kAlreadyExists, 4), "00016b000174");
  EXPECT_EQ(tail(ErrorCode::kUnprepared, 4, {.prepared_id = "id"}), "00026964");
  EXPECT_EQ(tail(ErrorCode::kUnavailable, 4, {.consistency = ConsistencyLevel::kQuorum}), "00040000000100000000");
  EXPECT_EQ(tail(ErrorCode::kWriteTimeout, 4, {.consistency = ConsistencyLevel::kQuorum}),
            "00040000000000000001"
            "000653494d504c45");
  EXPECT_EQ(tail(ErrorCode::kWriteTimeout, 4, {.is_batch = true}),
            "00010000000000000001"
            "00054241544348");
  EXPECT_EQ(tail(ErrorCode::kReadTimeout, 4),
            "00010000000000000001"
            "00");
  EXPECT_EQ(tail(ErrorCode::kReadFailure, 4),
            "00010000000000000001"
            "00000001"
            "00");
  EXPECT_EQ(tail(ErrorCode::kReadFailure, 5),
            "00010000000000000001"
            "00000001"
            "047f0000010000"
            "00");
  EXPECT_EQ(tail(ErrorCode::kWriteFailure, 5),
            "00010000000000000001"
            "00000001"
            "047f0000010000"
            "000653494d504c45");
  EXPECT_EQ(tail(ErrorCode::kFunctionFailure, 4), "00016b0001740000");
  const Bytes old = EncodeError({.version = 3}, {.code = ErrorCode::kWriteFailure}, "m");
  EXPECT_EQ(ReadBigEndian<uint32_t>(old.data() + kFrameHeaderBytes), 0x1100u) << "version 3 knows no write failure";
}

TEST(FrameWriterTest, ExtrasStandInOrderAndLongTextsAreCut) {
  FrameWriter frame({.version = 4, .stream = 9}, Opcode::kResult, Bytes(16, 'T'), {"w1", "w2"});
  frame.body() += "BODY";
  const Bytes bytes = frame.Finish();
  const FrameHeader header = DecodeFrameHeader(bytes.data());
  EXPECT_EQ(header.flags, FrameFlags::kTracing | FrameFlags::kWarning);
  EXPECT_TRUE(header.is_response);
  EXPECT_EQ(header.body_bytes, bytes.size() - kFrameHeaderBytes);
  EXPECT_EQ(bytes.substr(kFrameHeaderBytes), Bytes(16, 'T') + Bytes("\0\2\0\2w1\0\2w2", 10) + "BODY");

  FrameWriter old({.version = 3}, Opcode::kResult, {}, {"w1"});
  EXPECT_EQ(DecodeFrameHeader(old.Finish().data()).flags, 0) << "version 3 has no warnings";

  // The limit of a string falls into the middle of the character 'é'. The character is not cut in half.
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += "é";
  Bytes out;
  AppendString(out, text);
  EXPECT_EQ(ReadBigEndian<uint16_t>(out.data()), 65'534);
}

}  // namespace
}  // namespace widerow
