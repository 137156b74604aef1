// Slow, wrong and hostile clients may use only a limited amount of memory. They get clear errors, and do not disturb
// other clients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "tests/unit/net/native_test.h"

namespace widerow {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class NativeLimitsTest : public NativeTest {};

TEST_F(NativeLimitsTest, WrongVersionsAreToldWhatWouldDo) {
  for (const int version : {1, 2, 6, 7, 0x42, 0x47, 127}) {
    NativeClient client(port());
    client.SendRaw(MakeFrame(Opcode::kOptions, {}, static_cast<uint8_t>(version), 7));
    const std::optional<NativeReply> reply = client.Read();
    ASSERT_TRUE(reply.has_value()) << version;
    EXPECT_EQ(reply->error_code(), kProtocolError);
    EXPECT_EQ(reply->error_text(), "Invalid or unsupported protocol version (" + std::to_string(version) +
                                       "); the lowest supported version is 3 and the greatest is 5");
    EXPECT_EQ(reply->header.version, 5) << "the greatest we speak";
    EXPECT_TRUE(client.WaitForClose(10'000));
  }
  auto client = Connect(4);
  client->SendRaw(MakeFrame(Opcode::kOptions, {}, 3));
  EXPECT_EQ(client->Read()->error_text(),
            "Invalid message version. Got 3/v3 but previous messages on this connection had version 4/v4");
  EXPECT_EQ(client->Ask(Opcode::kOptions, {}).opcode(), Opcode::kSupported);
}

TEST_F(NativeLimitsTest, MessagesInTheWrongPlace) {
  NativeClient early(port());
  EXPECT_EQ(early.Query("SELECT * FROM k.t").error_text(), "Unexpected message QUERY, expecting STARTUP or OPTIONS");
  EXPECT_TRUE(early.WaitForClose(10'000));
  auto client = Connect();
  EXPECT_THAT(client->Ask(Opcode::kAuthResponse, SizedValue("x")).error_text(),
              StartsWith("Unexpected message AUTH_RESPONSE, there was no challenge"));
  EXPECT_EQ(client->Ask(static_cast<Opcode>(0x44), {}).error_text(), "Unknown opcode 68");
  EXPECT_EQ(client->Ask(Opcode::kReady, {}).error_text(),
            "Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 2 (READY)");
  client->SendRaw(MakeFrame(Opcode::kOptions, {}, 0x84));
  EXPECT_EQ(client->Read()->error_text(),
            "Wrong protocol direction (expected REQUEST, got RESPONSE) for opcode 5 (OPTIONS)");
  EXPECT_EQ(client->Ask(Opcode::kOptions, {}).opcode(), Opcode::kSupported) << "and goes on";
}

TEST_F(NativeLimitsTest, Garbage) {
  std::mt19937 random(4);
  for (int i = 0; i < 60; ++i) {
    const auto version = static_cast<uint8_t>(3 + i % 3);
    std::unique_ptr<NativeClient> client =
        i % 2 == 0 ? std::make_unique<NativeClient>(port(), version) : Connect(version);
    Bytes garbage(1 + random() % 4'000, '\0');
    for (char& c : garbage) c = static_cast<char>(random());
    if (i % 3 == 0) garbage[0] = static_cast<char>(version);
    client->SendRaw(garbage);
    client->CloseSending();
    EXPECT_TRUE(client->WaitForClose(20'000)) << i;
  }
  NativeClient http(port());
  http.SendRaw("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(http.Read()->error_text(), StartsWith("Invalid or unsupported protocol version (71)"));
  ExpectOthersUnaffected();
  EXPECT_TRUE(HoldsAtMost(0));
}

TEST_F(NativeLimitsTest, FramesThatAreTooLong) {
  auto client = Connect();
  Bytes header;
  AppendFrameHeader(header, {.version = 4, .stream = 77, .opcode = 7, .body_bytes = (256u << 20) + 1});
  client->SendRaw(header);
  const std::optional<NativeReply> reply = client->Read();
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->error_text(),
            "Request is too big: length 268435457 exceeds maximum allowed length 268435456.\n"
            "hint: write a large value over HTTP: PUT /v1/blob/KEYSPACE/TABLE/COLUMN?key=[…], into a longblob");
  EXPECT_EQ(reply->error_code(), kInvalid);
  EXPECT_EQ(reply->header.stream, 77);
  EXPECT_TRUE(client->WaitForClose(10'000));

  NativeClient stranger(port());
  stranger.SendRaw(MakeFrame(Opcode::kStartup, Bytes(100'000, 'x')).substr(0, 5'000));
  EXPECT_EQ(stranger.Read()->error_text(), "Request is too big: length 100000 exceeds maximum allowed length 65536.");
  ExpectOthersUnaffected();
}

TEST_F(NativeLimitsTest, CompressedBombs) {
  for (const char* compression : {"lz4", "snappy"}) {
    auto client = Connect(4, compression);
    Bytes bomb;
    if (std::string(compression) == "lz4") {
      AppendBigEndian(bomb, int32_t{200 << 20});
    } else {
      bomb = Bytes("\x80\x80\x80\x64", 4);
    }
    bomb.append(1'000, '\0');
    client->SendRaw(MakeFrame(Opcode::kQuery, bomb, 4, 5, FrameFlags::kCompressed));
    EXPECT_EQ(client->Read()->error_text(), std::string("The frame's body is not valid ") + compression);
    bomb[0] = '\x7f';
    bomb[1] = bomb[2] = bomb[3] = '\xff';
    bomb[4] = '\x07';
    client->SendRaw(MakeFrame(Opcode::kQuery, bomb, 4, 5, FrameFlags::kCompressed));
    EXPECT_TRUE(client->Read()->is_error());
    EXPECT_EQ(client->Query("SELECT * FROM k.t").result_kind(), 2) << "the connection goes on";
  }
}

TEST_F(NativeLimitsTest, DamagedSegments) {
  for (const size_t at : {0u, 4u, 20u}) {  // Damages the header, its checksum or the payload.
    auto client = Connect(5);
    SegmentWriter writer(false);
    writer.AddFrame(MakeFrame(Opcode::kQuery, QueryBody("SELECT * FROM k.t", 5), 5));
    Bytes segment = writer.Take();
    segment[at] = static_cast<char>(segment[at] ^ 0x10);
    client->SendRaw(segment);
    EXPECT_THAT(client->Read()->error_text(), StartsWith("The checksum of a segment's "));
    EXPECT_TRUE(client->WaitForClose(10'000));
  }
  ExpectOthersUnaffected();
}

TEST_F(NativeLimitsTest, TheBetaFramingOfVersion5IsNamed) {
  auto client = Connect(5);
  client->segmented = false;
  client->SendRaw(MakeFrame(Opcode::kRegister, RegisterBody({"SCHEMA_CHANGE"}), 5, 6));
  const std::optional<NativeReply> reply = client->Read();
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->header.stream, 6);
  EXPECT_THAT(reply->error_text(), HasSubstr("use protocol v4"));
  EXPECT_TRUE(client->WaitForClose(10'000));
}

TEST_F(NativeLimitsTest, FramesCutOverSegments) {
  for (const char* compression : {"", "lz4"}) {
    auto client = Connect(5, compression);
    std::mt19937 random(5);
    std::string text(400'000, '\0');
    for (char& c : text) c = static_cast<char>('a' + random() % 26);
    EXPECT_EQ(client->Query("INSERT INTO k.t (pk, ck, v) VALUES (5, 5, '" + text + "')").result_kind(), 1);
    EXPECT_EQ(RowsOf(client->Query("SELECT v FROM k.t WHERE pk = 5")).rows.at(0).at(0), text);
  }
}

TEST_F(NativeLimitsTest, SlowAndSilentClientsAreLetGo) {
  Start({.port = 0, .startup_ms = 300, .stall_ms = 300});
  NativeClient silent(port());
  NativeClient slow(port());
  auto half = Connect(4);
  auto half_segment = Connect(5);
  auto idle = Connect(4);
  slow.SendRaw("\x04");
  half->SendRaw(MakeFrame(Opcode::kQuery, QueryBody("SELECT * FROM k.t")).substr(0, 20));
  half_segment->SendRaw("\x05");
  EXPECT_TRUE(silent.WaitForClose(5'000));
  EXPECT_TRUE(slow.WaitForClose(5'000));
  EXPECT_TRUE(half->WaitForClose(5'000));
  EXPECT_TRUE(half_segment->WaitForClose(5'000));
  EXPECT_EQ(idle->Query("SELECT * FROM k.t").result_kind(), 2) << "a started connection may rest between messages";
  ExpectOthersUnaffected();
}

// The client sends requests and reads no answers. The server stops reading from it, keeps its memory below a limit, and
// at last closes the connection.
TEST_F(NativeLimitsTest, AClientThatTakesNoAnswers) {
  MakeRows(2'000, 1'000);
  Start({.port = 0, .workers_max = 4, .connection_bytes_max = 1u << 20, .stall_ms = 500});
  auto greedy = Connect();
  size_t most = 0;
  std::thread sender([&] {
    for (int i = 0; i < 300; ++i) greedy->Send(Opcode::kQuery, QueryBody("SELECT * FROM k.t"), static_cast<int16_t>(i));
  });
  for (int i = 0; i < 50; ++i) {
    most = std::max(most, server_->held_bytes());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ExpectOthersUnaffected();
  EXPECT_TRUE(HoldsAtMost(0)) << "let go after stall_ms";
  greedy->WaitForClose(1);
  sender.join();
  EXPECT_GT(most, 1u << 20);
  // Four workers make answers of 2 MB, which take twice as much memory while they are made. One more answer is being
  // written.
  EXPECT_LT(most, 24u << 20);
}

TEST_F(NativeLimitsTest, OverloadedWhenAllTogetherHoldTooMuch) {
  Start({.port = 0, .total_bytes_max = 1u << 20});
  auto hoarder = Connect();
  const Bytes large = MakeFrame(Opcode::kQuery, QueryBody(std::string(600'000, ' ')), 4, 8);
  hoarder->SendRaw(ByteView(large).substr(0, large.size() - 10));
  for (int i = 0; i < 500 && server_->held_bytes() < 500'000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  auto second = Connect();
  const NativeReply refused = second->Ask(Opcode::kQuery, QueryBody(std::string(500'000, ' ')));
  EXPECT_EQ(refused.error_code(), kOverloaded);
  EXPECT_EQ(refused.error_text(), "Server is in overloaded state. Cannot accept more requests at this point");
  const NativeReply small = second->Query("SELECT * FROM k.t");
  EXPECT_EQ(small.result_kind(), 2) << "a small one fits: " << small.error_text();
  hoarder->SendRaw(ByteView(large).substr(large.size() - 10));
  EXPECT_EQ(hoarder->Read()->error_code(), kSyntax);
  EXPECT_EQ(second->Ask(Opcode::kQuery, QueryBody(std::string(500'000, ' '))).error_code(), kSyntax) << "room again";
  EXPECT_TRUE(HoldsAtMost(0));
}

TEST_F(NativeLimitsTest, ConnectionsOverTheLimitAreTold) {
  Start({.port = 0, .connections_max = 2});
  auto first = Connect(), second = Connect();
  NativeClient third(port());
  const NativeReply refused = third.Startup();
  EXPECT_EQ(refused.error_code(), kOverloaded);
  EXPECT_THAT(refused.error_text(), StartsWith("Too many connections are open"));
  EXPECT_TRUE(third.WaitForClose(10'000));
  EXPECT_EQ(first->Query("SELECT * FROM k.t").result_kind(), 2);
}

TEST_F(NativeLimitsTest, SilentConnectionsOfOneAddressLeaveRoomForOthers) {
  constexpr const char* kAttacker = "127.0.0.2";
  Start({.port = 0, .connections_max = 160});
  std::vector<std::unique_ptr<NativeClient>> silent;
  for (int i = 0; i < 300; ++i) silent.push_back(std::make_unique<NativeClient>(port(), 4, kAttacker));
  const auto served = Connect();
  EXPECT_EQ(served->Query("SELECT * FROM k.t").result_kind(), 2);
  silent.resize(20);  // One address may have this number of silent connections.
  const auto told = [&] {
    NativeClient client(port(), 4, kAttacker);
    client.Send(Opcode::kStartup, StartupBody({}));
    const std::optional<NativeReply> reply = client.Read();
    return !reply ? "nothing" : reply->is_error() ? reply->error_text() : "ready";
  };
  std::string text;
  for (int i = 0; i < 2'000 && (text = told()) == "nothing"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THAT(text, StartsWith("Too many connections from this address have not logged in"));
  // A client that has sent STARTUP no longer counts as silent.
  EXPECT_EQ(silent[0]->Startup().opcode(), Opcode::kReady);
  for (int i = 0; i < 2'000 && (text = told()) != "ready"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(text, "ready");
}

TEST_F(NativeLimitsTest, AddressesThatWillNotDo) {
  const auto text = [&](const NativeOptions& options) {
    const auto started = NativeServer::Start(*engine_, options);
    return started.ok() ? "no error" : started.error().message;
  };
  EXPECT_THAT(text({.port = port()}), HasSubstr("is in use"));
  EXPECT_THAT(text({.listen = "nowhere", .port = 0}), HasSubstr("is not an address to listen on"));
  for (const char* wrong : {"host", "host:", ":9042", "host:0", "host:99999", "h:1:x"}) {
    EXPECT_NE(text({.port = 0, .advertise = wrong}), "no error") << wrong;
  }
  EXPECT_EQ(text({.port = 0, .advertise = "10.1.2.3:9142"}), "no error");
  EXPECT_EQ(text({.port = 0, .advertise = "[::1]:9142"}), "no error");
}

}  // namespace
}  // namespace widerow
