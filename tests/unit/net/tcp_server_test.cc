#include "net/tcp_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <thread>

namespace widerow {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr auto kLongEnough = std::chrono::seconds(60);

class AskedConnection;

// Holds the requests of all connections. The test answers them on its own threads.
struct Elsewhere {
  Mutex mutex;
  TimedCondVar changed;
  std::vector<std::shared_ptr<AskedConnection>> asked WR_GUARDED_BY(mutex);
  std::atomic<int> alive{0}, aborted{0}, taken{0};

  // Waits until there are `count` requests, and takes all of them.
  std::vector<std::shared_ptr<AskedConnection>> Take(size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + kLongEnough;
    MutexLock lock(mutex);
    while (asked.size() < count && std::chrono::steady_clock::now() < deadline) changed.WaitFor(mutex, 1'000);
    EXPECT_EQ(asked.size(), count);
    return std::exchange(asked, {});
  }
};

// A connection that reads one byte, lets the test answer it, writes the answer and closes. If the server has too many
// connections, it writes '!' and closes.
class AskedConnection final : public TcpConnection {
 public:
  AskedConnection(tcp::socket socket, Elsewhere& elsewhere, bool refused)
      : socket_(std::move(socket)), changed_(socket_.get_executor()), elsewhere_(elsewhere), refused_(refused) {
    ++elsewhere_.alive;
  }
  ~AskedConnection() override { --elsewhere_.alive; }

  asio::awaitable<void> Serve() override {
    if (!refused_) {
      const auto [code, bytes] = co_await asio::async_read(socket_, asio::buffer(&byte_, 1), kTuple);
      if (code) co_return;
      {
        MutexLock lock(elsewhere_.mutex);
        elsewhere_.asked.push_back(std::static_pointer_cast<AskedConnection>(shared_from_this()));
        elsewhere_.changed.NotifyAll();
      }
      while (!answered_ && !aborted_) {
        changed_.expires_at(Clock::time_point::max());
        co_await changed_.async_wait(kTuple);
      }
    }
    if (!aborted_) co_await asio::async_write(socket_, asio::buffer(&byte_, 1), kTuple);
  }
  // Sends the answer. Any thread that has a shared_ptr to the connection may call this function.
  void Answer(char byte) {
    asio::post(socket_.get_executor(), [self = shared_from_this(), this, byte] {
      ++elsewhere_.taken;
      byte_ = byte;
      answered_ = true;
      changed_.cancel();
    });
  }
  void Stop() override {
    boost::system::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_receive, ignored);
  }
  void Abort() override {
    if (!std::exchange(aborted_, true) && !answered_) ++elsewhere_.aborted;
    boost::system::error_code ignored;
    socket_.close(ignored);
    changed_.cancel();
  }

 private:
  tcp::socket socket_;
  asio::steady_timer changed_;
  Elsewhere& elsewhere_;
  const bool refused_;
  char byte_ = '!';
  bool answered_ = false, aborted_ = false;
};

class Client {
 public:
  explicit Client(const tcp::endpoint& server) { socket_.connect(server); }
  void Send(char byte) { asio::write(socket_, asio::buffer(&byte, 1)); }
  // Returns the next byte, or nullopt if the connection ends before it.
  std::optional<char> Read() {
    char byte = 0;
    boost::system::error_code result = asio::error::would_block;
    asio::async_read(socket_, asio::buffer(&byte, 1),
                     [&](const boost::system::error_code& code, size_t) { result = code; });
    io_.restart();
    io_.run_for(kLongEnough);
    EXPECT_NE(result, asio::error::would_block) << "neither answered nor closed";
    return result ? std::nullopt : std::optional(byte);
  }

 private:
  asio::io_context io_;
  tcp::socket socket_{io_};
};

class TcpServerTest : public ::testing::Test {
 protected:
  void Start(const TcpServerOptions& options) {
    server_.emplace(options, [this](tcp::socket socket, Admission admission) {
      return std::make_unique<AskedConnection>(std::move(socket), elsewhere_, admission != Admission::kServed);
    });
    const auto listening = server_->Listen("127.0.0.1", 0);
    ASSERT_TRUE(listening.ok());
    at_ = *listening;
    server_->Run();
  }
  std::vector<std::unique_ptr<Client>> Ask(size_t count) {
    std::vector<std::unique_ptr<Client>> clients;
    for (size_t i = 0; i < count; ++i) {
      clients.push_back(std::make_unique<Client>(at_));
      clients.back()->Send('?');
    }
    return clients;
  }

  Elsewhere elsewhere_;
  tcp::endpoint at_;
  std::optional<TcpServer> server_;
};

TEST_F(TcpServerTest, StopAnswersWhatEndsElsewhereConcurrency) {
  Start({.threads = 2});
  auto clients = Ask(20);
  auto asked = elsewhere_.Take(20);
  std::atomic<bool> stopped{false};
  std::thread stopping([&] {
    server_->Stop();
    stopped = true;
  });
  // The test does not answer one of the requests yet, so Stop must wait for it.
  for (size_t i = 0; i + 1 < asked.size(); ++i) {
    std::thread([held = std::move(asked[i])]() mutable { held->Answer('a'); }).detach();
  }
  for (size_t i = 0; i < 10; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(stopped.load());
  asked.back()->Answer('a');
  asked.clear();
  stopping.join();
  EXPECT_EQ(elsewhere_.alive.load(), 0);
  EXPECT_EQ(elsewhere_.taken.load(), 20);
  EXPECT_EQ(elsewhere_.aborted.load(), 0);
  server_.reset();
  for (auto& client : clients) EXPECT_EQ(client->Read(), 'a');
}

TEST_F(TcpServerTest, WhatEndsAfterTheGraceTimeFindsItsThreadConcurrency) {
  Start({.threads = 2, .stop_grace_ms = 1});
  auto clients = Ask(20);
  auto asked = elsewhere_.Take(20);
  std::thread stopping([&] { server_.reset(); });
  // Each connection was aborted without an answer.
  for (auto& client : clients) EXPECT_EQ(client->Read(), std::nullopt);
  EXPECT_EQ(elsewhere_.aborted.load(), 20);
  std::vector<std::thread> others;
  for (auto& connection : asked) {
    others.emplace_back([held = std::move(connection)]() mutable {
      held->Answer('a');
      held.reset();
    });
  }
  stopping.join();
  EXPECT_EQ(elsewhere_.alive.load(), 0);
  // The posted handler of every answer has run. None was left in an io_context that was destroyed.
  EXPECT_EQ(elsewhere_.taken.load(), 20);
  for (std::thread& other : others) other.join();
}

TEST_F(TcpServerTest, AConnectionCountsUntilItsWorkHasEnded) {
  Start({.threads = 1, .admissions = {.connections_max = 2}});
  auto clients = Ask(2);
  auto asked = elsewhere_.Take(2);
  server_->ForEach([](TcpConnection& connection) { connection.Abort(); });
  for (auto& client : clients) EXPECT_EQ(client->Read(), std::nullopt);
  // The connections are closed, but their requests are still running. So they still count as connections.
  EXPECT_EQ(Client(at_).Read(), '!');
  const auto deadline = std::chrono::steady_clock::now() + kLongEnough;
  for (auto& connection : asked) {
    while (connection.use_count() > 1 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  }
  // Only the test still has references to the two connections, so they end now. The connection of the refused client
  // may still exist.
  asked.clear();
  auto next = Ask(1);
  elsewhere_.Take(1)[0]->Answer('a');
  EXPECT_EQ(next[0]->Read(), 'a');
}

TEST_F(TcpServerTest, AConnectionThatCannotBeMadeDoesNotCount) {
  std::atomic<int> failures{5};
  const TcpServerOptions options{.threads = 2, .admissions = {.connections_max = 2}};
  server_.emplace(options, [&](tcp::socket socket, Admission admission) {
    if (failures-- > 0) throw std::bad_alloc();
    return std::make_unique<AskedConnection>(std::move(socket), elsewhere_, admission != Admission::kServed);
  });
  const auto listening = server_->Listen("127.0.0.1", 0);
  ASSERT_TRUE(listening.ok());
  at_ = *listening;
  server_->Run();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Client(at_).Read(), std::nullopt);
  auto clients = Ask(2);
  for (auto& asked : elsewhere_.Take(2)) asked->Answer('a');
  for (auto& client : clients) EXPECT_EQ(client->Read(), 'a');
  // Stop must not wait for the connections that could not be made.
  server_->Stop();
}

TEST_F(TcpServerTest, StopsWithoutHavingRun) {
  TcpServer server({}, [](tcp::socket, Admission) { return nullptr; });
  ASSERT_TRUE(server.Listen("127.0.0.1", 0).ok());
  server.Stop();
  server.Stop();
}

}  // namespace
}  // namespace widerow
