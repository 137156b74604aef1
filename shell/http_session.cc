// A Session over HTTP. Execute sends POST /v1/query and converts the JSON answer back to values in the native
// protocol's bytes, using the column types of the answer. Types that are not scalar are resolved by the server's
// schema, which is read from GET /v1/schema and kept for two seconds.
#include <chrono>

#include "base/limits.h"
#include "base/text.h"
#include "exec/engine/bulk_insert.h"
#include "net/http/basic_credentials.h"
#include "net/text/json_slice.h"
#include "shell/http_connection.h"
#include "shell/lexer.h"
#include "shell/own_password.h"
#include "shell/server_schema.h"
#include "shell/session.h"
#include "types/json_form.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kSchemaAge = std::chrono::seconds(2);

struct Address {
  std::string host, port = "8042";
};

Result<Address> ParseAddress(const std::string& text) {
  Address address;
  const size_t bracket = text.find(']');
  const size_t colon = text.find(':', bracket == std::string::npos ? 0 : bracket);
  address.host = text.substr(0, colon);
  if (colon != std::string::npos) address.port = text.substr(colon + 1);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  const bool digits = address.port.find_first_not_of("0123456789") == std::string::npos;
  if (address.host.empty() || address.port.empty() || !digits || address.port.size() > 5) {
    const bool secure = text.starts_with("https://");
    return InvalidError("'" + text + "' is not an address",
                        StrCat("give HOST:PORT, for example 127.0.0.1:8042", secure ? ", and --tls" : ""));
  }
  return address;
}

// The members of a checked JSON object.
struct Answer {
  std::vector<JsonMember> members;

  std::optional<std::string_view> Find(std::string_view name) const {
    for (const JsonMember& member : members) {
      if (member.name == name) return member.value;
    }
    return std::nullopt;
  }
  std::string Text(std::string_view name) const {
    const auto value = Find(name);
    return value && KindOf(*value) == JsonKind::kString ? DecodeJsonString(*value) : "";
  }
  uint32_t Number(std::string_view name) const {
    const auto value = Find(name);
    return value ? static_cast<uint32_t>(std::strtoul(std::string(*value).c_str(), nullptr, 10)) : 0;
  }
};

// Returns the byte offset of a line and a column. Both count from 1, and the column counts code points. Returns the end
// of the text if the text is shorter.
size_t OffsetOf(std::string_view text, uint32_t line, uint32_t column) {
  size_t at = 0;
  for (; line > 1 && at < text.size(); ++at) line -= text[at] == '\n';
  const auto is_continuation = [&](size_t i) {
    return i < text.size() && (static_cast<uint8_t>(text[i]) & 0xC0) == 0x80;
  };
  for (; column > 1 && at < text.size(); --column) {
    do ++at;
    while (is_continuation(at));
  }
  return at;
}

// The server's hints are for all clients of HTTP. This function replaces some of them by hints that name options of
// `widerow shell` and of the other commands that connect to a server.
void NameOptions(Error& error) {
  if (error.message == "this port requires TLS") {
    error.hint = "add --tls, and --tls-ca FILE if the system does not know the authority of the server's certificate";
  } else if (error.code == ErrorCode::kBadCredentials && error.hint.find("curl") != std::string::npos) {
    error.hint =
        "log in with -u NAME (--user NAME); the password comes from WIDEROW_PASSWORD, or the command asks for it";
  }
}

Error ReadError(std::string_view json, std::string_view statement) {
  const Answer fields{SplitJsonObject(json)};
  Error error{.code = static_cast<ErrorCode>(fields.Number("code")),
              .message = fields.Text("message"),
              .hint = fields.Text("hint"),
              .keyspace = fields.Text("keyspace"),
              .table = fields.Text("table")};
  if (const uint32_t line = fields.Number("line"); line > 0) {
    const size_t begin = OffsetOf(statement, line, fields.Number("column"));
    const size_t end = begin + OffsetOf(statement.substr(begin), 1, fields.Number("length") + 1);
    error.range = SourceRange{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  NameOptions(error);
  return error;
}

// Returns ks from "… FROM ks.table": the keyspace of the user-defined types in the result.
std::string KeyspaceOf(const SessionRequest& request) {
  const std::vector<ShellToken> tokens = LexShell(std::string_view(request.text).substr(0, 4'096));
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (IsWord(tokens[i], "FROM") && IsPunctuation(tokens[i + 2], '.')) return NameOf(tokens[i + 1]);
  }
  return request.parameters.keyspace;
}

std::string RequestJson(const SessionRequest& request) {
  std::string body = "{\"query\":";
  AppendJsonString(request.text, body);
  if (!request.parameters.keyspace.empty()) {
    body += ",\"keyspace\":";
    AppendJsonString(request.parameters.keyspace, body);
  }
  if (request.parameters.page_rows > 0) body += ",\"page_size\":" + std::to_string(request.parameters.page_rows);
  if (!request.parameters.paging_state.empty()) {
    body += ",\"page_state\":";
    AppendJsonString(request.parameters.paging_state, body);
  }
  const std::vector<BoundValue>& values = request.parameters.values;
  for (size_t i = 0; i < values.size(); ++i) {
    body += i == 0 ? ",\"params\":[" : ",";
    if (values[i].kind == BoundValue::Kind::kValue) {
      AppendJson(*request.value_types[i], values[i].bytes, body, JsonForm::kExact);
    } else {
      body += "null";
    }
  }
  return body + (values.empty() ? "}" : "]}");
}

std::string AuthorizationOf(const Credentials& credentials) {
  return credentials.user.empty() ? std::string() : WriteBasicCredentials(credentials.user, credentials.password);
}

class HttpSession final : public Session {
 public:
  HttpSession(Address address, Credentials credentials, ClientTls tls, ShellHttpClient connection)
      : address_(std::move(address)),
        credentials_(std::move(credentials)),
        tls_(std::move(tls)),
        connection_(std::move(connection)) {}

  Result<Outcome> Execute(const SessionRequest& request) override {
    WR_ASSIGN_OR_RETURN(const HttpAnswer answer, connection_.PostJson("/v1/query", RequestJson(request)));
    WR_ASSIGN_OR_RETURN(const Answer fields, Read(answer, request.text));
    Outcome outcome;
    if (const auto warnings = fields.Find("warnings"); warnings && KindOf(*warnings) == JsonKind::kArray) {
      for (const std::string_view warning : SplitJsonArray(*warnings))
        outcome.warnings.push_back(DecodeJsonString(warning));
    }
    if (fields.Find("columns")) {
      WR_ASSIGN_OR_RETURN(outcome.result, ReadRows(fields, request));
    } else if (fields.Find("keyspace")) {
      outcome.result = UseOutcome{fields.Text("keyspace")};
    } else if (fields.Find("schema_change")) {
      schema_ = nullptr;
      outcome.result = SchemaChangeOutcome{};
    }
    if (const auto password = NewPasswordOf(credentials_.user, request.text, outcome)) {
      credentials_.password = *password;
      connection_.SetAuthorization(AuthorizationOf(credentials_));
    }
    return outcome;
  }

  Result<SchemaPtr> Schema() override {
    if (schema_ != nullptr && SteadyClock::now() - schema_read_ < kSchemaAge) return schema_;
    WR_ASSIGN_OR_RETURN(const HttpAnswer answer, connection_.Get("/v1/schema"));
    WR_RETURN_IF_ERROR(Read(answer, {}));
    WR_ASSIGN_OR_RETURN(schema_, ParseServerSchema(answer.body));
    schema_read_ = SteadyClock::now();
    return schema_;
  }

  Result<std::unique_ptr<Session>> Connect() override {
    WR_ASSIGN_OR_RETURN(ShellHttpClient connection,
                        ShellHttpClient::Open(address_.host, address_.port, AuthorizationOf(credentials_), tls_));
    return std::unique_ptr<Session>(std::make_unique<HttpSession>(address_, credentials_, tls_, std::move(connection)));
  }

  Result<std::unique_ptr<BulkInsert>> OpenBulk(const std::string&, size_t) override {
    return std::unique_ptr<BulkInsert>();
  }
  bool prepares() const override { return false; }
  std::string place() const override {
    return (address_.host.find(':') == std::string::npos ? address_.host : "[" + address_.host + "]") + ":" +
           address_.port;
  }

 private:
  // Returns the members of the answer, or the error that it contains.
  Result<Answer> Read(const HttpAnswer& answer, std::string_view statement) const {
    const std::string_view body(answer.body);
    const bool json = CheckJson(body, limits::kNestingMax + 10).ok() && KindOf(body) == JsonKind::kObject;
    if (!json) {
      return ServerError(place() + " does not answer like a Widerow server (HTTP status " +
                         std::to_string(answer.status) + ")");
    }
    Answer fields{SplitJsonObject(body)};
    if (const auto error = fields.Find("error"); error && KindOf(*error) == JsonKind::kObject) {
      return ReadError(*error, statement);
    }
    if (answer.status != 200)
      return ServerError(place() + " answered with HTTP status " + std::to_string(answer.status));
    return fields;
  }

  Result<ResultColumnsPtr> ReadColumns(std::string_view json, const SessionRequest& request) {
    auto columns = std::make_shared<ResultColumns>();
    for (const std::string_view column : SplitJsonArray(json)) {
      const Answer fields{SplitJsonObject(column)};
      const std::string type_text = fields.Text("type");
      const std::optional<TypeKind> scalar = ScalarKindFromName(type_text);
      TypePtr type = scalar ? ScalarType(*scalar) : nullptr;
      if (type == nullptr) {
        WR_ASSIGN_OR_RETURN(const SchemaPtr schema, Schema());
        WR_ASSIGN_OR_RETURN(type, ResolveServerType(type_text, *schema, KeyspaceOf(request)));
      }
      columns->push_back({.name = fields.Text("name"), .type = std::move(type)});
    }
    return ResultColumnsPtr(std::move(columns));
  }

  Result<RowsPage> ReadRows(const Answer& fields, const SessionRequest& request) {
    RowsPage page;
    WR_ASSIGN_OR_RETURN(page.columns, ReadColumns(*fields.Find("columns"), request));
    for (const std::string_view row : SplitJsonArray(fields.Find("rows").value_or("[]"))) {
      const std::vector<std::string_view> values = SplitJsonArray(row);
      if (values.size() != page.columns->size())
        return ServerError("The server sent a row of another width than its columns");
      for (size_t i = 0; i < values.size(); ++i) {
        WR_ASSIGN_OR_RETURN(const Value value, ParseJson(*(*page.columns)[i].type, values[i], JsonForm::kExact));
        AppendBigEndian<int32_t>(page.body, value ? static_cast<int32_t>(value->size()) : -1);
        if (value) page.body += *value;
      }
      ++page.row_count;
    }
    page.paging_state = fields.Text("page_state");
    return page;
  }

  const Address address_;
  Credentials credentials_;
  const ClientTls tls_;
  ShellHttpClient connection_;
  SchemaPtr schema_;
  SteadyClock::time_point schema_read_;
};

}  // namespace

Result<ShellHttpClient> OpenHttpClient(const std::string& address_text, const Credentials& credentials,
                                       const ClientTls& tls) {
  WR_ASSIGN_OR_RETURN(const Address address, ParseAddress(address_text));
  return ShellHttpClient::Open(address.host, address.port, AuthorizationOf(credentials), tls);
}

Error ReadHttpError(const std::string& body) {
  const Status json = CheckJson(body, limits::kNestingMax);
  const Answer answer{json.ok() && KindOf(body) == JsonKind::kObject ? SplitJsonObject(body)
                                                                     : std::vector<JsonMember>()};
  if (const auto error = answer.Find("error")) return ReadError(*error, {});
  return ServerError("The server has answered something else than Widerow does", "give --server its HTTP address");
}

Result<std::unique_ptr<Session>> OpenHttpSession(const std::string& address_text, const Credentials& credentials,
                                                 const ClientTls& tls) {
  WR_ASSIGN_OR_RETURN(Address address, ParseAddress(address_text));
  WR_ASSIGN_OR_RETURN(ShellHttpClient connection,
                      ShellHttpClient::Open(address.host, address.port, AuthorizationOf(credentials), tls));
  auto session = std::make_unique<HttpSession>(std::move(address), credentials, tls, std::move(connection));
  WR_RETURN_IF_ERROR(session->Schema());
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace widerow
