// What traced requests did, step by step, and the memory of the last ones: system_traces.sessions and .events show it.
// Cassandra keeps traces for a day; here the newest kTracesMax are kept, in memory.
#pragma once

#include <chrono>
#include <deque>
#include <map>

#include "base/mutex.h"
#include "base/uuid.h"
#include "exec/rows/outcome.h"

namespace widerow {

struct TraceEvent {
  Uuid id;                      // Time-based: events of a session in their order.
  std::string activity;
  int32_t elapsed_micros = 0;   // Since the session began.
};

struct TraceSession {
  Uuid id;
  std::string request;          // "Execute CQL3 query", as Cassandra names kinds of requests.
  std::map<std::string, std::string> parameters;
  std::shared_ptr<const ConnectionFacts> connection;  // Null: from inside the process.
  int64_t started_at_micros = 0;
  int32_t duration_micros = 0;
  std::vector<TraceEvent> events;
};

// A statement as it may be shown to others: cut behind the word "password", if it has that.
std::string WithoutPassword(std::string_view statement);

// Thread-safe.
class TraceStore {
 public:
  static constexpr size_t kTracesMax = 1'000;

  void Add(TraceSession session) WR_EXCLUDES(mutex_);
  // Oldest first.
  std::vector<std::shared_ptr<const TraceSession>> Sessions() const WR_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::deque<std::shared_ptr<const TraceSession>> sessions_ WR_GUARDED_BY(mutex_);
};

// The trace of one request, which writes nothing unless the request asked for it. One thread; goes to the store when it ends.
class RequestTrace {
 public:
  RequestTrace(TraceStore& store, const RequestParameters& parameters, const char* request, std::string_view query,
               int64_t now_micros);
  ~RequestTrace();
  RequestTrace(const RequestTrace&) = delete;
  RequestTrace& operator=(const RequestTrace&) = delete;

  bool on() const { return on_; }
  void Event(std::string activity);
  // Note how the request ended. Complete answers with the trace's id, empty if it is off.
  void Fail(const Error& error);
  Bytes Complete();
  // The same of an outcome, which gets the id.
  Result<Outcome> End(Result<Outcome> outcome);

 private:
  int32_t Elapsed() const;

  TraceStore& store_;
  const bool on_;
  const std::chrono::steady_clock::time_point begin_;
  TraceSession session_;
};

}  // namespace widerow
