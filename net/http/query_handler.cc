// AnswerQuery parses the body, prepares the statement if it has parameters, and runs it. With a page size the answer is
// one page and its page_state. Without one the answer is the whole result: the first part in the reply, the others from
// a RowStream while the reply is sent.
#include "net/http/query_handler.h"

#include <algorithm>

#include "base/overloaded.h"
#include "exec/engine/statement_planner.h"
#include "net/http/error_reply.h"
#include "net/http/query_request.h"
#include "net/http/snapshot_handler.h"
#include "net/text/base64url.h"
#include "planner/ddl/edit/schema_change_names.h"
#include "types/json_form.h"

namespace widerow {

namespace {

// A streamed result is read in pages of at most this size or number of rows.
constexpr size_t kPartBytes = 1u << 20;
constexpr uint32_t kFirstPartRows = 256, kPartRows = 5'000;

// A statement with its values. Each Run returns the page after parameters.paging_state.
struct RunnableQuery {
  Engine* engine = nullptr;
  std::string text;
  PreparedPtr prepared;  // Null if the query has no parameters; otherwise it has their types.
  RequestParameters parameters;

  Result<Outcome> Run() const {
    return prepared ? engine->ExecutePrepared(*prepared, parameters) : engine->Execute(text, parameters);
  }
};

Result<RunnableQuery> MakeRunnable(Engine& engine, const HttpRequest& asked, const QueryRequest& request) {
  RunnableQuery query{.engine = &engine, .text = request.query};
  query.parameters.keyspace = request.keyspace;
  query.parameters.connection = asked.connection;
  query.parameters.client = asked.client;
  query.parameters.page_rows = request.page_rows == 0 ? kFirstPartRows : request.page_rows;
  query.parameters.answer.room = asked.room;
  if (request.page_rows == 0) query.parameters.answer.page_bytes_max = kPartBytes;
  query.parameters.keep_moment = request.page_rows == 0;
  query.parameters.whole_if_sorted = true;
  query.parameters.paging_state = request.page_state;
  if (request.snapshot) {
    WR_ASSIGN_OR_RETURN(query.parameters.snapshot, FindSnapshot(engine, *request.snapshot, asked.connection));
  }
  if (request.has_params) {
    WR_ASSIGN_OR_RETURN(query.prepared,
                        query.parameters.snapshot == nullptr
                            ? engine.Prepare(query.text, request.keyspace)
                            : engine.planner().PrepareOn(*query.parameters.snapshot, query.text, request.keyspace));
    WR_ASSIGN_OR_RETURN(query.parameters.values, BindJsonParameters(request, query.prepared->plan->markers));
  }
  return query;
}

// Makes the second and later parts of a result for which the request sets no page size. `moment`: the snapshot from
// which these parts are read; RowStream closes it at the end. Null if the query names a snapshot, or reads the server's
// own tables.
class RowStream final : public BodySource {
 public:
  RowStream(RunnableQuery query, SnapshotPtr moment, ResultFormat format, ResultWriter writer,
            std::vector<std::string> warnings)
      : query_(std::move(query)),
        moment_(std::move(moment)),
        format_(format),
        writer_(std::move(writer)),
        warnings_(std::move(warnings)) {
    if (moment_ != nullptr) query_.parameters.snapshot = moment_;
  }
  ~RowStream() override { LetGo(); }

  State Next(std::string& out) override {
    out.clear();
    Result<Outcome> outcome = query_.Run();
    if (!outcome.ok()) return Fail(outcome.error(), out);
    RowsPage* page = std::get_if<RowsPage>(&outcome->result);
    if (page == nullptr) return Fail(ServerError("a later page of the result is not rows"), out);
    if (const Status same = writer_.CheckColumns(*page); !same.ok()) return Fail(same.error(), out);
    for (std::string& warning : outcome->warnings) {
      if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end()) warnings_.push_back(warning);
    }
    writer_.Page(*page, out);
    if (page->paging_state.empty()) {
      writer_.End({}, warnings_, out);
      LetGo();  // Releases the snapshot before this part is sent, because the client may be slow.
      return State::kEnd;
    }
    query_.parameters.page_rows = kPartRows;
    query_.parameters.paging_state = std::move(page->paging_state);
    return State::kMore;
  }

 private:
  void LetGo() {
    if (moment_ != nullptr) query_.engine->snapshots().Close(moment_->id());
    moment_ = nullptr;
  }

  State Fail(const Error& error, std::string& out) const {
    query_.engine->request_counts().CountError(RequestCounts::Protocol::kHttp, error.code);
    // CSV has no place for an error; the client sees that the connection breaks.
    if (format_ == ResultFormat::kJson) out = "],";
    if (format_ != ResultFormat::kCsv)
      out += std::string_view(ErrorJson(error, query_.text)).substr(out.empty() ? 0 : 1);
    return State::kFailed;
  }

  RunnableQuery query_;
  SnapshotPtr moment_;
  const ResultFormat format_;
  ResultWriter writer_;
  std::vector<std::string> warnings_;
};

// Adds warnings as header lines, without the characters that header lines cannot contain.
void AddWarningHeaders(const std::vector<std::string>& warnings, HttpReply& reply) {
  constexpr size_t kWarningBytesMax = 2'000, kWarningsMax = 20;
  for (size_t i = 0; i < std::min(warnings.size(), kWarningsMax); ++i) {
    std::string line = warnings[i].substr(0, kWarningBytesMax);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return static_cast<uint8_t>(c) < 32 || c == 127; }, ' ');
    reply.headers.emplace_back("Widerow-Warning", std::move(line));
  }
}

HttpReply RowsReply(RowsPage& page, std::vector<std::string> warnings, SnapshotPtr moment, RunnableQuery query,
                    ResultFormat format, bool whole) {
  HttpReply reply{.content_type = ContentTypeOf(format)};
  ResultWriter writer(format, page.columns);
  writer.Begin(reply.body);
  writer.Page(page, reply.body);
  const bool more = !page.paging_state.empty();
  if (format != ResultFormat::kJson) AddWarningHeaders(warnings, reply);
  if (whole && more) {
    query.parameters.page_rows = kPartRows;
    query.parameters.paging_state = std::move(page.paging_state);
    reply.rest = std::make_unique<RowStream>(std::move(query), std::move(moment), format, std::move(writer),
                                             std::move(warnings));
    return reply;
  }
  const std::string page_state = EncodeBase64Url(page.paging_state);
  if (format != ResultFormat::kJson && more) reply.headers.emplace_back("Widerow-Page-State", page_state);
  writer.End(page_state, warnings, reply.body);
  return reply;
}

std::string SchemaChangeJson(const SchemaChange& change) {
  std::string out = std::string("\"schema_change\":{\"change\":\"") + SchemaChangeKindName(change.kind) +
                    "\",\"target\":\"" + SchemaChangeTargetName(change.target) + "\",\"keyspace\":";
  AppendJsonString(change.keyspace, out);
  if (!change.name.empty()) {
    out += ",\"name\":";
    AppendJsonString(change.name, out);
  }
  return out + '}';
}

HttpReply OtherReply(std::string field, const std::vector<std::string>& warnings) {
  HttpReply reply{.body = '{' + std::move(field)};
  if (!warnings.empty()) {
    reply.body += reply.body.size() > 1 ? ",\"warnings\":" : "\"warnings\":";
    AppendJsonStrings(warnings, reply.body);
  }
  reply.body += "}\n";
  return reply;
}

HttpReply OutcomeReply(Outcome& outcome, RunnableQuery query, ResultFormat format, bool whole) {
  std::vector<std::string>& warnings = outcome.warnings;
  return std::visit(
      Overloaded{
          [&](RowsPage& page) {
            return RowsReply(page, std::move(warnings), std::move(outcome.moment), std::move(query), format, whole);
          },
          [&](const VoidOutcome&) { return OtherReply({}, warnings); },
          [&](const UseOutcome& use) {
            std::string field = "\"keyspace\":";
            AppendJsonString(use.keyspace, field);
            return OtherReply(std::move(field), warnings);
          },
          [&](const SchemaChangeOutcome& changed) { return OtherReply(SchemaChangeJson(changed.change), warnings); }},
      outcome.result);
}

}  // namespace

HttpReply AnswerQuery(Engine& engine, const HttpRequest& request) {
  const Result<QueryRequest> parsed = ParseQueryRequest(request.body);
  if (!parsed.ok()) return ErrorReply(parsed.error(), {});
  const std::optional<ResultFormat> format = parsed->format ? parsed->format : ChooseFormat(request.accept);
  if (!format) {
    return HttpErrorReply(406, "none of the types in Accept can be had",
                          "the types are application/json, application/x-ndjson and text/csv");
  }
  Result<RunnableQuery> query = MakeRunnable(engine, request, *parsed);
  if (!query.ok()) return ErrorReply(query.error(), parsed->query);
  Result<Outcome> outcome = query->Run();
  if (!outcome.ok()) {
    // kUnprepared: the schema has changed since the values were bound. So the values must be bound again.
    if (outcome.error().code == ErrorCode::kUnprepared) return AnswerQuery(engine, request);
    return ErrorReply(outcome.error(), parsed->query);
  }
  return OutcomeReply(*outcome, std::move(*query), *format, parsed->page_rows == 0);
}

}  // namespace widerow
