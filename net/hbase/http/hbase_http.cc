#include "net/hbase/http/hbase_http.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/filter_language.h"
#include "net/hbase/http/json_requests.h"
#include "net/http/error_reply.h"
#include "net/http/metrics_writer.h"
#include "net/text/url_query.h"

namespace widerow::hbase {

namespace {

using MutationAt = std::vector<Mutation>::iterator;

constexpr size_t kAnswerBytesMax = 8u << 20;  // The answer to a scan ends at this size.

using Parameters = std::vector<std::pair<std::string, std::string>>;

// The path TABLE/ROW/COLUMN, and the parameters of the URL.
struct Target {
  std::vector<std::string> parts;
  Parameters parameters;
  BytesForm form = BytesForm::kText;

  std::string_view Parameter(std::string_view name) const {
    const auto found =
        std::ranges::find(parameters, name, [](const auto& each) { return std::string_view(each.first); });
    return found == parameters.end() ? std::string_view() : std::string_view(found->second);
  }
};

// Returns the names of the URL parameters that a request with this method may have.
std::vector<std::string_view> ParametersOf(std::string_view method) {
  if (method == "GET") return {"column", "encoding", "filter", "from", "to", "versions"};
  if (method == "POST") return {};
  return {"encoding", "timestamp"};
}

// Refuses parameters that the method does not have, and parameters given twice.
Status CheckParameters(std::string_view method, const Parameters& parameters) {
  const std::vector<std::string_view> known = ParametersOf(method);
  std::set<std::string_view> seen;
  for (const auto& [name, value] : parameters) {
    if (std::ranges::find(known, name) == known.end()) {
      std::string names;
      for (const std::string_view each : known) names += StrCat(names.empty() ? "" : ", ", each);
      return InvalidError(StrCat("unknown parameter \"", name, "\""),
                          names.empty() ? std::string("the body says what to do")
                                        : StrCat("the parameters of ", method, " are ", names));
    }
    if (!seen.insert(name).second && name != "column") {
      return InvalidError(StrCat("parameter \"", name, "\" is given twice"), "only column can be given several times");
    }
  }
  return OkStatus();
}

Result<Target> ParseTarget(std::string_view method, std::string_view path, std::string_view query) {
  Target target;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    // In a path, + stands for itself, but DecodeUrl takes it for a blank.
    std::string encoded;
    for (const char c : path.substr(0, slash)) encoded += c == '+' ? std::string("%2B") : std::string(1, c);
    if (!DecodeUrl(encoded, target.parts.emplace_back())) return InvalidError("the path is not encoded as in URLs");
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  auto parameters = ParseUrlQuery(query);
  if (!parameters) return InvalidError("the query of the URL cannot be decoded");
  target.parameters = std::move(*parameters);
  WR_RETURN_IF_ERROR(CheckParameters(method, target.parameters));
  WR_ASSIGN_OR_RETURN(target.form, BytesFormNamed(target.Parameter("encoding")));
  return target;
}

HttpReply Refusal(const Error& error) {
  HttpReply refusal = ErrorReply(error, {});
  if (error.message.starts_with(kTableNotFound)) refusal.status = 404;
  return refusal;
}

// Answers a batch of which only the first `stored` mutations have been stored: {"error":{…},"stored":N}.
HttpReply BatchRefusal(const Error& error, std::ptrdiff_t stored) {
  HttpReply refusal = Refusal(error);
  const size_t end = refusal.body.rfind('}');
  refusal.body.insert(end, StrCat(",\"stored\":", stored));
  return refusal;
}

class Extension final : public HttpExtension {
 public:
  explicit Extension(Services& services)
      : times_(services.times()), catalog_(services.catalog()), rows_(services.rows()) {}

  HttpReply Answer(const HttpRequest& request, std::string_view path, std::string_view query) override {
    Result<HttpReply> reply = Run(request, path, query);
    return reply.ok() ? std::move(*reply) : Refusal(reply.error());
  }

  void WriteMetrics(MetricsWriter& out) const override {
    out.Metric("widerow_hbase_request_seconds", "histogram", "Times of the requests at the port for HBase's clients.");
    for (size_t kind = 0; kind < RequestTimes::kKindNames.size(); ++kind) {
      out.Histogram(times_.Times(kind), MetricsLabel("kind", RequestTimes::kKindNames[kind]));
    }
    out.Metric("widerow_hbase_request_errors_total", "counter", "Requests of HBase's clients that failed.");
    for (size_t kind = 0; kind < RequestTimes::kKindNames.size(); ++kind) {
      out.Sample(static_cast<double>(times_.failures(kind)), MetricsLabel("kind", RequestTimes::kKindNames[kind]));
    }
  }

 private:
  Result<HttpReply> Run(const HttpRequest& request, std::string_view path, std::string_view query);
  Result<HttpReply> Get(const Caller& caller, const HTable& table, const Target& target, const HttpRequest& request);
  Result<HttpReply> Put(const Caller& caller, const HTable& table, const Target& target, std::string_view body);
  Result<HttpReply> Delete(const Caller& caller, const HTable& table, const Target& target);
  Result<HttpReply> Post(const Caller& caller, const HTablePtr& table, const HttpRequest& request);
  // `room` counts the memory of the rows; it may be null.
  Result<HttpReply> Scan(const Caller& caller, const HTablePtr& table, JsonScan scan, BytesForm form, AnswerRoom* room);

  // Returns the cell that TABLE/ROW/COLUMN names, with the timestamp of the URL.
  static Result<Cell> CellOf(const Target& target);

  const RequestTimes& times_;
  Catalog& catalog_;
  RowWriter& rows_;
};

Result<HttpReply> Extension::Run(const HttpRequest& request, std::string_view path, std::string_view query) {
  WR_ASSIGN_OR_RETURN(const Target target, ParseTarget(request.method, path, query));
  if (target.parts.empty()) return HttpErrorReply(404, "the path has no table", "/v1/hbase/TABLE/ROW");
  const Caller caller(request.connection);
  WR_ASSIGN_OR_RETURN(const HTablePtr table, catalog_.Find(TableId::Parse(target.parts[0])));
  if (table->disabled) return MakeJavaError("org.apache.hadoop.hbase.TableNotEnabledException", table->id.Text());
  const size_t parts = target.parts.size();
  if (request.method == "POST" && parts == 1) return Post(caller, table, request);
  if (parts < 2 || parts > 3) {
    return HttpErrorReply(404, "the path must be TABLE/ROW or TABLE/ROW/COLUMN", "POST /v1/hbase/TABLE scans");
  }
  if (request.method == "GET") return Get(caller, *table, target, request);
  if (request.method == "DELETE") return Delete(caller, *table, target);
  if (request.method == "PUT" && parts == 3) return Put(caller, *table, target, request.body);
  return HttpErrorReply(405, StrCat(request.method, " is not possible here"),
                        "PUT and GET take TABLE/ROW/FAMILY:QUALIFIER");
}

Result<Cell> Extension::CellOf(const Target& target) {
  Cell cell;
  const std::string& column = target.parts[2];
  const size_t colon = column.find(':');
  cell.family = column.substr(0, colon);
  if (colon != std::string::npos) {
    WR_ASSIGN_OR_RETURN(cell.qualifier, DecodeBytes(std::string_view(column).substr(colon + 1), target.form));
  }
  if (const std::string_view given = target.Parameter("timestamp"); !given.empty()) {
    WR_ASSIGN_OR_RETURN(cell.timestamp, ParseNumber("timestamp", given));
  }
  return cell;
}

Result<HttpReply> Extension::Get(const Caller& caller, const HTable& table, const Target& target,
                                 const HttpRequest& request) {
  WR_ASSIGN_OR_RETURN(const Bytes row, DecodeBytes(target.parts[1], target.form));
  ReadSpec read;
  read.room = request.room;
  if (target.parts.size() == 3) WR_RETURN_IF_ERROR(AddColumn(target.parts[2], target.form, read));
  for (const auto& [name, value] : target.parameters) {
    if (name == "column") WR_RETURN_IF_ERROR(AddColumn(value, target.form, read));
    if (name == "versions") { WR_ASSIGN_OR_RETURN(read.max_versions, ParseVersions(value)); }
    if (name == "filter") { WR_ASSIGN_OR_RETURN(read.filter, ParseFilterText(value)); }
    if (name == "from") { WR_ASSIGN_OR_RETURN(read.time_range.from, ParseNumber(name, value)); }
    if (name == "to") { WR_ASSIGN_OR_RETURN(read.time_range.to, ParseNumber(name, value)); }
  }
  WR_ASSIGN_OR_RETURN(const std::vector<Cell> cells, rows_.Get(caller, table, row, read));
  if (cells.empty()) return HttpErrorReply(404, "there is no such cell");
  if (request.accept.starts_with("application/octet-stream")) {
    HttpReply raw{.content_type = "application/octet-stream", .body = cells.front().value};
    raw.headers.emplace_back("Widerow-Timestamp", std::to_string(cells.front().timestamp));
    return raw;
  }
  HttpReply reply;
  AppendRow(row, cells, target.form, reply.body);
  reply.body += '\n';
  return reply;
}

Result<HttpReply> Extension::Put(const Caller& caller, const HTable& table, const Target& target,
                                 std::string_view body) {
  Mutation put;
  WR_ASSIGN_OR_RETURN(put.row, DecodeBytes(target.parts[1], target.form));
  WR_ASSIGN_OR_RETURN(Cell cell, CellOf(target));
  cell.value = body;
  put.cells.push_back(std::move(cell));
  WR_ASSIGN_OR_RETURN(const WriteResult result, rows_.Apply(caller, table, {&put, 1}));
  return HttpReply{.body = "{}\n"};
}

Result<HttpReply> Extension::Delete(const Caller& caller, const HTable& table, const Target& target) {
  Mutation mutation;
  mutation.kind = MutationKind::kDelete;
  WR_ASSIGN_OR_RETURN(mutation.row, DecodeBytes(target.parts[1], target.form));
  if (target.parts.size() == 3) {
    WR_ASSIGN_OR_RETURN(Cell cell, CellOf(target));
    cell.type = target.parts[2].find(':') == std::string::npos ? CellType::kDeleteFamily : CellType::kDeleteColumn;
    mutation.cells.push_back(std::move(cell));
  } else if (const std::string_view given = target.Parameter("timestamp"); !given.empty()) {
    WR_ASSIGN_OR_RETURN(mutation.timestamp, ParseNumber("timestamp", given));
  }
  WR_ASSIGN_OR_RETURN(const WriteResult result, rows_.Apply(caller, table, {&mutation, 1}));
  return HttpReply{.body = "{}\n"};
}

Result<HttpReply> Extension::Scan(const Caller& caller, const HTablePtr& table, JsonScan scan, BytesForm form,
                                  AnswerRoom* room) {
  if (table->unordered()) return NotSupported("a scan of a table without PARTITION BY");
  WR_ASSIGN_OR_RETURN(const std::vector<ReadFamily> families, FamiliesOf(*table, scan.spec->read));
  Scanner scanner(table, MakeTableSource(catalog_.For(caller), table, families), families, std::move(scan.spec));
  const ScanLimits limits{.results = scan.limit, .rows = scan.limit, .bytes = kAnswerBytesMax, .room = room};
  ScanAnswer answer;
  do {
    WR_ASSIGN_OR_RETURN(answer, scanner.Next(limits, catalog_.own().NowMs()));
  } while (answer.results.empty() && answer.more);
  HttpReply reply{.body = "{\"rows\":["};
  for (size_t i = 0; i < answer.results.size(); ++i) {
    if (i > 0) reply.body += ',';
    AppendRow(answer.results[i].cells.row, answer.results[i].cells.cells, form, reply.body);
  }
  reply.body += ']';
  if ((answer.more || answer.limit_reached) && !answer.results.empty()) {
    reply.body += ",\"next_after\":";
    AppendBytes(answer.results.back().cells.row, form, reply.body);
  }
  reply.body += "}\n";
  return reply;
}

// Returns the end of the atomic write that begins at `from`: one Increment or Append, or the consecutive Puts and
// Deletes of one row. As in HBase's Table.batch, an Increment or Append is a write of its own, so it reads what the
// mutations before it have stored.
MutationAt EndOfWrite(MutationAt from, MutationAt end) {
  if (IsDelta(from->kind)) return std::next(from);
  return std::find_if(from, end,
                      [&](const Mutation& mutation) { return mutation.row != from->row || IsDelta(mutation.kind); });
}

// Gives the cells of a mutation without timestamps the timestamp `time`. The newest version of a column is deleted by
// its own timestamp.
void SetTime(Mutation& mutation, int64_t time) {
  if (mutation.timestamp == kLatestTimestamp) mutation.timestamp = time;
  for (Cell& cell : mutation.cells) {
    if (cell.timestamp == kLatestTimestamp && cell.type != CellType::kDelete) cell.timestamp = time;
  }
}

Result<HttpReply> Extension::Post(const Caller& caller, const HTablePtr& table, const HttpRequest& http) {
  WR_ASSIGN_OR_RETURN(JsonRequest request, ParseJsonRequest(http.body));
  if (request.scan) return Scan(caller, table, std::move(*request.scan), request.form, http.room);
  HttpReply reply{.body = "{\"results\":["};
  bool first = true;
  std::map<ByteView, int64_t> newest;  // The newest timestamp of a write that may lie ahead of the clock, by row.
  for (MutationAt from = request.batch.begin(); from != request.batch.end();) {
    const MutationAt to = EndOfWrite(from, request.batch.end());
    // Several Increments in a millisecond give their cells timestamps that lie ahead of the clock. Later mutations of
    // the batch must not lose against them.
    int64_t& last = newest.try_emplace(from->row, -1).first->second;
    if (last >= catalog_.own().NowMs()) {
      ++last;
      std::for_each(from, to, [&](Mutation& mutation) { SetTime(mutation, last); });
    }
    const Result<WriteResult> result = rows_.Apply(caller, *table, {from, to});
    if (!result.ok()) return BatchRefusal(result.error(), from - request.batch.begin());
    for (const Cell& cell : result->cells) last = std::max(last, cell.timestamp);
    if (!std::exchange(first, false)) reply.body += ',';
    AppendRow(from->row, result->cells, request.form, reply.body);
    from = to;
  }
  reply.body += "]}\n";
  return reply;
}

}  // namespace

std::unique_ptr<HttpExtension> MakeHttpExtension(Services& services) { return std::make_unique<Extension>(services); }

}  // namespace widerow::hbase
