// ParseQueryRequest checks the JSON, splits the object into members and gives each to TakeField; there is one Take
// function per kind of field. BindJsonParameters matches parameters and markers, by position or by name, and converts
// each value by ParseJson.
#include "net/http/query_request.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "net/text/base64url.h"
#include "net/text/json_slice.h"
#include "types/json_form.h"

namespace widerow {

namespace {

constexpr const char* kFields = "query, params, keyspace, page_size, page_state, snapshot, format";

Error WrongKind(const JsonMember& member, const char* expected) {
  return InvalidError("field \"" + member.name + "\" must be " + expected + ", not " +
                      JsonKindName(KindOf(member.value)));
}

Status TakeText(const JsonMember& member, std::string& out) {
  if (KindOf(member.value) != JsonKind::kString) return WrongKind(member, "a string");
  out = DecodeJsonString(member.value);
  return {};
}

Status TakeParams(const JsonMember& member, QueryRequest& request) {
  request.has_params = true;
  if (KindOf(member.value) == JsonKind::kArray) {
    request.params = SplitJsonArray(member.value);
    return {};
  }
  if (KindOf(member.value) != JsonKind::kObject) return WrongKind(member, "an array or an object");
  for (JsonMember& parameter : SplitJsonObject(member.value)) {
    if (!request.named.try_emplace(parameter.name, request.params.size()).second) {
      return InvalidError("parameter \"" + parameter.name + "\" is given twice");
    }
    request.params.push_back(parameter.value);
  }
  return {};
}

Status TakePageSize(const JsonMember& member, QueryRequest& request) {
  const std::string_view digits = member.value;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), request.page_rows);
  if (code != std::errc() || end != digits.data() + digits.size() || request.page_rows == 0 ||
      request.page_rows > kHttpPageRowsMax) {
    return InvalidError("field \"page_size\" must be a whole number from 1 to " + std::to_string(kHttpPageRowsMax),
                        "leave it out to get all rows in one streamed answer");
  }
  return {};
}

Status TakePageState(const JsonMember& member, QueryRequest& request) {
  std::string text;
  WR_RETURN_IF_ERROR(TakeText(member, text));
  if (DecodeBase64Url(text, request.page_state)) return {};
  return InvalidError("field \"page_state\" is not a paging state",
                      "give back the page_state of the last answer as it is");
}

Status TakeFormat(const JsonMember& member, QueryRequest& request) {
  std::string name;
  WR_RETURN_IF_ERROR(TakeText(member, name));
  request.format = FormatFromName(name);
  if (request.format) return {};
  return InvalidError("field \"format\" must be \"json\", \"ndjson\" or \"csv\"");
}

Status TakeSnapshot(const JsonMember& member, QueryRequest& request) {
  std::string text;
  WR_RETURN_IF_ERROR(TakeText(member, text));
  request.snapshot = Uuid::FromString(text);
  if (request.snapshot) return {};
  return InvalidError("field \"snapshot\" is not a snapshot's id", "give back what POST /v1/snapshots has answered");
}

Status TakeField(const JsonMember& member, QueryRequest& request) {
  if (member.name == "query") return TakeText(member, request.query);
  if (member.name == "params") return TakeParams(member, request);
  if (member.name == "keyspace") return TakeText(member, request.keyspace);
  if (member.name == "page_size") return TakePageSize(member, request);
  if (member.name == "page_state") return TakePageState(member, request);
  if (member.name == "snapshot") return TakeSnapshot(member, request);
  if (member.name == "format") return TakeFormat(member, request);
  return InvalidError("unknown field \"" + member.name + "\" in the request body",
                      std::string("the fields are ") + kFields);
}

Result<BoundValue> BindOne(std::string_view raw, const std::string& label, const MarkerSpec& marker) {
  Result<Value> value = ParseJson(*marker.type, raw, JsonForm::kCassandra);
  if (!value.ok()) {
    Error error = std::move(value).error();
    error.message = "parameter " + label + " (" + TypeText(*marker.type) + "): " + error.message;
    error.range.reset();
    return error;
  }
  if (!*value) return BoundValue{};
  return BoundValue{BoundValue::Kind::kValue, std::move(**value)};
}

Error WrongCount(size_t markers, size_t values) {
  return InvalidError("there were " + std::to_string(markers) + " markers(?) in CQL but " + std::to_string(values) +
                      " bound variables");
}

}  // namespace

Result<QueryRequest> ParseQueryRequest(std::string_view body) {
  WR_RETURN_IF_ERROR(CheckJson(body, limits::kNestingMax));
  const size_t start = std::min(body.find_first_not_of(" \t\r\n"), body.size());
  if (KindOf(body.substr(start)) != JsonKind::kObject) {
    return InvalidError("the request body must be a JSON object", R"(for example {"query": "SELECT …"})");
  }
  QueryRequest request;
  std::vector<std::string> seen;
  for (const JsonMember& member : SplitJsonObject(body)) {
    if (std::find(seen.begin(), seen.end(), member.name) != seen.end()) {
      return InvalidError("field \"" + member.name + "\" is given twice");
    }
    seen.push_back(member.name);
    WR_RETURN_IF_ERROR(TakeField(member, request));
  }
  if (std::find(seen.begin(), seen.end(), "query") == seen.end()) {
    return InvalidError("field \"query\" is missing in the request body", R"(for example {"query": "SELECT …"})");
  }
  return request;
}

Result<std::vector<BoundValue>> BindJsonParameters(const QueryRequest& request,
                                                   const std::vector<MarkerSpec>& markers) {
  std::vector<BoundValue> values;
  values.reserve(markers.size());
  if (request.named.empty()) {
    if (request.params.size() != markers.size()) return WrongCount(markers.size(), request.params.size());
    for (size_t i = 0; i < markers.size(); ++i) {
      WR_ASSIGN_OR_RETURN(BoundValue value, BindOne(request.params[i], std::to_string(i + 1), markers[i]));
      values.push_back(std::move(value));
    }
    return values;
  }
  std::vector<bool> used(request.params.size());
  for (const MarkerSpec& marker : markers) {
    const auto found = request.named.find(marker.name);
    if (found == request.named.end()) return InvalidError("parameter \"" + marker.name + "\" is missing in \"params\"");
    used[found->second] = true;
    WR_ASSIGN_OR_RETURN(BoundValue value, BindOne(request.params[found->second], '"' + marker.name + '"', marker));
    values.push_back(std::move(value));
  }
  const auto unused = static_cast<size_t>(std::find(used.begin(), used.end(), false) - used.begin());
  for (const auto& [name, index] : request.named) {
    if (index == unused) return InvalidError("no bind marker of the statement is named \"" + name + "\"");
  }
  return values;
}

}  // namespace widerow
