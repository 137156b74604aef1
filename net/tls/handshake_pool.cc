#include "net/tls/handshake_pool.h"

#include <system_error>
#include <utility>

namespace widerow {

HandshakePool::~HandshakePool() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    ready_.NotifyAll();
  }
  for (std::thread& thread : threads) thread.join();
}

void HandshakePool::Run(const Bytes& address, Work work) {
  {
    MutexLock lock(mutex_);
    if (idle_ <= turns_.size() && threads_.size() < threads_max_) {
      try {
        threads_.emplace_back([this] { Loop(); });
      } catch (const std::system_error&) {
        if (threads_.empty()) throw;
      }
    }
    std::deque<Work>& of_address = waiting_[address];
    if (of_address.empty()) turns_.push_back(address);
    of_address.push_back(std::move(work));
  }
  ready_.NotifyOne();
}

HandshakePool::Work HandshakePool::TakeNext() {
  const auto found = waiting_.find(turns_.front());
  Work next = std::move(found->second.front());
  found->second.pop_front();
  if (found->second.empty()) {
    waiting_.erase(found);
  } else {
    turns_.push_back(std::move(turns_.front()));
  }
  turns_.pop_front();
  return next;
}

void HandshakePool::Loop() {
  for (;;) {
    Work next;
    {
      MutexLock lock(mutex_);
      ++idle_;
      while (turns_.empty() && !stopping_) ready_.Wait(mutex_);
      --idle_;
      if (turns_.empty()) return;
      next = TakeNext();
    }
    next();
  }
}

}  // namespace widerow
