#include "tests/cql_runner/session.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <regex>

#include "exec/access/logins.h"
#include "parser/error_text.h"
#include "parser/parse.h"
#include "parser/print.h"
#include "planner/plan.h"
#include "types/text_form.h"

namespace widerow::cql_runner {
namespace {

std::string ErrorAnswer(const Error& error, std::string_view statement) {
  return std::string(ErrorCodeName(error.code)) + " " + FullErrorText(error, statement);
}

std::string WithWarnings(std::string answer, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) answer += "\nwarning: " + warning;
  return answer;
}

std::string HeaderLine(const ResultColumns& columns) {
  std::string line;
  for (const ResultColumn& column : columns) line += (line.empty() ? "" : " | ") + column.name;
  return line;
}

// The times in EXPLAIN ANALYZE differ from run to run. So "0.123 ms: parse 0.100, plan 0.023" is replaced by "# ms:
// parse #, plan #".
std::string WithoutTimes(std::string text) {
  if (!text.starts_with("  time     ")) return text;
  return std::regex_replace(text, std::regex("[0-9]+\\.[0-9]{3}"), "#");
}

void AppendRows(const RowsPage& page, std::vector<std::string>& lines) {
  PageReader reader(page);
  for (std::vector<ValueView> row; reader.Next(row);) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += " | ";
      line += row[i] ? WithoutTimes(FormatText(*(*page.columns)[i].type, *row[i])) : "null";
    }
    lines.push_back(std::move(line));
  }
}

std::string JoinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

}  // namespace

Session::Session(std::filesystem::path directory, LanguageOptions language, EngineOptions options)
    : directory_(std::move(directory)),
      language_(language),
      options_(options),
      clock_(std::make_shared<ManualClock>(kStartMicros)) {}

Session::~Session() {
  engine_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

Result<std::unique_ptr<Session>> Session::Open(LanguageOptions language, EngineOptions options) {
  std::string pattern = (std::filesystem::temp_directory_path() / "widerow-cql-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return ServerError("no temporary directory " + pattern);
  std::unique_ptr<Session> session(new Session(pattern, language, options));
  WR_RETURN_IF_ERROR(session->OpenEngine());
  for (const char* statement :
       {"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", "USE ks"}) {
    if (auto outcome = session->Execute(statement, 0); !outcome.ok()) return std::move(outcome).error();
  }
  return session;
}

Status Session::OpenEngine() {
  WR_ASSIGN_OR_RETURN(
      auto storage,
      OpenLmdbEngine({.directory = directory_, .map_bytes = uint64_t{4} << 30, .clock = clock_, .log = {}}));
  engine_ = std::make_unique<Engine>(std::move(storage), language_, options_);
  connections_.clear();
  if (options_.access.mode == AccessMode::kOff) return OkStatus();
  WR_RETURN_IF_ERROR(engine_->EnsureSuperuser(kDefaultPassword));
  return LogIn(kDefaultSuperuser, kDefaultPassword);
}

Status Session::LogIn(const std::string& role, const std::string& password) {
  if (const auto known = connections_.find(role); known != connections_.end()) {
    connection_ = known->second;
    return OkStatus();
  }
  ConnectionFacts facts{.client_address = Bytes("\x7f\0\0\1", 4)};
  std::promise<Result<UserPtr>> answered;
  engine_->logins()->Login({.role = role, .password = password, .address = facts.client_address},
                           [&](Result<UserPtr> user) { answered.set_value(std::move(user)); });
  WR_ASSIGN_OR_RETURN(facts.user, answered.get_future().get());
  connection_ = std::make_shared<const ConnectionFacts>(std::move(facts));
  connections_[role] = connection_;
  return OkStatus();
}

Result<Outcome> Session::Execute(std::string_view statement, uint32_t page_rows) {
  RequestParameters parameters;
  parameters.page_rows = page_rows;
  parameters.keyspace = keyspace_;
  parameters.connection = connection_;
  WR_ASSIGN_OR_RETURN(Outcome outcome, engine_->Execute(statement, parameters));
  if (const auto* use = std::get_if<UseOutcome>(&outcome.result)) keyspace_ = use->keyspace;
  return outcome;
}

std::string Session::Answer(const Block& block) {
  switch (block.kind) {
    case BlockKind::kExec: return AnswerExec(block);
    case BlockKind::kQuery: return AnswerQuery(block);
    case BlockKind::kError: {
      const Result<Outcome> outcome = Execute(block.statements, block.page_rows);
      return outcome.ok() ? "no error" : ErrorAnswer(outcome.error(), block.statements);
    }
    case BlockKind::kAst: return AnswerAst(block);
    case BlockKind::kPlan: return AnswerPlan(block);
    case BlockKind::kReopen: {
      engine_.reset();
      const Status status = OpenEngine();
      return status.ok() ? "" : ErrorAnswer(status.error(), "");
    }
    case BlockKind::kClock: clock_->Set(block.clock_micros); return "";
    case BlockKind::kLogin: {
      const Status status = LogIn(block.role, block.password);
      return status.ok() ? "" : ErrorAnswer(status.error(), "");
    }
  }
  return "";
}

std::string Session::AnswerExec(const Block& block) {
  std::vector<std::string> warnings;
  for (const StatementSpan& span : SplitStatements(block.statements)) {
    const std::string_view statement =
        std::string_view(block.statements).substr(span.range.begin, span.range.end - span.range.begin);
    Result<Outcome> outcome = Execute(statement, 0);
    if (!outcome.ok()) return ErrorAnswer(outcome.error(), statement);
    warnings.insert(warnings.end(), outcome->warnings.begin(), outcome->warnings.end());
  }
  return WithWarnings("ok", warnings);
}

std::string Session::AnswerQuery(const Block& block) {
  std::string header;
  std::vector<std::string> rows, warnings;
  RequestParameters parameters;
  parameters.keyspace = keyspace_;
  parameters.connection = connection_;
  parameters.page_rows = block.page_rows;
  if (block.pages == Pages::kAfterFirst) parameters.paging_state = kept_state_;
  do {
    Result<Outcome> outcome = engine_->Execute(block.statements, parameters);
    if (!outcome.ok()) return ErrorAnswer(outcome.error(), block.statements);
    const auto* page = std::get_if<RowsPage>(&outcome->result);
    if (page == nullptr) return WithWarnings("no rows", outcome->warnings);
    if (block.page_rows != 0 && page->row_count > block.page_rows) return "a page is longer than was asked for";
    header = HeaderLine(*page->columns);
    AppendRows(*page, rows);
    if (parameters.paging_state.empty()) warnings = outcome->warnings;
    parameters.paging_state = page->paging_state;
    if (block.shows_pages && !parameters.paging_state.empty()) rows.emplace_back("more");
    if (block.pages == Pages::kFirst) kept_state_ = parameters.paging_state;
  } while (!parameters.paging_state.empty() && block.pages != Pages::kFirst);
  if (block.unordered) std::sort(rows.begin(), rows.end());
  rows.insert(rows.begin(), header);
  return WithWarnings(JoinLines(rows), warnings);
}

std::string Session::AnswerAst(const Block& block) {
  const Result<Statement> statement = Parse(block.statements, language_.dialect);
  if (!statement.ok()) return ErrorAnswer(statement.error(), block.statements);
  const std::string printed = Print(*statement);
  const Result<Statement> again = Parse(printed, language_.dialect);
  if (!again.ok()) return "the printed statement does not parse: " + printed;
  if (!(*again == *statement)) return "the printed statement parses to another tree: " + printed;
  std::string answer = DumpAst(*statement);
  while (answer.ends_with('\n')) answer.pop_back();
  return answer;
}

std::string Session::AnswerPlan(const Block& block) {
  const Result<PreparedPtr> prepared = engine_->Prepare(block.statements, keyspace_);
  if (!prepared.ok()) return ErrorAnswer(prepared.error(), block.statements);
  return JoinLines(Explain(*(*prepared)->plan));
}

}  // namespace widerow::cql_runner
