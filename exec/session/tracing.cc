#include "exec/session/tracing.h"

#include <algorithm>

#include "base/text.h"

namespace widerow {

void TraceStore::Add(TraceSession session) {
  auto shared = std::make_shared<const TraceSession>(std::move(session));
  MutexLock lock(mutex_);
  sessions_.push_back(std::move(shared));
  if (sessions_.size() > kTracesMax) sessions_.pop_front();
}

std::vector<std::shared_ptr<const TraceSession>> TraceStore::Sessions() const {
  MutexLock lock(mutex_);
  return {sessions_.begin(), sessions_.end()};
}

namespace {

constexpr std::string_view kWord = "password";

std::string_view::iterator FindWord(std::string_view statement) {
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  return std::search(statement.begin(), statement.end(), kWord.begin(), kWord.end(), same);
}

// Returns the beginning of a text, as whole code points.
std::string Beginning(std::string_view text) {
  if (text.size() <= kTraceTextBytesMax) return std::string(text);
  size_t end = kTraceTextBytesMax;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return StrCat(text.substr(0, end), "…");
}

}  // namespace

std::string WithoutPassword(std::string_view statement) {
  const auto found = FindWord(statement);
  if (found == statement.end()) return Beginning(statement);
  return Beginning(std::string(statement.begin(), found + kWord.size()) + " *******");
}

RequestTrace::RequestTrace(TraceStore& store, const RequestParameters& parameters, const char* request,
                           std::string_view query, int64_t now_micros)
    : store_(store),
      on_(parameters.trace),
      begin_(on_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point()) {
  if (!on_) return;
  session_.id = Uuid::TimeBased(now_micros);
  session_.request = request;
  has_password_ = FindWord(query) != query.end();
  session_.parameters["query"] = WithoutPassword(query);
  if (parameters.page_rows > 0) session_.parameters["page_size"] = std::to_string(parameters.page_rows);
  session_.connection = parameters.connection;
  session_.started_at_micros = now_micros;
}

RequestTrace::~RequestTrace() {
  if (!on_) return;
  session_.duration_micros = Elapsed();
  store_.Add(std::move(session_));
}

int32_t RequestTrace::Elapsed() const {
  const auto spent = std::chrono::steady_clock::now() - begin_;
  return static_cast<int32_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
}

void RequestTrace::Event(std::string_view activity) {
  if (!on_) return;
  const int32_t elapsed = Elapsed();
  session_.events.push_back({Uuid::TimeBased(session_.started_at_micros + elapsed), Beginning(activity), elapsed});
}

// If the statement has a password, an error may quote the password. Then only the code of the error is recorded.
void RequestTrace::Fail(const Error& error) {
  if (!on_) return;
  Event("Request failed: " + (has_password_ ? ErrorCodeName(error.code) : error.message));
}

Bytes RequestTrace::Complete() {
  if (!on_) return {};
  Event("Request complete");
  return Bytes(session_.id.view());
}

Result<Outcome> RequestTrace::End(Result<Outcome> outcome) {
  if (!on_) return outcome;
  if (!outcome.ok()) {
    Fail(outcome.error());
    return outcome;
  }
  if (const auto* page = std::get_if<RowsPage>(&outcome->result)) {
    Event("Read " + std::to_string(page->row_count) + " rows, " + std::to_string(page->body.size()) + " bytes" +
          (page->paging_state.empty() ? "" : "; more remain"));
  }
  outcome->trace_id = Complete();
  return outcome;
}

}  // namespace widerow
