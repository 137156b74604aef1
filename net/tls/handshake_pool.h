// Threads that compute handshakes. A handshake costs about a millisecond of processor time, so a client that only
// begins handshakes must not keep the threads of connections busy. The pool serves the addresses of clients in turn,
// one handshake each. So the next handshake of an address waits for at most one of each other address.
// Thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

class HandshakePool {
 public:
  using Work = std::function<void()>;

  explicit HandshakePool(unsigned threads_max) : threads_max_(threads_max) {}
  ~HandshakePool();  // Runs the waiting work first.
  HandshakePool(const HandshakePool&) = delete;
  HandshakePool& operator=(const HandshakePool&) = delete;

  // Runs `work` on a thread of the pool. `address` is the client's address, by which the pool takes turns. A connection
  // has at most one piece of work here, so the number of connections bounds the queue. Throws std::system_error if the
  // system allows no thread at all.
  void Run(const Bytes& address, Work work) WR_EXCLUDES(mutex_);

 private:
  void Loop() WR_EXCLUDES(mutex_);
  // Takes the first work of the address whose turn it is.
  Work TakeNext() WR_REQUIRES(mutex_);

  const unsigned threads_max_;
  Mutex mutex_;
  CondVar ready_;
  std::deque<Bytes> turns_ WR_GUARDED_BY(mutex_);                              // The addresses with work, in turn.
  std::unordered_map<Bytes, std::deque<Work>> waiting_ WR_GUARDED_BY(mutex_);  // By address. No queue is empty.
  std::vector<std::thread> threads_ WR_GUARDED_BY(mutex_);
  size_t idle_ WR_GUARDED_BY(mutex_) = 0;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
