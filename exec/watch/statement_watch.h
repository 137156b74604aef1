// Logs slow statements and those that fail by a fault of the server, and audits statements and logins
// (docs/operate/logs.md). Texts are logged without constants, unless the operator asks for constants. Passwords are
// never logged.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "exec/prepared/prepared_statement.h"
#include "exec/watch/watch_options.h"
#include "planner/plan.h"

namespace widerow {

using OutcomeCallback = std::function<void(Result<Outcome>)>;

// Returns the category of a planned statement. The category of EXPLAIN ANALYZE is that of its inner statement, which
// it runs.
AuditCategory CategoryOf(const Plan& plan);

// Returns a text for a batch that a client has put together. Consecutive equal statements appear in it once.
std::string TextOfBatch(std::span<const BatchEntry> entries);

// Returns a callback that logs the end of a write and then calls `done`. For writes that the storage's thread
// completes.
OutcomeCallback Watched(std::shared_ptr<class StatementLog> log, const PreparedPtr& statement,
                        const RequestParameters& parameters, OutcomeCallback done);

// True if the error's message may quote the text of the statement. If the plan was made from another text, the message
// may quote that text.
inline bool IsAboutText(const Error& error) {
  return error.code == ErrorCode::kInvalid || error.code == ErrorCode::kSyntaxError || error.range;
}

// A request that has ended.
struct WatchedRequest {
  std::string_view text;                    // The statement, or the text of a batch (TextOfBatch).
  std::string_view keyspace;                // The keyspace of names without a keyspace; may be empty.
  const ConnectionFacts* client = nullptr;  // Null: a request from inside the process.
  const Plan* plan = nullptr;               // Null: the text has no plan, for example because of a syntax error.
  AuditCategory category = AuditCategory::kError;
  const Error* error = nullptr;  // Null: it succeeded.
  std::optional<uint64_t> rows_examined, rows_returned;
};

// Thread-safe.
class StatementLog {
 public:
  explicit StatementLog(WatchOptions options);

  // True if statements must be watched.
  bool on() const { return on_; }
  // Returns the time of the clock that measures `took`.
  std::chrono::nanoseconds Now() const;
  // True if a request that ended like this is not logged. `error`: null if it succeeded.
  bool Skips(const Error* error, std::chrono::nanoseconds took) const {
    return !audits_ && !IsSlow(took) && (error == nullptr || !IsFault(*error));
  }
  // Logs the request if it was slow, or failed by a fault of the server. Audits it if its category is audited, or if it
  // failed and such errors are audited.
  void EndRequest(const WatchedRequest& request, std::chrono::nanoseconds took);
  // Audits a login. `error` is null if it succeeded.
  void EndLogin(const std::string& role, ByteView address, const Error* error);

 private:
  // Lets at most `max` entries of a kind into the log in one second.
  class Rate {
   public:
    // Returns false if `max` entries were already logged in this second. Sets `left_out` to the number of entries that
    // were left out before this one.
    bool Admit(int64_t second, uint32_t max, uint64_t& left_out);

   private:
    std::atomic<int64_t> second_{0};
    std::atomic<uint32_t> logged_{0};
    std::atomic<uint64_t> left_out_{0};
  };

  bool IsSlow(std::chrono::nanoseconds took) const {
    return options_.slow_from.count() > 0 && took >= options_.slow_from;
  }
  // True if the server could not do what it should, for example because a page is damaged.
  static bool IsFault(const Error& error) { return error.code == ErrorCode::kServerError; }
  bool IsAudited(const WatchedRequest& request) const;
  std::string TextOf(const WatchedRequest& request) const;
  void LogSlow(const WatchedRequest& request, std::chrono::nanoseconds took);
  void LogFault(const WatchedRequest& request);
  void Audit(const WatchedRequest& request, std::chrono::nanoseconds took);
  int64_t Second() const { return std::chrono::duration_cast<std::chrono::seconds>(Now()).count(); }

  const WatchOptions options_;
  const bool audits_;
  const bool on_;
  const bool coarse_;  // True if Now reads the clock that costs less, which advances every few milliseconds.
  Rate slow_rate_, fault_rate_;
};

// Watches one request. Used by one thread. Does nothing if the log is off. Borrows the arguments.
class StatementWatch {
 public:
  StatementWatch(StatementLog& log, std::string_view text, const RequestParameters& parameters)
      : log_(log), text_(parameters.text.empty() ? text : parameters.text), parameters_(parameters) {
    if (log.on()) begun_ = log.Now();
  }

  bool on() const { return log_.on(); }
  // Notes the plan that is run, which must live until End. Null: no plan yet.
  void Runs(const Plan* plan) { plan_ = plan; }
  // Notes the category of a request without a plan.
  void Is(AuditCategory category) { category_ = category; }
  // Scans add the rows that they examine to this counter.
  std::atomic<uint64_t>* examined() { return on() ? &examined_ : nullptr; }

  // Records the end of the request. Returns the outcome.
  Result<Outcome> End(Result<Outcome> outcome) {
    if (on()) [[unlikely]] {
      const auto* const page = outcome.ok() ? std::get_if<RowsPage>(&outcome->result) : nullptr;
      EndWith(outcome.ok() ? nullptr : &outcome.error(), page == nullptr ? 0 : page->row_count);
    }
    return outcome;
  }
  // Records the end of a request that has no Outcome. `error`: null if it succeeded.
  void EndWith(const Error* error, uint64_t rows_returned) {
    if (!on()) return;
    if (const auto took = log_.Now() - begun_; !log_.Skips(error, took)) [[unlikely]]
      Tell(error, rows_returned, took);
  }

 private:
  void Tell(const Error* error, uint64_t rows_returned, std::chrono::nanoseconds took);

  StatementLog& log_;
  const std::string_view text_;
  const RequestParameters& parameters_;
  std::chrono::nanoseconds begun_{0};
  const Plan* plan_ = nullptr;
  std::optional<AuditCategory> category_;
  std::atomic<uint64_t> examined_{0};
};

}  // namespace widerow
