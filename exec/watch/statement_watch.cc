#include "exec/watch/statement_watch.h"

#include <time.h>

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "exec/access/user.h"
#include "parser/masked_text.h"
#include "parser/source_text.h"
#include "types/scalar_text.h"

namespace widerow {

namespace {

constexpr size_t kTextBytesMax = 2'048;
// The greatest number of slow statements that are logged in one second. If all statements are slow, the log must not
// make them slower.
constexpr uint32_t kSlowPerSecondMax = 100;
constexpr uint32_t kFaultsPerSecondMax = 10;
// If a statement must take at least this time to count as slow, the coarse clock is exact enough.
constexpr std::chrono::milliseconds kCoarseFrom{100};

std::chrono::nanoseconds ReadClock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

bool ContainsPassword(std::string_view text) {
  constexpr std::string_view kWord = "password";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  return std::search(text.begin(), text.end(), kWord.begin(), kWord.end(), same) != text.end();
}

// Replaces bytes that are not UTF-8. A text that does not parse may have such bytes.
std::string ValidUtf8(std::string text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = Utf8SequenceLength(std::string_view(text).substr(at));
    if (length == 0) text[at] = '?';
    at += std::max<size_t>(length, 1);
  }
  return text;
}

// Cuts a long text after a whole code point.
std::string Shortened(std::string text) {
  if (text.size() <= kTextBytesMax) return text;
  size_t end = kTextBytesMax;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text + "…";
}

std::string AddressText(ByteView address, int32_t port) {
  const std::string host = InetText(address);
  if (port == 0) return host;
  return address.size() == 4 ? StrCat(host, ":", port) : StrCat("[", host, "]:", port);
}

double Milliseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(time).count()) / 1'000;
}

// Adds the fields that say where the request came from.
void AddOrigin(const WatchedRequest& request, std::vector<LogField>& fields) {
  const bool named = request.plan != nullptr && !request.plan->tables.empty();
  const std::string_view keyspace = named ? std::string_view(request.plan->tables[0]->keyspace) : request.keyspace;
  if (!keyspace.empty()) fields.push_back({"keyspace", std::string(keyspace)});
  const ConnectionFacts* const client = request.client;
  if (client == nullptr) return;
  if (!client->client_address.empty()) {  // The server's own statements come from no address.
    fields.push_back({"client", AddressText(client->client_address, client->client_port)});
  }
  fields.push_back({"role", client->user == nullptr ? std::string("anonymous") : client->user->role()});
}

}  // namespace

AuditCategory CategoryOf(const Plan& plan) {
  return std::visit(Overloaded{
                        [](const SelectPlan&) { return AuditCategory::kQuery; },
                        [](const ModifyPlan&) { return AuditCategory::kDml; },
                        [](const BatchPlan&) { return AuditCategory::kDml; },
                        [](const TruncatePlan&) { return AuditCategory::kDdl; },
                        [](const DdlPlan&) { return AuditCategory::kDdl; },
                        [](const RolePlan&) { return AuditCategory::kDcl; },
                        [](const UsePlan&) { return AuditCategory::kOther; },
                        [](const DescribePlan&) { return AuditCategory::kOther; },
                        [](const AdvisePlan&) { return AuditCategory::kOther; },
                        [](const ExplainPlan& explain) {
                          return explain.analyze ? CategoryOf(*explain.plan) : AuditCategory::kOther;
                        },
                    },
                    plan.node);
}

StatementLog::StatementLog(WatchOptions options)
    : options_(std::move(options)),
      audits_(options_.audit.any() && options_.audit_log),
      on_(options_.log || audits_),
      coarse_(!options_.audit.any() && (options_.slow_from.count() == 0 || options_.slow_from >= kCoarseFrom)) {}

std::chrono::nanoseconds StatementLog::Now() const {
  return ReadClock(coarse_ ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC);
}

void StatementLog::EndRequest(const WatchedRequest& request, std::chrono::nanoseconds took) {
  if (IsSlow(took) && options_.log) [[unlikely]]
    LogSlow(request, took);
  if (request.error != nullptr && IsFault(*request.error) && options_.log) [[unlikely]]
    LogFault(request);
  if (audits_ && IsAudited(request)) [[unlikely]]
    Audit(request, took);
}

bool StatementLog::IsAudited(const WatchedRequest& request) const {
  if (options_.audit.Has(request.category)) return true;
  if (request.error == nullptr) return false;
  const bool refused = request.error->code == ErrorCode::kUnauthorized;
  return options_.audit.Has(AuditCategory::kError) || (refused && options_.audit.Has(AuditCategory::kAuth));
}

std::string StatementLog::TextOf(const WatchedRequest& request) const {
  if (!options_.literals || ContainsPassword(request.text)) return Shortened(ValidUtf8(MaskedText(request.text)));
  return Shortened(ValidUtf8(std::string(request.text)));
}

bool StatementLog::Rate::Admit(int64_t second, uint32_t max, uint64_t& left_out) {
  if (second_.exchange(second, std::memory_order_relaxed) != second) logged_.store(0, std::memory_order_relaxed);
  if (logged_.fetch_add(1, std::memory_order_relaxed) >= max) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  left_out = left_out_.exchange(0, std::memory_order_relaxed);
  return true;
}

void StatementLog::LogSlow(const WatchedRequest& request, std::chrono::nanoseconds took) {
  uint64_t left_out = 0;
  if (!slow_rate_.Admit(Second(), kSlowPerSecondMax, left_out)) return;
  std::vector<LogField> fields{{"duration_ms", Milliseconds(took)}};
  if (request.rows_examined) fields.push_back({"rows_examined", static_cast<int64_t>(*request.rows_examined)});
  if (request.rows_returned) fields.push_back({"rows_returned", static_cast<int64_t>(*request.rows_returned)});
  AddOrigin(request, fields);
  if (request.error != nullptr) fields.push_back({"error", std::string(ErrorCodeName(request.error->code))});
  if (left_out > 0) fields.push_back({"left_out", static_cast<int64_t>(left_out)});
  options_.log({LogLevel::kWarning, "slow", TextOf(request), std::move(fields)});
}

void StatementLog::LogFault(const WatchedRequest& request) {
  uint64_t left_out = 0;
  if (!fault_rate_.Admit(Second(), kFaultsPerSecondMax, left_out)) return;
  std::vector<LogField> fields;
  AddOrigin(request, fields);
  fields.push_back({"statement", TextOf(request)});
  if (left_out > 0) fields.push_back({"left_out", static_cast<int64_t>(left_out)});
  options_.log({LogLevel::kError, "statement", request.error->message, std::move(fields)});
}

void StatementLog::Audit(const WatchedRequest& request, std::chrono::nanoseconds took) {
  std::vector<LogField> fields{{"category", std::string(AuditCategoryName(request.category))}};
  const bool refused = request.error != nullptr && request.error->code == ErrorCode::kUnauthorized;
  fields.push_back({"result", std::string(request.error == nullptr ? "ok" : refused ? "refused" : "failed")});
  if (request.error != nullptr) fields.push_back({"error", std::string(ErrorCodeName(request.error->code))});
  fields.push_back({"duration_ms", Milliseconds(took)});
  AddOrigin(request, fields);
  options_.audit_log({LogLevel::kInfo, "audit", TextOf(request), std::move(fields)});
}

void StatementLog::EndLogin(const std::string& role, ByteView address, const Error* error) {
  if (!options_.audit_log || !options_.audit.Has(AuditCategory::kAuth)) return;
  std::vector<LogField> fields{{"category", std::string(AuditCategoryName(AuditCategory::kAuth))},
                               {"result", std::string(error == nullptr ? "ok" : "refused")}};
  if (error != nullptr) fields.push_back({"error", std::string(ErrorCodeName(error->code))});
  fields.push_back({"client", AddressText(address, 0)});
  fields.push_back({"role", role});
  options_.audit_log({LogLevel::kInfo, "audit", "login", std::move(fields)});
}

std::string TextOfBatch(std::span<const BatchEntry> entries) {
  std::string text = "BEGIN BATCH";
  std::string_view before;
  for (const BatchEntry& entry : entries) {
    if (text.size() > kTextBytesMax) break;
    const std::string_view part = entry.text.empty() ? std::string_view(entry.statement->text) : entry.text;
    if (part != before) text += StrCat(" ", part, ";");
    before = part;
  }
  return text + " APPLY BATCH";
}

OutcomeCallback Watched(std::shared_ptr<StatementLog> log, const PreparedPtr& statement,
                        const RequestParameters& parameters, OutcomeCallback done) {
  const std::chrono::nanoseconds begun = log->Now();
  return [log = std::move(log), statement, begun, text = std::string(parameters.text),
          connection = parameters.connection, done = std::move(done)](Result<Outcome> outcome) {
    const Error* const error = outcome.ok() ? nullptr : &outcome.error();
    if (const auto took = log->Now() - begun; !log->Skips(error, took)) [[unlikely]] {
      log->EndRequest({.text = text.empty() ? std::string_view(statement->text) : std::string_view(text),
                       .keyspace = {},
                       .client = connection.get(),
                       .plan = statement->plan.get(),
                       .category = AuditCategory::kDml,
                       .error = error,
                       .rows_examined = {},
                       .rows_returned = {}},
                      took);
    }
    done(std::move(outcome));
  };
}

void StatementWatch::Tell(const Error* error, uint64_t rows_returned, std::chrono::nanoseconds took) {
  // Logs nothing if the request runs again: on another thread, or from its own text. It is logged after the last run.
  if (parameters_.ran_long != nullptr && *parameters_.ran_long) return;
  if (error != nullptr && parameters_.text_follows && IsAboutText(*error)) return;
  WatchedRequest request{.text = text_,
                         .keyspace = parameters_.keyspace,
                         .client = parameters_.connection.get(),
                         .plan = plan_,
                         .category = category_.value_or(AuditCategory::kError),
                         .error = error};
  if (request.client == nullptr) request.client = parameters_.client.get();
  if (plan_ != nullptr) {
    request.category = CategoryOf(*plan_);
    if (request.category == AuditCategory::kQuery) {
      request.rows_examined = examined_.load(std::memory_order_relaxed);
      request.rows_returned = rows_returned;
    }
  }
  log_.EndRequest(request, took);
}

}  // namespace widerow
