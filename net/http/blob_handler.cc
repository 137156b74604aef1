// AnswerBlob and OpenBlobSink make a statement from the path and the key, and prepare it: a SELECT of one row, or an
// UPDATE. The engine checks the permissions, the key and the column.
#include "net/http/blob_handler.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "base/text.h"
#include "exec/engine/blob_read.h"
#include "exec/engine/blob_write.h"
#include "net/http/error_reply.h"
#include "net/http/query_request.h"
#include "net/text/json_slice.h"
#include "net/text/url_query.h"
#include "types/json_form.h"

namespace widerow {
namespace {

constexpr size_t kBlobPartBytes = 1u << 20;
constexpr std::string_view kForm = "/v1/blob/KEYSPACE/TABLE/COLUMN?key=[…]";

// The place of a value: the table, the column, and the key as JSON.
struct BlobPlace {
  std::string keyspace, table, column, key;
  std::optional<int64_t> ttl, timestamp;  // Only for writes.
};

std::string Quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

bool ReadNumber(std::string_view text, std::optional<int64_t>& out) {
  int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return false;
  out = number;
  return true;
}

Result<BlobPlace> ReadPlace(std::string_view path, std::string_view query, bool writes) {
  BlobPlace place;
  for (std::string* name : {&place.keyspace, &place.table, &place.column}) {
    const size_t slash = name == &place.column ? path.size() : std::min(path.find('/'), path.size());
    if (!DecodeUrl(path.substr(0, slash), *name) || name->empty() || name->find('/') != std::string::npos) {
      return InvalidError("the path does not name a column", StrCat("it has the form ", kForm));
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  const auto parameters = ParseUrlQuery(query);
  if (!parameters) return InvalidError("the query of the URL cannot be decoded");
  for (const auto& [name, value] : *parameters) {
    std::optional<int64_t>& number = name == "ttl" ? place.ttl : place.timestamp;
    if (name == "key" && place.key.empty()) {
      place.key = value;
    } else if (writes && (name == "ttl" || name == "timestamp") && !number) {
      if (ReadNumber(value, number)) continue;
      return InvalidError(StrCat("parameter ", name, " must be a whole number"));
    } else {
      return InvalidError(StrCat("parameter ", name, " is unknown or given twice"),
                          writes ? "the parameters are key, ttl and timestamp" : "the only parameter is key");
    }
  }
  if (place.key.empty()) {
    return InvalidError("the key of the row is missing",
                        "?key= takes a JSON array with the values of the primary key, or an object with their names");
  }
  return place;
}

// A key: the names of its columns, and their values as JSON. The values borrow from the BlobPlace.
struct Key {
  std::vector<std::string> names;
  std::vector<std::string_view> values;
};

Result<Key> ReadKey(const BlobPlace& place, const TableSchema& table) {
  WR_RETURN_IF_ERROR(CheckJson(place.key, limits::kNestingMax));
  Key key;
  if (KindOf(place.key) == JsonKind::kObject) {
    for (JsonMember& member : SplitJsonObject(place.key)) {
      key.names.push_back(std::move(member.name));
      key.values.push_back(member.value);
    }
    return key;
  }
  if (KindOf(place.key) != JsonKind::kArray) {
    return InvalidError("the key must be a JSON array or object", R"(for example ?key=["ann",7])");
  }
  key.values = SplitJsonArray(place.key);
  for (const ColumnSchema& column : table.columns) {
    if (column.is_key() && !column.is_generated()) key.names.push_back(column.name);
  }
  if (key.names.size() == key.values.size()) return key;
  std::string names;
  for (const std::string& name : key.names) names += (names.empty() ? "" : ", ") + name;
  return InvalidError(StrCat("the key has ", key.values.size(), " values and must have ", key.names.size()),
                      "the columns of the primary key are: " + names);
}

// A statement and its values.
struct Prepared {
  PreparedPtr statement;
  RequestParameters parameters;
};

Result<Prepared> PrepareFor(Engine& engine, const BlobPlace& place, const TableSchema& table, bool writes,
                            const HttpRequest& request) {
  WR_ASSIGN_OR_RETURN(const Key key, ReadKey(place, table));
  const std::string name = Quoted(place.keyspace) + "." + Quoted(place.table);
  std::string text = writes ? "UPDATE " + name : "SELECT " + Quoted(place.column) + " FROM " + name;
  if (place.ttl) text += StrCat(" USING TTL ", *place.ttl);
  if (place.timestamp) text += StrCat(place.ttl ? " AND" : " USING", " TIMESTAMP ", *place.timestamp);
  if (writes) text += " SET " + Quoted(place.column) + " = ?";
  for (size_t i = 0; i < key.names.size(); ++i) text += (i == 0 ? " WHERE " : " AND ") + Quoted(key.names[i]) + " = ?";
  Prepared prepared;
  // If the request has a TTL or a timestamp, the statement is not kept in the cache of prepared statements, because its
  // text contains these numbers.
  const bool keeps = !place.ttl && !place.timestamp;
  WR_ASSIGN_OR_RETURN(prepared.statement,
                      keeps ? engine.Prepare(text, place.keyspace) : engine.planner().PlanText(text, place.keyspace));
  QueryRequest values;
  if (writes) values.params.emplace_back("null");  // The value itself comes later.
  values.params.insert(values.params.end(), key.values.begin(), key.values.end());
  WR_ASSIGN_OR_RETURN(prepared.parameters.values, BindJsonParameters(values, prepared.statement->plan->markers));
  prepared.parameters.connection = request.connection;
  prepared.parameters.answer.room = request.room;
  return prepared;
}

HttpReply Refusal(Error error) {
  error.range.reset();  // The range refers to a text that the client has not sent.
  return ErrorReply(error, {});
}

class BlobSource final : public BodySource {
 public:
  BlobSource(std::unique_ptr<BlobRead> blob, ByteRange range) : blob_(std::move(blob)), range_(range) {}

  State Next(std::string& out) override {
    out.clear();
    const size_t count = std::min<uint64_t>(kBlobPartBytes, range_.count);
    if (!blob_->Read(range_.from, count, out).ok()) return out.clear(), State::kFailed;
    range_.from += count;
    range_.count -= count;
    return range_.count > 0 ? State::kMore : State::kEnd;
  }
  size_t held_bytes() const override { return blob_->copied_bytes(); }

 private:
  const std::unique_ptr<BlobRead> blob_;
  ByteRange range_;  // The bytes that have not been sent yet.
};

HttpReply TooLong() {
  return HttpErrorReply(413, StrCat("the value is longer than ", limits::kLongBlobBytesMax, " bytes"));
}

class BlobSink final : public BodySink {
 public:
  explicit BlobSink(std::unique_ptr<BlobWrite> write) : write_(std::move(write)) {}

  std::optional<HttpReply> Take(std::string_view part) override {
    if (part.size() > limits::kLongBlobBytesMax - write_->bytes()) return TooLong();
    if (const Status taken = write_->Append(part); !taken.ok()) return Refusal(taken.error());
    return std::nullopt;
  }
  HttpReply End() override {
    const Result<Outcome> outcome = write_->Finish();
    if (!outcome.ok()) return Refusal(outcome.error());
    HttpReply reply{.body = StrCat("{\"bytes\":", write_->bytes())};
    if (!outcome->warnings.empty()) {
      reply.body += ",\"warnings\":";
      AppendJsonStrings(outcome->warnings, reply.body);
    }
    reply.body += "}\n";
    return reply;
  }

 private:
  const std::unique_ptr<BlobWrite> write_;
};

// Returns the table. If the table or the column does not exist, sets `missing` and returns null.
TablePtr FindColumn(Engine& engine, const BlobPlace& place, HttpReply& missing) {
  const TablePtr table = engine.schema()->FindTable(place.keyspace, place.table);
  if (table == nullptr) {
    missing = HttpErrorReply(404, StrCat("there is no table ", place.keyspace, ".", place.table));
  } else if (table->Find(place.column) == nullptr) {
    missing = HttpErrorReply(404, StrCat("table ", place.keyspace, ".", place.table, " has no column ", place.column));
  } else {
    return table;
  }
  return nullptr;
}

}  // namespace

std::optional<ByteRange> ReadRange(std::string_view header, uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header.starts_with(kUnit)) return std::nullopt;
  header.remove_prefix(kUnit.size());
  const size_t dash = header.find('-');
  if (dash == std::string_view::npos || header.find(',') != std::string_view::npos) return std::nullopt;
  std::optional<int64_t> first, last;
  const std::string_view first_text = header.substr(0, dash), last_text = header.substr(dash + 1);
  if (!first_text.empty() && !ReadNumber(first_text, first)) return std::nullopt;
  if (!last_text.empty() && !ReadNumber(last_text, last)) return std::nullopt;
  if ((!first && !last) || first.value_or(0) < 0 || last.value_or(0) < 0) return std::nullopt;
  if (!first) {  // "-N" means the last N bytes.
    const uint64_t count = std::min<uint64_t>(static_cast<uint64_t>(*last), size);
    return ByteRange{size - count, count};
  }
  if (last && *last < *first) return std::nullopt;
  const auto from = static_cast<uint64_t>(*first);
  if (from >= size) return ByteRange{from, 0};
  return ByteRange{from, last ? std::min(static_cast<uint64_t>(*last) + 1, size) - from : size - from};
}

HttpReply AnswerBlob(Engine& engine, std::string_view path, std::string_view query, const HttpRequest& request) {
  const Result<BlobPlace> place = ReadPlace(path, query, false);
  if (!place.ok()) return Refusal(place.error());
  HttpReply reply;
  const TablePtr table = FindColumn(engine, *place, reply);
  if (table == nullptr) return reply;
  const Result<Prepared> prepared = PrepareFor(engine, *place, *table, false, request);
  if (!prepared.ok()) return Refusal(prepared.error());
  Result<std::unique_ptr<BlobRead>> blob = engine.OpenBlob(*prepared->statement, prepared->parameters);
  if (!blob.ok()) return Refusal(blob.error());
  if (*blob == nullptr) return HttpErrorReply(404, "there is no such row, or its value is null");
  const uint64_t size = (*blob)->bytes();
  const std::string tag = StrCat("\"", (*blob)->timestamp(), "-", size, "-", (*blob)->fingerprint(), "\"");
  std::optional<ByteRange> range;
  if (request.method == "GET" && (request.if_range.empty() || request.if_range == tag)) {
    range = ReadRange(request.range, size);
  }
  if (range && range->count == 0) {
    reply = HttpErrorReply(416, StrCat("the value has ", size, " bytes, and none of them is in the range"));
    reply.headers.emplace_back("Content-Range", StrCat("bytes */", size));
    return reply;
  }
  reply.content_type = "application/octet-stream";
  reply.headers.emplace_back("Accept-Ranges", "bytes");
  reply.headers.emplace_back("ETag", tag);
  if (range) {
    reply.status = 206;
    reply.headers.emplace_back("Content-Range",
                               StrCat("bytes ", range->from, "-", range->from + range->count - 1, "/", size));
  }
  const ByteRange sent = range.value_or(ByteRange{0, size});
  reply.length = sent.count;
  if (sent.count > 0) reply.rest = std::make_unique<BlobSource>(std::move(*blob), sent);
  return reply;
}

OpenedSink OpenBlobSink(Engine& engine, std::string_view path, std::string_view query, const HttpRequest& request) {
  const Result<BlobPlace> place = ReadPlace(path, query, true);
  if (!place.ok()) return {.refusal = Refusal(place.error())};
  HttpReply missing;
  const TablePtr table = FindColumn(engine, *place, missing);
  if (table == nullptr) return {.refusal = std::move(missing)};
  const Result<Prepared> prepared = PrepareFor(engine, *place, *table, true, request);
  if (!prepared.ok()) return {.refusal = Refusal(prepared.error())};
  Result<std::unique_ptr<BlobWrite>> write = engine.WriteBlob(prepared->statement, prepared->parameters);
  if (!write.ok()) return {.refusal = Refusal(write.error())};
  return {.sink = std::make_unique<BlobSink>(std::move(*write)), .memory_bytes = BlobWrite::kMemoryBytes};
}

}  // namespace widerow
