// Tests the services without sockets, and a server that receives wrong bytes.
#include "net/hbase/service/services.h"

#include <sys/socket.h>

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <future>
#include <random>
#include <thread>

#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/key_value.h"
#include "net/hbase/proto/client.pb.h"
#include "net/hbase/proto/filter.pb.h"
#include "net/hbase/proto/master.pb.h"
#include "net/hbase/proto/rpc.pb.h"
#include "net/hbase/service/nonces.h"
#include "net/hbase/wire/frames.h"
#include "net/hbase/wire/hbase_server.h"
#include "tests/unit/hbase/hbase_test.h"

namespace widerow::hbase {
namespace {

namespace pb = ::hbase::pb;
using boost::asio::ip::tcp;

class ServicesTest : public HBaseTest {
 protected:
  Result<Answer> Run(const char* service, const char* method, const google::protobuf::MessageLite& request,
                     const Bytes& cell_block = {}, bool cell_blocks = false) {
    const Bytes parameter = request.SerializeAsString();
    return services_.Run(
        service, {.method = method, .parameter = parameter, .cell_block = cell_block, .cell_blocks = cell_blocks});
  }
  template <typename Response>
  Response Must(const char* service, const char* method, const google::protobuf::MessageLite& request) {
    const Result<Answer> answer = Run(service, method, request);
    EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
    Response response;
    if (answer.ok()) { EXPECT_TRUE(response.ParseFromString(answer->message)); }
    return response;
  }
  void CreateTable() {
    pb::CreateTableRequest request;
    request.mutable_table_schema()->mutable_table_name()->set_namespace_("default");
    request.mutable_table_schema()->mutable_table_name()->set_qualifier("t");
    request.mutable_table_schema()->add_column_families()->set_name("f");
    Must<pb::ProcedureResponse>("MasterService", "CreateTable", request);
  }
  static void SetRegion(pb::RegionSpecifier& region, const char* name = "t,,1.0123456789abcdef0123456789abcdef.") {
    region.set_type(pb::RegionSpecifier::REGION_NAME);
    region.set_value(name);
  }

  Services services_{*engine_, {.host = "127.0.0.1", .port = 16'020, .start_code = 1}};
};

TEST_F(ServicesTest, PutGetScan) {
  CreateTable();
  pb::MutateRequest put;
  SetRegion(*put.mutable_region());
  put.mutable_mutation()->set_mutate_type(pb::MutationProto::PUT);
  put.mutable_mutation()->set_associated_cell_count(1);
  Bytes block;
  AppendKeyValue(block, "row", MakeCell("q", 7, "v"));
  const Result<Answer> answered = Run("ClientService", "Mutate", put, block);
  ASSERT_TRUE(answered.ok()) << answered.error().message;

  pb::GetRequest get;
  SetRegion(*get.mutable_region());
  get.mutable_get()->set_row("row");
  const auto got = Must<pb::GetResponse>("ClientService", "Get", get);
  ASSERT_EQ(got.result().cell_size(), 1);
  EXPECT_EQ(got.result().cell(0).value(), "v");

  pb::ScanRequest scan;
  SetRegion(*scan.mutable_region());
  scan.mutable_scan();
  scan.set_number_of_rows(10);
  const auto scanned = Must<pb::ScanResponse>("ClientService", "Scan", scan);
  ASSERT_EQ(scanned.results_size(), 1);
  EXPECT_FALSE(scanned.more_results());
}

// A Get that takes long would hold up the other clients of its thread. So it fails on that thread, and runs again on
// another one.
TEST_F(ServicesTest, OnlyShortGetsRunOnAThreadOfOthers) {
  Create({{.name = "f"}});
  Put("small", "q", 1, "v");
  Put("large", "q", 1, Bytes(100'000, 'v'));
  Mutation dead;
  dead.row = "dead";
  for (int i = 0; i < 11'000; ++i) dead.cells.push_back(MakeCell("q" + std::to_string(i), 1, "v"));
  ASSERT_TRUE(writer_.Apply(Caller(), *Table(), {&dead, 1}).ok());
  for (Cell& cell : dead.cells) cell = MakeCell(cell.qualifier, 1, {}, CellType::kDelete);
  dead.kind = MutationKind::kDelete;
  ASSERT_TRUE(writer_.Apply(Caller(), *Table(), {&dead, 1}).ok());

  const auto ran_long = [&](const char* row, bool filter = false, const char* region = nullptr) {
    pb::GetRequest get;
    SetRegion(*get.mutable_region(), region == nullptr ? "t,,1.0123456789abcdef0123456789abcdef." : region);
    get.mutable_get()->set_row(row);
    if (filter) {
      get.mutable_get()->mutable_filter()->set_name("org.apache.hadoop.hbase.filter.KeyOnlyFilter");
      get.mutable_get()->mutable_filter()->set_serialized_filter(Bytes("\x08\0", 2));  // len_as_val: false.
    }
    const Bytes parameter = get.SerializeAsString();
    bool long_ = false;
    const Result<Answer> answer =
        services_.Run("ClientService", {.method = "Get", .parameter = parameter, .ran_long = &long_});
    EXPECT_EQ(answer.ok(), !long_);
    EXPECT_TRUE(services_.Run("ClientService", {.method = "Get", .parameter = parameter}).ok());
    return long_;
  };
  EXPECT_FALSE(ran_long("small"));
  EXPECT_FALSE(ran_long("none"));
  EXPECT_TRUE(ran_long("large"));
  EXPECT_TRUE(ran_long("dead"));
  EXPECT_TRUE(ran_long("small", true));
  EXPECT_TRUE(ran_long("small", false, "hbase:meta,,1"));
  ASSERT_TRUE(admin_.AddFamily(Caller(), {.name = "t"}, {.name = "g"}).ok());
  EXPECT_TRUE(ran_long("small"));
}

// Puts of one cell are stored without a thread that waits for them. Everything else, and every error, is left to Run.
TEST_F(ServicesTest, OnlyShortPutsAreStarted) {
  CreateTable();
  // Returns the answer if the request was started.
  const auto start = [&](const pb::MutateRequest& request) -> std::optional<Result<Answer>> {
    const Bytes parameter = request.SerializeAsString();
    auto answer = std::make_shared<std::promise<Result<Answer>>>();
    if (!services_.Start("ClientService", {.method = "Mutate", .parameter = parameter},
                         [answer](Result<Answer> made) { answer->set_value(std::move(made)); })) {
      return std::nullopt;
    }
    return answer->get_future().get();
  };
  const auto put = [&](std::vector<Bytes> qualifiers, const char* family = "f") {
    pb::MutateRequest request;
    SetRegion(*request.mutable_region());
    request.mutable_mutation()->set_row("row");
    request.mutable_mutation()->set_mutate_type(pb::MutationProto::PUT);
    auto& column = *request.mutable_mutation()->add_column_value();
    column.set_family(family);
    for (const Bytes& qualifier : qualifiers) {
      auto& value = *column.add_qualifier_value();
      value.set_qualifier(qualifier);
      value.set_value("v");
    }
    return request;
  };
  const auto started = start(put({"q"}));
  ASSERT_TRUE(started && started->ok());
  pb::MutateResponse response;
  ASSERT_TRUE(response.ParseFromString((*started)->message));
  EXPECT_TRUE(response.processed());
  pb::GetRequest get;
  SetRegion(*get.mutable_region());
  get.mutable_get()->set_row("row");
  EXPECT_EQ(Must<pb::GetResponse>("ClientService", "Get", get).result().cell_size(), 1);

  EXPECT_FALSE(start(put({"q", "r"})));
  EXPECT_FALSE(start(put({"q"}, "g")));
  pb::MutateRequest deletion = put({"q"});
  deletion.mutable_mutation()->set_mutate_type(pb::MutationProto::DELETE);
  EXPECT_FALSE(start(deletion));
  pb::MutateRequest conditional = put({"q"});
  conditional.mutable_condition()->set_row("row");
  EXPECT_FALSE(start(conditional));
  pb::MutateRequest elsewhere = put({"q"});
  SetRegion(*elsewhere.mutable_region(), "nope,,1.0123456789abcdef0123456789abcdef.");
  EXPECT_FALSE(start(elsewhere));

  // After a number of puts, one put is left to Run, which removes old versions.
  size_t left = 0;
  for (int i = 0; i < 1'000; ++i) {
    if (start(put({"q"}))) continue;
    ++left;
    Must<pb::MutateResponse>("ClientService", "Mutate", put({"q"}));
  }
  EXPECT_GT(left, 0u);
  EXPECT_LT(left, 50u);

  // The row has a delete marker that is newer than the put. The put must read the marker, so it is left to Run.
  pb::MutateRequest dead = put({"q"});
  dead.mutable_mutation()->set_mutate_type(pb::MutationProto::DELETE);
  dead.mutable_mutation()->mutable_column_value(0)->mutable_qualifier_value(0)->set_delete_type(
      pb::MutationProto::DELETE_MULTIPLE_VERSIONS);
  Must<pb::MutateResponse>("ClientService", "Mutate", dead);
  pb::MutateRequest old = put({"q"});
  old.mutable_mutation()->mutable_column_value(0)->mutable_qualifier_value(0)->set_timestamp(1);
  EXPECT_FALSE(start(old));
}

TEST_F(ServicesTest, MetaLeadsToTheTable) {
  CreateTable();
  pb::ScanRequest scan;
  SetRegion(*scan.mutable_region(), "hbase:meta,,1");
  scan.mutable_scan()->set_start_row("t,row,99999999999999");
  scan.mutable_scan()->set_stop_row("t,,");
  scan.mutable_scan()->set_reversed(true);
  scan.mutable_scan()->add_column()->set_family("info");
  scan.set_number_of_rows(1);
  const auto scanned = Must<pb::ScanResponse>("ClientService", "Scan", scan);
  ASSERT_EQ(scanned.results_size(), 1);
  EXPECT_THAT(scanned.results(0).cell(0).row(), ::testing::StartsWith("t,,1."));
}

TEST_F(ServicesTest, UnknownNamesAreInTheError) {
  CreateTable();
  pb::GetRequest get;
  SetRegion(*get.mutable_region());
  get.mutable_get()->set_row("row");
  get.mutable_get()->mutable_filter()->set_name("com.example.MyFilter");
  const Result<Answer> filter = Run("ClientService", "Get", get);
  ASSERT_FALSE(filter.ok());
  EXPECT_THAT(filter.error().message, ::testing::HasSubstr("com.example.MyFilter"));
  EXPECT_TRUE(ToJavaError(filter.error()).do_not_retry);

  SetRegion(*get.mutable_region(), "nope,,1.x.");
  get.mutable_get()->clear_filter();
  const Result<Answer> table = Run("ClientService", "Get", get);
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(ToJavaError(table.error()).class_name, kTableNotFound);

  const Result<Answer> method = Run("MasterService", "Snapshot", get);
  ASSERT_FALSE(method.ok());
  EXPECT_THAT(method.error().message, ::testing::HasSubstr("MasterService.Snapshot is not supported"));
}

// The cells of all actions follow each other in one block. The cells of a refused action must not be taken for those of
// the next one.
TEST_F(ServicesTest, ARefusedActionLeavesNoCellsToTheNext) {
  CreateTable();
  pb::MultiRequest multi;
  Bytes block;
  int rows = 0;
  const auto add_region = [&](const char* region, bool atomic) {
    pb::RegionAction& actions = *multi.add_regionaction();
    SetRegion(*actions.mutable_region(), region);
    actions.set_atomic(atomic);
    return &actions;
  };
  const auto add_put = [&](pb::RegionAction& actions, bool refused) {
    const Bytes row = "row" + std::to_string(++rows);
    pb::Action& action = *actions.add_action();
    action.set_index(static_cast<uint32_t>(actions.action_size() - 1));
    action.mutable_mutation()->set_mutate_type(pb::MutationProto::PUT);
    action.mutable_mutation()->set_associated_cell_count(1);
    if (refused) action.mutable_mutation()->add_attribute()->set_name("acl");
    AppendKeyValue(block, row, MakeCell("q", 7, "value of " + row));
  };
  const char* const region = "t,,1.0123456789abcdef0123456789abcdef.";
  add_put(*add_region("missing,,1.0123456789abcdef0123456789abcdef.", false), true);  // row1
  pb::RegionAction& atomic = *add_region(region, true);
  add_put(atomic, true);  // row2
  atomic.add_action()->mutable_get()->set_row("row2");
  add_put(atomic, false);  // row3
  pb::RegionAction& each = *add_region(region, false);
  add_put(each, true);   // row4
  add_put(each, false);  // row5

  const Result<Answer> answered = Run("ClientService", "Multi", multi, block);
  ASSERT_TRUE(answered.ok()) << answered.error().message;
  pb::MultiResponse response;
  ASSERT_TRUE(response.ParseFromString(answered->message));
  ASSERT_EQ(response.regionactionresult_size(), 3);
  EXPECT_TRUE(response.regionactionresult(0).has_exception());
  EXPECT_TRUE(response.regionactionresult(1).has_exception());
  ASSERT_EQ(response.regionactionresult(2).resultorexception_size(), 2);
  EXPECT_TRUE(response.regionactionresult(2).resultorexception(0).has_exception());
  EXPECT_FALSE(response.regionactionresult(2).resultorexception(1).has_exception());
  for (const char* row : {"row1", "row2", "row3", "row4"}) EXPECT_EQ(Get(row), "") << row;
  EXPECT_EQ(Get("row5"), "f:q@7=value of row5");
}

// A request that is sent again with its nonce is not applied again.
TEST_F(ServicesTest, NoncesOfIncrements) {
  CreateTable();
  const auto set_increment = [](pb::MutationProto& mutation, uint64_t nonce) {
    mutation.set_row("r");
    mutation.set_mutate_type(pb::MutationProto::INCREMENT);
    mutation.set_nonce(nonce);
    pb::MutationProto::ColumnValue& column = *mutation.add_column_value();
    column.set_family("f");
    pb::MutationProto::ColumnValue::QualifierValue& value = *column.add_qualifier_value();
    value.set_qualifier("n");
    value.set_value(Bytes(7, '\0') + '\1');
  };
  const auto number = [](const pb::Result& result) {
    return result.cell_size() == 1 && result.cell(0).value().size() == 8 ? int{result.cell(0).value()[7]} : -1;
  };
  // Increments n by 1. If `wanted` is given, the request has the condition that q is `wanted`. Returns the new n, or 0
  // if the condition did not hold.
  const auto mutate = [&](uint64_t nonce, const char* wanted = nullptr) {
    pb::MutateRequest request;
    SetRegion(*request.mutable_region());
    request.set_nonce_group(1);
    set_increment(*request.mutable_mutation(), nonce);
    if (wanted != nullptr) {
      pb::Condition& condition = *request.mutable_condition();
      condition.set_row("r");
      condition.set_family("f");
      condition.set_qualifier("q");
      condition.set_compare_type(pb::EQUAL);
      condition.mutable_comparator()->set_name("org.apache.hadoop.hbase.filter.BinaryComparator");
      pb::BinaryComparator comparator;
      comparator.mutable_comparable()->set_value(wanted);
      condition.mutable_comparator()->set_serialized_comparator(comparator.SerializeAsString());
    }
    const auto answer = Must<pb::MutateResponse>("ClientService", "Mutate", request);
    return answer.processed() ? number(answer.result()) : 0;
  };
  EXPECT_EQ(mutate(1), 1);
  EXPECT_EQ(mutate(1), 1);
  EXPECT_EQ(mutate(2), 2);
  EXPECT_EQ(mutate(1), 2);  // The answer has the present value.
  EXPECT_EQ(mutate(0), 3);
  EXPECT_EQ(mutate(0), 4);
  // A request whose condition did not hold may be sent again.
  EXPECT_EQ(mutate(3, "open"), 0);
  EXPECT_EQ(mutate(3, "open"), 0);
  Put("r", "q", 7, "open");
  EXPECT_EQ(mutate(3, "open"), 5);
  EXPECT_EQ(mutate(3, "open"), 5);

  pb::MultiRequest multi;
  multi.set_noncegroup(1);
  pb::RegionAction& actions = *multi.add_regionaction();
  SetRegion(*actions.mutable_region());
  actions.set_atomic(true);
  set_increment(*actions.add_action()->mutable_mutation(), 4);
  for (int i = 0; i < 2; ++i) {
    const auto answer = Must<pb::MultiResponse>("ClientService", "Multi", multi);
    ASSERT_EQ(answer.regionactionresult_size(), 1);
    EXPECT_TRUE(answer.regionactionresult(0).processed());
    EXPECT_EQ(number(answer.regionactionresult(0).resultorexception(0).result()), 6);
  }
}

TEST(NoncesTest, ASecondRequestWaitsForTheFirst) {
  Nonces nonces;
  ASSERT_TRUE(nonces.Begin(1, 2));
  std::atomic<int> begun = 0;
  std::thread same([&] {
    if (nonces.Begin(1, 2)) {  // True, because the first request has failed.
      begun = 2;
      nonces.End(1, 2, true);
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(begun, 0);
  nonces.End(1, 2, false);
  same.join();
  EXPECT_EQ(begun, 2);
  EXPECT_FALSE(nonces.Begin(1, 2));
  EXPECT_TRUE(nonces.Begin(2, 1));
  nonces.End(2, 1, true);
}

TEST(NoncesTest, OldNoncesAreForgotten) {
  Nonces nonces;
  for (uint64_t nonce = 1; nonce <= Nonces::kRemembered + 1; ++nonce) {
    ASSERT_TRUE(nonces.Begin(1, nonce));
    nonces.End(1, nonce, true);
  }
  EXPECT_FALSE(nonces.Begin(1, 2));
  EXPECT_TRUE(nonces.Begin(1, 1));
  nonces.End(1, 1, false);
}

// Grants at most `bytes_max` bytes of memory.
class SmallRoom final : public AnswerRoom {
 public:
  explicit SmallRoom(size_t bytes_max) : bytes_max_(bytes_max) {}
  bool GrowPage(size_t bytes) override { return Grow(bytes); }
  Status GrowWhole(size_t bytes) override {
    if (Grow(bytes)) return OkStatus();
    return Error{.code = ErrorCode::kOverloaded, .message = "no memory", .hint = {}};
  }
  size_t asked() const { return asked_; }

 private:
  bool Grow(size_t bytes) {
    asked_ = std::max(asked_, bytes);
    return bytes <= bytes_max_;
  }
  const size_t bytes_max_;
  size_t asked_ = 0;
};

// An action without contents takes only two bytes in the request, but its object needs more memory.
TEST_F(ServicesTest, TheObjectsOfARequestNeedRoom) {
  CreateTable();
  pb::MultiRequest multi;
  pb::RegionAction& actions = *multi.add_regionaction();
  SetRegion(*actions.mutable_region());
  const auto run = [&](int count, AnswerRoom& room) {
    while (actions.action_size() < count) actions.add_action();
    const Bytes parameter = multi.SerializeAsString();
    return services_.Run("ClientService", {.method = "Multi", .parameter = parameter, .room = &room});
  };
  constexpr size_t kRoom = 16u << 20;
  SmallRoom room(kRoom);
  EXPECT_TRUE(run(40'000, room).ok());
  EXPECT_GT(room.asked(), 40'000u * 20);
  const Result<Answer> refused = run(4'000'000, room);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
  EXPECT_LT(room.asked(), 2 * kRoom);  // The request was refused before all objects were made.
}

// The memory for rows and filters that open scanners keep is bounded.
TEST_F(ServicesTest, OpenScannersAreBounded) {
  Create({{.name = "f"}});
  constexpr int kRows = 30;
  std::vector<Mutation> puts(kRows);
  for (int i = 0; i < kRows; ++i) {
    puts[static_cast<size_t>(i)].row = std::to_string(100 + i);
    puts[static_cast<size_t>(i)].cells = {MakeCell("q", 1, Bytes(200'000, 'v'))};
  }
  ASSERT_TRUE(writer_.PutMany(Caller(), *Table(), puts).ok());
  const auto next = [&](pb::ScanRequest& request) {
    request.set_number_of_rows(1);
    const auto answer = Must<pb::ScanResponse>("ClientService", "Scan", request);
    request.Clear();
    request.set_scanner_id(answer.scanner_id());
    return answer.results_size() == 1 ? answer.results(0).cell(0).row() : "none";
  };
  // Each of these scanners has read about a MiB ahead.
  std::vector<pb::ScanRequest> scans(150);
  for (pb::ScanRequest& scan : scans) {
    SetRegion(*scan.mutable_region());
    scan.mutable_scan()->set_cache_blocks(true);
  }
  for (int row = 0; row < kRows; ++row) {
    for (pb::ScanRequest& scan : scans) ASSERT_EQ(next(scan), std::to_string(100 + row));
  }

  pb::ScanRequest filtered;
  SetRegion(*filtered.mutable_region());
  filtered.set_number_of_rows(0);
  pb::Filter& filter = *filtered.mutable_scan()->mutable_filter();
  filter.set_name("org.apache.hadoop.hbase.filter.PrefixFilter");
  pb::PrefixFilter prefix;
  prefix.set_prefix(Bytes(1u << 20, 'p'));
  filter.set_serialized_filter(prefix.SerializeAsString());
  int opened = 0;
  while (opened < 100 && Run("ClientService", "Scan", filtered).ok()) ++opened;
  EXPECT_GT(opened, 0);
  EXPECT_LT(opened, 10);
  const Result<Answer> refused = Run("ClientService", "Scan", filtered);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
}

TEST_F(ServicesTest, NestedFiltersAreBounded) {
  CreateTable();
  pb::ScanRequest scan;
  SetRegion(*scan.mutable_region());
  pb::Filter filter;
  filter.set_name("org.apache.hadoop.hbase.filter.PrefixFilter");
  pb::PrefixFilter prefix;
  prefix.set_prefix(Bytes(4u << 20, 'p'));
  filter.set_serialized_filter(prefix.SerializeAsString());
  for (int depth = 1; depth < 20; ++depth) {
    pb::FilterList list;
    list.set_operator_(pb::FilterList::MUST_PASS_ALL);
    *list.add_filters() = filter;
    filter.set_name("org.apache.hadoop.hbase.filter.FilterList");
    filter.set_serialized_filter(list.SerializeAsString());
  }
  *scan.mutable_scan()->mutable_filter() = filter;
  const Result<Answer> refused = Run("ClientService", "Scan", scan);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("The filters of a request have at most"));
}

TEST_F(ServicesTest, GarbageIsAnErrorAndNothingWorse) {
  CreateTable();
  std::mt19937 random(1);
  const char* const methods[] = {"Get", "Mutate", "Multi", "Scan"};
  for (int i = 0; i < 2'000; ++i) {
    Bytes bytes(random() % 40, '\0'), block(random() % 40, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    for (char& c : block) c = static_cast<char>(random());
    if (i % 2 == 0) {
      // A valid request with some changed bytes.
      pb::MutateRequest put;
      SetRegion(*put.mutable_region());
      put.mutable_mutation()->set_associated_cell_count(1);
      block.clear();
      AppendKeyValue(block, "row", MakeCell("q", 7, "v"));
      bytes = put.SerializeAsString();
      bytes[random() % bytes.size()] = static_cast<char>(random());
      block[random() % block.size()] = static_cast<char>(random());
    }
    const Call call{.method = i % 2 == 0 ? "Mutate" : methods[random() % 4], .parameter = bytes, .cell_block = block};
    static_cast<void>(services_.Run("ClientService", call).ok());
    static_cast<void>(ParseRequestFrame(bytes).has_value());
    Bytes row;
    Cell cell;
    ByteView view = block;
    while (TakeKeyValue(view, row, cell).ok() && !view.empty()) {}
  }
  EXPECT_EQ(Get("nothing"), "");
}

class WireTest : public HBaseTest {
 protected:
  void SetUp() override {
    Result<std::unique_ptr<HBaseServer>> started = HBaseServer::Start(*engine_, {});
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  tcp::socket Connect() {
    tcp::socket socket(io_);
    socket.connect({boost::asio::ip::address_v4::loopback(), server_->port()});
    return socket;
  }
  static Bytes Header(const char* service) {
    pb::ConnectionHeader header;
    header.set_service_name(service);
    const Bytes bytes = header.SerializeAsString();
    Bytes sent = Bytes("HBas\0", 5) + static_cast<char>(80);
    AppendBigEndian(sent, static_cast<uint32_t>(bytes.size()));
    return sent + bytes;
  }
  static Bytes ReadFrame(tcp::socket& socket) {
    Bytes length(4, '\0');
    boost::system::error_code code;
    boost::asio::read(socket, boost::asio::buffer(length), code);
    if (code) return {};
    Bytes frame(ReadBigEndian<uint32_t>(length.data()), '\0');
    boost::asio::read(socket, boost::asio::buffer(frame), code);
    return frame;
  }
  bool MasterAnswers() {
    tcp::socket socket = Connect();
    pb::RequestHeader header;
    header.set_call_id(5);
    header.set_method_name("IsMasterRunning");
    header.set_request_param(false);
    Bytes body;
    AppendSized(body, header.SerializeAsString());
    Bytes sent = Header("MasterService");
    AppendBigEndian(sent, static_cast<uint32_t>(body.size()));
    boost::asio::write(socket, boost::asio::buffer(sent + body));
    Bytes frame = ReadFrame(socket);
    ByteView view = frame;
    uint64_t size = 0;
    pb::ResponseHeader answered;
    return TakeVarint(view, size) && size <= view.size() &&
           answered.ParseFromArray(view.data(), static_cast<int>(size)) && answered.call_id() == 5 &&
           !answered.has_exception();
  }

  boost::asio::io_context io_;
  std::unique_ptr<HBaseServer> server_;
};

TEST_F(WireTest, RegistryPreamble) {
  tcp::socket socket = Connect();
  boost::asio::write(socket, boost::asio::buffer("Regist", 6));
  EXPECT_THAT(ReadFrame(socket), ::testing::Not(::testing::IsEmpty()));
  EXPECT_TRUE(MasterAnswers());
}

TEST_F(WireTest, OtherAuthenticationIsRefused) {
  tcp::socket socket = Connect();
  boost::asio::write(socket, boost::asio::buffer("HBas\0\x51", 6));
  EXPECT_THAT(ReadFrame(socket), ::testing::HasSubstr("only SIMPLE authentication"));
}

TEST_F(WireTest, GarbageEndsTheConnectionOnly) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    tcp::socket socket = Connect();
    Bytes sent = i % 2 == 0 ? Header("ClientService") : Bytes();
    for (size_t size = random() % 200; size > 0; --size) sent += static_cast<char>(random());
    boost::system::error_code ignored;
    boost::asio::write(socket, boost::asio::buffer(sent), ignored);
  }
  EXPECT_TRUE(MasterAnswers());
}

TEST_F(WireTest, TooLongFramesEndTheConnection) {
  tcp::socket socket = Connect();
  Bytes sent = Header("ClientService");
  AppendBigEndian(sent, uint32_t{0xffff'ffff});
  boost::asio::write(socket, boost::asio::buffer(sent));
  EXPECT_EQ(ReadFrame(socket), "");
  EXPECT_TRUE(MasterAnswers());
}

}  // namespace
}  // namespace widerow::hbase
