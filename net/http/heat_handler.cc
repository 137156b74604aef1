// AnswerHeat checks the URL's parameters, takes a snapshot of the table's heat and makes a HeatPicture of it
// (exec/heat/heat_picture.h). HeatJson or HeatSvg (heat_svg.cc) writes the picture. Without a table, TablesJson lists
// the sums of all tables.
#include "net/http/heat_handler.h"

#include <charconv>

#include "exec/heat/heat_key.h"
#include "exec/heat/heat_map.h"
#include "exec/virtual/virtual_tables.h"
#include "net/http/error_reply.h"
#include "net/text/url_query.h"
#include "types/json_form.h"

namespace widerow {
namespace {

constexpr const char* kUsage =
    "/v1/heat takes keyspace, table, axis (key, token), metric (reads, writes, bytes, time), minutes and format (json, "
    "svg)";
constexpr size_t kBusyListed = 20;

struct HeatQuery {
  std::string keyspace, table;
  HeatAxis axis = HeatAxis::kKey;
  HeatMetric metric = HeatMetric::kWrites;
  int64_t minutes = 0;  // 0: everything that is kept.
  bool svg = false;
};

// Sets one parameter. False if there is no such parameter, or if it does not take this value.
bool Set(const std::string& name, const std::string& value, HeatQuery& query) {
  if (name == "keyspace") return query.keyspace = value, true;
  if (name == "table") return query.table = value, true;
  if (name == "axis") {
    const auto axis = HeatAxisFromName(value);
    query.axis = axis.value_or(query.axis);
    return axis.has_value();
  }
  if (name == "metric") {
    const auto metric = HeatMetricFromName(value);
    query.metric = metric.value_or(query.metric);
    return metric.has_value();
  }
  if (name == "format") {
    query.svg = value == "svg";
    return query.svg || value == "json";
  }
  if (name != "minutes") return false;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), query.minutes);
  return code == std::errc() && end == value.data() + value.size() && query.minutes > 0 && query.minutes < 100'000;
}

class Json {
 public:
  Json& Key(std::string_view name) {
    Comma();
    AppendJsonString(name, out_);
    out_ += ':';
    first_ = true;
    return *this;
  }
  Json& Open(char bracket) { return Comma(), out_ += bracket, first_ = true, *this; }
  Json& Close(char bracket) { return out_ += bracket, first_ = false, *this; }
  Json& Text(std::string_view text) { return Comma(), AppendJsonString(text, out_), *this; }
  template <typename T>
  Json& Number(T number) {
    Comma();
    char digits[32];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    return *this;
  }
  std::string Take() && { return std::move(out_) + "\n"; }

 private:
  void Comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string out_;
  bool first_ = true;
};

void WriteShapes(const HeatPicture& picture, Json& json) {
  json.Key("shapes").Open('[');
  for (const HeatShape& shape : HeatShapesOf(picture)) {
    json.Open('{').Key("operation").Text(HeatMetricName(shape.metric)).Key("shape").Text(shape.name);
    json.Key("share").Number(shape.share).Key("operations").Number(shape.operations);
    json.Key("operations_error").Number(shape.operations_error).Key("description").Text(shape.words).Close('}');
  }
  json.Close(']');
}

// Writes each cell as [range, reads, writes, bytes, micros, reads_error, writes_error]; empty cells are left out.
void WriteColumns(const HeatPicture& picture, Json& json) {
  json.Key("slices").Open('[');
  for (const HeatPicture::Column& column : picture.columns) {
    json.Open('{')
        .Key("start")
        .Number(column.begin_seconds)
        .Key("seconds")
        .Number(column.seconds)
        .Key("cells")
        .Open('[');
    for (size_t i = 0; i < column.cells.size(); ++i) {
      const HeatCell& cell = column.cells[i];
      if (cell.empty()) continue;
      json.Open('[').Number(i).Number(cell.reads).Number(cell.writes).Number(cell.bytes).Number(cell.micros);
      json.Number(cell.ReadsError(column.skipped)).Number(cell.WritesError()).Close(']');
    }
    json.Close(']').Close('}');
  }
  json.Close(']');
}

std::string HeatJson(const TableSchema& table, const HeatSnapshot& snapshot, const HeatPicture& picture) {
  Json json;
  json.Open('{').Key("keyspace").Text(table.keyspace).Key("table").Text(table.name);
  json.Key("axis").Text(HeatAxisName(picture.axis)).Key("keys_met").Number(snapshot.distinct_keys);
  WriteShapes(picture, json);
  json.Key("ranges").Open('[');
  for (const std::string& first : picture.firsts) json.Text(first);
  json.Close(']');
  WriteColumns(picture, json);
  json.Key("busy_seconds").Number(snapshot.busy_seconds).Key("busy_partitions").Open('[');
  for (size_t i = 0; i < std::min(snapshot.busy.size(), kBusyListed); ++i) {
    const BusyPartition& busy = snapshot.busy[i];
    json.Open('{').Key("partition_key").Text(PartitionKeyText(table, busy.key));
    json.Key("reads").Number(busy.done.reads).Key("writes").Number(busy.done.writes);
    json.Key("bytes").Number(busy.done.bytes).Key("reads_error").Number(busy.ReadsError(snapshot.busy_skipped));
    json.Key("writes_error").Number(busy.WritesError()).Close('}');
  }
  return std::move(json.Close(']').Close('}')).Take();
}

// Lists the stored tables with the sums of their operations.
std::string TablesJson(const SchemaSnapshot& schema, HeatMap& heat, const HeatQuery& query, int64_t since) {
  Json json;
  json.Open('{').Key("tables").Open('[');
  for (const auto& [keyspace_name, keyspace] : schema.keyspaces) {
    if (!query.keyspace.empty() && keyspace_name != query.keyspace) continue;
    for (const auto& [name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      const HeatPicture picture = MakeHeatPicture(*table, heat.Snapshot(*table), query.axis, since);
      const HeatCell sum = picture.Sum();
      json.Open('{').Key("keyspace").Text(keyspace_name).Key("table").Text(name);
      json.Key("reads").Number(sum.reads).Key("writes").Number(sum.writes);
      json.Key("bytes").Number(sum.bytes).Key("micros").Number(sum.micros);
      json.Key("reads_error").Number(sum.ReadsError(picture.Skipped()));
      WriteShapes(picture, json);
      json.Close('}');
    }
  }
  return std::move(json.Close(']').Close('}')).Take();
}

}  // namespace

HttpReply AnswerHeat(Engine& engine, std::string_view text, std::shared_ptr<const ConnectionFacts> connection) {
  const Result<HeatMap*> heat = engine.Heat({.connection = std::move(connection)});
  if (!heat.ok()) return ErrorReply(heat.error(), {});
  HeatQuery query;
  const auto parameters = ParseUrlQuery(text);
  if (!parameters) return HttpErrorReply(400, "the query part of the URL is malformed", kUsage);
  for (const auto& [name, value] : *parameters) {
    if (!Set(name, value, query))
      return HttpErrorReply(400, name + "=" + value + " is not a parameter of /v1/heat", kUsage);
  }
  const int64_t since = query.minutes == 0 ? 0 : engine.clock().NowSeconds() - 60 * query.minutes;
  const SchemaPtr schema = engine.schema();
  if (!query.keyspace.empty() && schema->FindKeyspace(query.keyspace) == nullptr) {
    return HttpErrorReply(404, "Keyspace '" + query.keyspace + "' does not exist");
  }
  if (query.table.empty() && !query.svg) return {.body = TablesJson(*engine.schema(), **heat, query, since)};
  if (query.table.empty() || query.keyspace.empty()) {
    return HttpErrorReply(400, "the parameters keyspace and table are both needed: they name the table of the heat map",
                          "/v1/heat?keyspace=shop&table=orders&format=svg");
  }
  const TablePtr table = schema->FindTable(query.keyspace, query.table);
  if (table == nullptr)
    return HttpErrorReply(404, "Table '" + query.table + "' not found in keyspace '" + query.keyspace + "'");
  if (IsVirtual(*table)) {
    return HttpErrorReply(400, "Table '" + query.keyspace + "." + query.table + "' is not stored and has no heat");
  }
  const HeatSnapshot snapshot = (*heat)->Snapshot(*table);
  const HeatPicture picture = MakeHeatPicture(*table, snapshot, query.axis, since);
  if (query.svg) return {.content_type = "image/svg+xml", .body = HeatSvg(*table, picture, query.metric)};
  return {.body = HeatJson(*table, snapshot, picture)};
}

}  // namespace widerow
