// Records the steps of traced requests. system_traces.sessions and .events show the last ones. Cassandra keeps traces
// for a day; Widerow keeps the newest kTracesMax in memory, with texts of at most kTraceTextBytesMax.
#pragma once

#include <chrono>
#include <deque>
#include <map>

#include "base/mutex.h"
#include "base/uuid.h"
#include "exec/rows/outcome.h"

namespace widerow {

struct TraceEvent {
  Uuid id;  // Time-based: sorts the events of a session.
  std::string activity;
  int32_t elapsed_micros = 0;  // Since the session began.
};

struct TraceSession {
  Uuid id;
  std::string request;  // "Execute CQL3 query", as Cassandra names kinds of requests.
  std::map<std::string, std::string> parameters;
  std::shared_ptr<const ConnectionFacts> connection;  // Null: a request from inside the process.
  int64_t started_at_micros = 0;
  int32_t duration_micros = 0;
  std::vector<TraceEvent> events;
};

inline constexpr size_t kTraceTextBytesMax = 10'000;

// Returns the statement in a form safe to show: cut after the word "password", if it contains that, and after
// kTraceTextBytesMax.
std::string WithoutPassword(std::string_view statement);

// The newest traces. Thread-safe.
class TraceStore {
 public:
  static constexpr size_t kTracesMax = 1'000;

  void Add(TraceSession session) WR_EXCLUDES(mutex_);
  // Returns the sessions, oldest first.
  std::vector<std::shared_ptr<const TraceSession>> Sessions() const WR_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::deque<std::shared_ptr<const TraceSession>> sessions_ WR_GUARDED_BY(mutex_);
};

// The trace of one request; it records nothing unless the request asked for a trace. Used by one thread. The destructor
// adds it to the store.
class RequestTrace {
 public:
  RequestTrace(TraceStore& store, const RequestParameters& parameters, const char* request, std::string_view query,
               int64_t now_micros);
  ~RequestTrace();
  RequestTrace(const RequestTrace&) = delete;
  RequestTrace& operator=(const RequestTrace&) = delete;

  bool on() const { return on_; }
  void Event(std::string_view activity);
  // Fail and Complete record how the request ended. Complete returns the trace's id; empty if tracing is off.
  void Fail(const Error& error);
  Bytes Complete();
  // Records an outcome or its error, and sets the outcome's trace id.
  Result<Outcome> End(Result<Outcome> outcome);

 private:
  int32_t Elapsed() const;

  TraceStore& store_;
  const bool on_;
  const std::chrono::steady_clock::time_point begin_;
  TraceSession session_;
  bool has_password_ = false;
};

}  // namespace widerow
