#include "tests/cql_runner/session.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <regex>

#include "exec/access/logins.h"
#include "exec/select/show_rows.h"
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

std::string JoinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

// The times in EXPLAIN ANALYZE differ from run to run. So "0.123 ms: parse 0.100, plan 0.023" is replaced by "# ms:
// parse #, plan #".
std::string WithoutTimes(std::string text) {
  if (!text.starts_with("  time     ")) return text;
  return std::regex_replace(text, std::regex("[0-9]+\\.[0-9]{3}"), "#");
}

std::string RowLine(const ResultColumns& columns, std::span<const ByteView> values) {
  std::string line;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) line += " | ";
    line += values[i].data() != nullptr ? WithoutTimes(FormatText(*columns[i].type, values[i])) : "null";
  }
  return line;
}

// Makes a line of each row.
class RowLines final : public RowViewer {
 public:
  explicit RowLines(ResultColumnsPtr columns = nullptr) : columns_(std::move(columns)) {}
  void Begin(const ResultColumnsPtr& columns) override { columns_ = columns; }
  bool Show(std::span<const ByteView> values) override {
    lines_.push_back(RowLine(*columns_, values));
    return true;
  }
  const ResultColumns& columns() const { return *columns_; }
  std::vector<std::string>& lines() { return lines_; }

 private:
  ResultColumnsPtr columns_;
  std::vector<std::string> lines_;
};

void AppendRows(const RowsPage& page, std::vector<std::string>& lines) {
  RowLines made(page.columns);
  ShowPage(page, made);
  lines.insert(lines.end(), made.lines().begin(), made.lines().end());
}

// Returns the answer of a query.
std::string RowsAnswer(const Block& block, const ResultColumns& columns, std::vector<std::string> rows) {
  if (block.unordered) std::sort(rows.begin(), rows.end());
  rows.insert(rows.begin(), HeaderLine(columns));
  return JoinLines(rows);
}

// Returns the text of `hint` after `marker`. Empty if `marker` does not occur.
std::string After(const std::string& hint, std::string_view marker) {
  const size_t at = hint.find(marker);
  return at == std::string::npos ? "" : hint.substr(at + marker.size());
}

// Returns statements that must run according to the hint of a refused `statement`: for a SELECT, one SELECT for each
// WHERE clause in the hint; for an UPDATE or DELETE, a DELETE with the whole key.
std::vector<std::string> OfferedForms(const Statement& statement, const std::string& hint) {
  std::vector<std::string> forms;
  const auto name = [](const QualifiedName& table) {
    return (table.keyspace ? QuoteIdentifier(table.keyspace->text) + "." : "") + QuoteIdentifier(table.name.text);
  };
  if (const auto* select = std::get_if<SelectStatement>(&statement.node)) {
    std::string rest = After(hint, "these would run: ");
    while (rest.starts_with("WHERE ")) {
      const size_t end = rest.find(", or ");
      forms.push_back("SELECT * FROM " + name(select->table) + " " + rest.substr(0, end));
      rest = end == std::string::npos ? "" : rest.substr(end + 5);
    }
    return forms;
  }
  const auto* update = std::get_if<UpdateStatement>(&statement.node);
  const auto* deletion = std::get_if<DeleteStatement>(&statement.node);
  const std::string key = After(hint, ": give ");
  if ((update != nullptr || deletion != nullptr) && hint.starts_with("the key is ") && !key.empty())
    forms.push_back("DELETE FROM " + name(update != nullptr ? update->table : deletion->table) + " WHERE " + key);
  return forms;
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
    case BlockKind::kQuery: return AnswerQuery(block, nullptr);
    case BlockKind::kError: return AnswerError(block);
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

std::string Session::AnswerError(const Block& block) {
  const Result<Outcome> outcome = Execute(block.statements, block.page_rows);
  if (outcome.ok()) return "no error";
  return ErrorAnswer(outcome.error(), block.statements) + RefusedForms(outcome.error(), block);
}

std::string Session::RefusedForms(const Error& error, const Block& block) const {
  const Result<Statement> statement = Parse(block.statements, language_.dialect);
  if (!statement.ok()) return {};
  std::string refused;
  for (const std::string& form : OfferedForms(*statement, error.hint)) {
    const Result<PreparedPtr> prepared = engine_->Prepare(form, keyspace_);
    if (!prepared.ok()) refused += "\nthe hint offers a refused statement: " + form;
  }
  return refused;
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

std::string Session::AnswerQuery(const Block& block, const SnapshotPtr& snapshot) {
  ResultColumnsPtr columns;
  std::vector<std::string> rows, warnings;
  RequestParameters parameters;
  parameters.keyspace = keyspace_;
  parameters.connection = connection_;
  parameters.page_rows = block.page_rows;
  parameters.snapshot = snapshot;
  if (block.pages == Pages::kAfterFirst) parameters.paging_state = kept_state_;
  do {
    Result<Outcome> outcome = engine_->Execute(block.statements, parameters);
    if (!outcome.ok()) return ErrorAnswer(outcome.error(), block.statements);
    const auto* page = std::get_if<RowsPage>(&outcome->result);
    if (page == nullptr) return WithWarnings("no rows", outcome->warnings);
    if (block.page_rows != 0 && page->row_count > block.page_rows) return "a page is longer than was asked for";
    columns = page->columns;
    AppendRows(*page, rows);
    if (parameters.paging_state.empty()) warnings = outcome->warnings;
    parameters.paging_state = page->paging_state;
    if (block.shows_pages && !parameters.paging_state.empty()) rows.emplace_back("more");
    if (block.pages == Pages::kFirst) kept_state_ = parameters.paging_state;
  } while (!parameters.paging_state.empty() && block.pages != Pages::kFirst);
  return WithWarnings(RowsAnswer(block, *columns, std::move(rows)), warnings);
}

bool Session::IsSelect(const Block& block) const {
  const Result<Statement> statement = Parse(block.statements, language_.dialect);
  return statement.ok() && std::holds_alternative<SelectStatement>(statement->node);
}

std::string Session::SnapshotAnswer(const Block& block) {
  if (!IsSelect(block)) return Answer(block);
  const Result<SnapshotPtr> snapshot = engine_->OpenSnapshot();
  if (!snapshot.ok()) return ErrorAnswer(snapshot.error(), block.statements);
  std::string answer = AnswerQuery(block, *snapshot);
  engine_->snapshots().Close((*snapshot)->id());
  return answer;
}

std::string Session::ShownAnswer(const Block& block) {
  if (!IsSelect(block)) return Answer(block);
  const Result<PreparedPtr> prepared = engine_->Prepare(block.statements, keyspace_);
  if (!prepared.ok()) return ErrorAnswer(prepared.error(), block.statements);
  RequestParameters parameters;
  parameters.keyspace = keyspace_;
  parameters.connection = connection_;
  RowLines shown;
  const Status status = engine_->ShowRows(**prepared, parameters, shown);
  if (!status.ok()) return ErrorAnswer(status.error(), block.statements);
  return RowsAnswer(block, shown.columns(), shown.lines());
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
