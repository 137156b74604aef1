#include "net/http/advise_handler.h"

#include <map>

#include "advise/finding.h"
#include "exec/engine/statement_planner.h"
#include "net/http/error_reply.h"
#include "net/text/url_query.h"
#include "parser/parse.h"
#include "types/json_form.h"

namespace widerow {

namespace {

constexpr const char* kUse =
    "/v1/advise takes nothing, ?keyspace=K, ?keyspace=K&table=T, ?scope=schema or ?statement=CQL (with keyspace=K for "
    "its names)";

void AppendMember(std::string_view name, std::string_view text, std::string& out) {
  if (out.back() != '{') out += ',';
  AppendJsonString(name, out);
  out += ':';
  AppendJsonString(text, out);
}

std::string FindingsJson(const std::vector<advise::Finding>& findings) {
  std::string out = "{\"findings\":[";
  for (const advise::Finding& finding : findings) {
    out += out.back() == '[' ? "{" : ",{";
    AppendMember("code", finding.code, out);
    AppendMember("severity", advise::SeverityName(finding.severity), out);
    AppendMember("confidence", advise::ConfidenceName(finding.confidence), out);
    AppendMember("keyspace_name", finding.keyspace, out);
    AppendMember("table_name", finding.table, out);
    out += ",\"columns\":[";
    for (const std::string& column : finding.columns) {
      if (out.back() != '[') out += ',';
      AppendJsonString(column, out);
    }
    out += ']';
    AppendMember("evidence", finding.evidence, out);
    AppendMember("why", finding.why, out);
    if (finding.fix.empty())
      out += ",\"fix\":null";
    else
      AppendMember("fix", finding.fix, out);
    out += '}';
  }
  return out + "]}\n";
}

// Returns nullopt if a parameter is given twice or has no value.
std::optional<std::map<std::string, std::string>> ParametersOf(std::string_view query) {
  const auto listed = ParseUrlQuery(query);
  if (!listed) return std::nullopt;
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : *listed) {
    if (value.empty() || !out.emplace(name, value).second) return std::nullopt;
  }
  return out;
}

}  // namespace

HttpReply AnswerAdvise(Engine& engine, std::string_view query, std::shared_ptr<const ConnectionFacts> connection) {
  auto parameters = ParametersOf(query);
  if (!parameters) return HttpErrorReply(400, kUse);
  const auto take = [&](const char* name) -> std::optional<std::string> {
    const auto found = parameters->extract(name);
    return found.empty() ? std::nullopt : std::optional(found.mapped());
  };
  const auto keyspace = take("keyspace"), table = take("table"), scope = take("scope"), text = take("statement");
  const int asked = (table ? 1 : 0) + (scope ? 1 : 0) + (text ? 1 : 0);
  if (!parameters->empty() || asked > 1 || (scope && *scope != "schema")) return HttpErrorReply(400, kUse);
  if (keyspace && engine.schema()->FindKeyspace(*keyspace) == nullptr)
    return HttpErrorReply(404, "Keyspace '" + *keyspace + "' does not exist");
  AdviseStatement advise;
  if (scope) advise.kind = AdviseStatement::Kind::kSchema;
  if (table) {
    if (!keyspace || engine.schema()->FindTable(*keyspace, *table) == nullptr) {
      return HttpErrorReply(404, "table " + *table + " does not exist", "name its keyspace: ?keyspace=K&table=T");
    }
    advise.kind = AdviseStatement::Kind::kTable;
    advise.table = QualifiedName{.keyspace = Identifier{.text = *keyspace, .quoted = true},
                                 .name = Identifier{.text = *table, .quoted = true}};
  }
  if (text) {
    Result<Statement> statement = engine.planner().Parse(*text);
    if (!statement.ok()) return ErrorReply(statement.error(), *text);
    advise.kind = AdviseStatement::Kind::kStatement;
    advise.statement.push_back(std::move(*statement));
  }
  const RequestParameters asked_by{.connection = std::move(connection)};
  const auto findings = engine.Advise(advise, keyspace.value_or(""), asked_by);
  return findings.ok() ? HttpReply{.body = FindingsJson(*findings)} : ErrorReply(findings.error(), text.value_or(""));
}

}  // namespace widerow
