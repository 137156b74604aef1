#include "net/hbase/thrift/thrift_server.h"

#include <thrift/TOutput.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include <algorithm>
#include <future>
#include <thread>

#include "base/text.h"
#include "net/hbase/thrift/call_memory.h"
#include "net/hbase/thrift/thrift_handler.h"
#include "net/hbase/wire/hbase_server.h"

namespace widerow::hbase {

namespace {

namespace ts = ::apache::thrift::server;
namespace tt = ::apache::thrift::transport;
namespace tp = ::apache::thrift::protocol;

// Lets a thread wait until the server listens or has failed.
class Listening final : public ts::TServerEventHandler {
 public:
  void preServe() override { listens_.set_value(std::string()); }
  // Tells the waiting thread that the server cannot listen.
  void Fail(const std::string& reason) {
    if (!failed_.exchange(true)) {
      try {
        listens_.set_value(reason);
      } catch (const std::future_error&) {
        // The value is already set, because the server was listening. Wait does not need the reason.
      }
    }
  }
  std::string Wait() { return listens_.get_future().get(); }

 private:
  std::promise<std::string> listens_;
  std::atomic<bool> failed_{false};
};

// Counts the memory of each call.
class CountMemory final : public ::apache::thrift::TProcessorEventHandler {
 public:
  explicit CountMemory(MemoryBudget& budget) : budget_(budget) {}
  void* getContext(const char*, void*) override { return std::make_unique<CallMemory>(budget_).release(); }
  void freeContext(void* call, const char*) override { std::unique_ptr<CallMemory>(static_cast<CallMemory*>(call)); }

 private:
  MemoryBudget& budget_;
};

// Thrift's binary protocol. In a request, the length of a string or list comes before its contents. So this class
// counts the memory of a string or list before it is made. If there is no memory, an exception ends the connection.
class CountedProtocol final : public tp::TBinaryProtocol {
 public:
  explicit CountedProtocol(std::shared_ptr<tt::TTransport> transport) : TBinaryProtocolT(std::move(transport)) {}

  uint32_t readMessageBegin_virt(std::string& name, tp::TMessageType& type, int32_t& id) override {
    setStringSizeLimit(kNameBytesMax);
    const uint32_t bytes = readMessageBegin(name, type, id);
    setStringSizeLimit(0);
    return bytes;
  }
  uint32_t readString_virt(std::string& text) override {
    int32_t size = 0;
    const uint32_t bytes = readI32(size);
    Count(static_cast<size_t>(std::max(size, 0)));
    return bytes + readStringBody(text, size);
  }
  uint32_t readBinary_virt(std::string& text) override { return readString_virt(text); }

 private:
  static constexpr int32_t kNameBytesMax = 1'024;
  static constexpr size_t kElementBytes = 128;  // The memory of an element of a list, without its strings.

  static void Count(size_t bytes) {
    if (!CallMemory::AddRequest(bytes)) throw tp::TProtocolException(tp::TProtocolException::SIZE_LIMIT, "no memory");
  }
  void checkReadBytesAvailable(tp::TSet& set) override { Count(set.size_ * kElementBytes); }
  void checkReadBytesAvailable(tp::TList& list) override { Count(list.size_ * kElementBytes); }
  void checkReadBytesAvailable(tp::TMap& map) override { Count(map.size_ * kElementBytes); }
};

class CountedProtocols final : public tp::TProtocolFactory {
 public:
  std::shared_ptr<tp::TProtocol> getProtocol(std::shared_ptr<tt::TTransport> transport) override {
    return std::make_shared<CountedProtocol>(std::move(transport));
  }
};

std::shared_ptr<::apache::thrift::TProcessor> MakeProcessor(HBaseServer& hbase) {
  auto processor = std::make_shared<thrift::HbaseProcessor>(std::make_shared<ThriftHandler>(hbase.services()));
  processor->setEventHandler(std::make_shared<CountMemory>(hbase.memory()));
  return processor;
}

class ThreadedThriftServer final : public ThriftServer {
 public:
  ThreadedThriftServer(HBaseServer& hbase, const ThriftOptions& options)
      : options_(options),
        socket_(std::make_shared<tt::TServerSocket>(options.listen, options.port)),
        server_(MakeProcessor(hbase), socket_, Transports(options), std::make_shared<CountedProtocols>()) {
    socket_->setRecvTimeout(kStallMs);
    socket_->setSendTimeout(kStallMs);
    server_.setServerEventHandler(listening_);
    server_.setConcurrentClientLimit(static_cast<int64_t>(options.connections_max));
  }
  ~ThreadedThriftServer() override { Stop(); }

  Status Start() {
    thread_ = std::thread([this] {
      try {
        server_.serve();
      } catch (const std::exception& failure) { listening_->Fail(failure.what()); }
    });
    const std::string reason = listening_->Wait();
    if (reason.empty()) return OkStatus();
    return ServerError(
        StrCat("the Thrift port ", options_.port, " on ", options_.listen, " cannot be opened: ", reason),
        "choose another --hbase-thrift-port; 0 takes any free port");
  }
  void Stop() override {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }
  std::string address() const override { return StrCat(options_.listen, ":", socket_->getPort()); }

 private:
  static std::shared_ptr<tt::TTransportFactory> Transports(const ThriftOptions& options) {
    if (options.framed) return std::make_shared<tt::TFramedTransportFactory>();
    return std::make_shared<tt::TBufferedTransportFactory>();
  }

  // A client that sends nothing for this time is disconnected, as by HBase's server.
  static constexpr int kStallMs = 60'000;

  const ThriftOptions options_;
  const std::shared_ptr<Listening> listening_ = std::make_shared<Listening>();
  const std::shared_ptr<tt::TServerSocket> socket_;
  ts::TThreadedServer server_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<ThriftServer>> ThriftServer::Start(HBaseServer& hbase, const ThriftOptions& options) {
  ::apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
  auto server = std::make_unique<ThreadedThriftServer>(hbase, options);
  WR_RETURN_IF_ERROR(server->Start());
  return std::unique_ptr<ThriftServer>(std::move(server));
}

}  // namespace widerow::hbase
