#include "net/hbase/http/json_requests.h"

#include <charconv>

#include <set>
#include "base/text.h"
#include "net/hbase/filter/filter_language.h"
#include "types/json_document.h"

namespace widerow::hbase {

namespace {

constexpr size_t kRowsMax = 10'000;  // The most rows of an answer.
constexpr size_t kRowsUsual = 100;

using Kind = JsonValue::Kind;

Error WrongField(std::string_view name, std::string_view wanted) {
  return InvalidError(StrCat("field \"", name, "\" must be ", wanted));
}

Result<Bytes> BytesField(const JsonValue::Member& member, BytesForm form) {
// Reads a string, or an object {"hex": "…"}, which AppendBytes writes for bytes that are not UTF-8.
  const JsonValue& value = member.value;
  if (value.kind == Kind::kString) return DecodeBytes(value.text, form);
  const bool is_hex = value.kind == Kind::kObject && value.members.size() == 1 && value.members[0].name == "hex" &&
                      value.members[0].value.kind == Kind::kString;
  if (is_hex) return DecodeBytes(value.members[0].value.text, BytesForm::kHex);
  return WrongField(member.name, R"(a string or {"hex": "…"})");
}
Result<int64_t> NumberField(const JsonValue::Member& member) {
  if (member.value.kind != Kind::kNumber) return WrongField(member.name, "a whole number");
  return ParseNumber(member.name, member.value.text);
}
Result<int64_t> AmountField(const JsonValue::Member& member) {
  const std::string_view text = member.value.text;
  int64_t amount = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), amount);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (member.value.kind == Kind::kNumber && whole) return amount;
  return WrongField(member.name, "a whole number from -2^63 to 2^63 - 1, without a point or an exponent");
}
Result<bool> BooleanField(const JsonValue::Member& member) {
  if (member.value.kind != Kind::kBoolean) return WrongField(member.name, "true or false");
  return member.value.text == "true";
}

Status SetColumns(const JsonValue::Member& member, BytesForm form, ReadSpec& read) {
  if (member.value.kind != Kind::kArray) return WrongField(member.name, "a list of columns");
  for (const JsonValue& column : member.value.items) {
    if (column.kind != Kind::kString) return WrongField(member.name, "a list of columns, which are strings");
    WR_RETURN_IF_ERROR(AddColumn(column.text, form, read));
  }
  return OkStatus();
}

Status SetScanField(const JsonValue::Member& member, BytesForm form, Bytes& prefix, JsonScan& scan) {
  ScanSpec& spec = *scan.spec;
  const std::string& name = member.name;
  if (name == "start" || name == "stop" || name == "prefix") {
    WR_ASSIGN_OR_RETURN(Bytes bytes, BytesField(member, form));
    (name == "start" ? spec.range.start : name == "stop" ? spec.range.stop : prefix) = std::move(bytes);
  } else if (name == "after") {
    WR_ASSIGN_OR_RETURN(spec.range.start, BytesField(member, form));
    spec.range.start_inclusive = false;
  } else if (name == "reversed") {
    WR_ASSIGN_OR_RETURN(spec.range.reversed, BooleanField(member));
  } else if (name == "columns") {
    return SetColumns(member, form, spec.read);
  } else if (name == "filter") {
    if (member.value.kind != Kind::kString) return WrongField(name, "a string");
    WR_ASSIGN_OR_RETURN(spec.read.filter, ParseFilterText(member.value.text));
  } else if (name == "limit" || name == "versions" || name == "from" || name == "to") {
    WR_ASSIGN_OR_RETURN(const int64_t number, NumberField(member));
    if (name == "limit") scan.limit = static_cast<size_t>(number);
    if (name == "versions") spec.read.max_versions = static_cast<int32_t>(std::min<int64_t>(number, INT32_MAX));
    if (name == "from") spec.read.time_range.from = number;
    if (name == "to") spec.read.time_range.to = number;
  } else {
    return InvalidError(
        StrCat("unknown field \"", name, "\" in scan"),
        "the fields are start, stop, after, prefix, reversed, columns, versions, from, to, filter, limit");
  }
  return OkStatus();
}

Result<JsonScan> ScanOfJson(const JsonValue& json, BytesForm form) {
  if (json.kind != Kind::kObject) return WrongField("scan", "an object");
  JsonScan scan{.spec = std::make_unique<ScanSpec>(), .limit = kRowsUsual};
  Bytes prefix;
  for (const JsonValue::Member& member : json.members) WR_RETURN_IF_ERROR(SetScanField(member, form, prefix, scan));
  RowRangeSpec& range = scan.spec->range;
  if (!prefix.empty()) {
    Bytes& low = range.reversed ? range.stop : range.start;
    Bytes& high = range.reversed ? range.start : range.stop;
    if (low < prefix) {
      low = prefix;
      (range.reversed ? range.stop_inclusive : range.start_inclusive) = true;
    }
    const Bytes after = AfterPrefix(prefix);
    if (high.empty() || (!after.empty() && after < high)) {
      high = after;
      if (range.reversed) range.start_inclusive = false;
    }
  }
  if (scan.limit == 0 || scan.limit > kRowsMax) return WrongField("limit", StrCat("from 1 to ", kRowsMax));
  return scan;
}

Result<Cell> CellOfJson(const JsonValue& json, MutationKind kind, BytesForm form) {
  if (json.kind != Kind::kObject) return WrongField("cells", "a list of objects");
  Cell cell;
  bool has_qualifier = false, one_version = false;
  for (const JsonValue::Member& member : json.members) {
    if (member.name == "family") {
      if (member.value.kind != Kind::kString) return WrongField(member.name, "a string");
      cell.family = member.value.text;
    } else if (member.name == "qualifier") {
      WR_ASSIGN_OR_RETURN(cell.qualifier, BytesField(member, form));
      has_qualifier = true;
    } else if (member.name == "timestamp") {
      WR_ASSIGN_OR_RETURN(cell.timestamp, NumberField(member));
    } else if (member.name == "one_version") {
      WR_ASSIGN_OR_RETURN(one_version, BooleanField(member));
    } else if (member.name == "amount" && kind == MutationKind::kIncrement) {
      WR_ASSIGN_OR_RETURN(const int64_t amount, AmountField(member));
      cell.value.clear();
      AppendBigEndian(cell.value, amount);
    } else if (member.name == "value") {
      WR_ASSIGN_OR_RETURN(cell.value, BytesField(member, form));
    } else {
      return InvalidError(StrCat("unknown field \"", member.name, "\" in a cell"),
                          "the fields are family, qualifier, timestamp, value, amount, one_version");
    }
  }
  if (kind == MutationKind::kDelete) {
    cell.type = has_qualifier ? one_version ? CellType::kDelete : CellType::kDeleteColumn
                : one_version ? CellType::kDeleteFamilyVersion
                              : CellType::kDeleteFamily;
  }
  return cell;
}

Result<Mutation> MutationOfJson(const JsonValue& json, BytesForm form) {
  if (json.kind != Kind::kObject) return WrongField("batch", "a list of objects");
  Mutation mutation;
  size_t kinds = 0;
  for (const JsonValue::Member& member : json.members) {
    if (member.name == "row") {
      WR_ASSIGN_OR_RETURN(mutation.row, BytesField(member, form));
      continue;
    }
    const bool known =
        member.name == "put" || member.name == "delete" || member.name == "increment" || member.name == "append";
    if (!known || member.value.kind != Kind::kArray) {
      return InvalidError(StrCat("field \"", member.name, "\" of a mutation is unknown or no list"),
                          "a mutation has row and one of put, delete, increment, append: a list of cells");
    }
    ++kinds;
    mutation.kind = member.name == "put"         ? MutationKind::kPut
                    : member.name == "delete"    ? MutationKind::kDelete
                    : member.name == "increment" ? MutationKind::kIncrement
                                                 : MutationKind::kAppend;
    for (const JsonValue& item : member.value.items) {
      WR_ASSIGN_OR_RETURN(Cell cell, CellOfJson(item, mutation.kind, form));
      mutation.cells.push_back(std::move(cell));
    }
  }
  if (kinds != 1) return InvalidError("a mutation has one of put, delete, increment, append");
  return mutation;
}

}  // namespace

Result<JsonRequest> ParseJsonRequest(std::string_view body) {
  WR_ASSIGN_OR_RETURN(const JsonValue json, ParseJsonDocument(body));
  if (json.kind != Kind::kObject) return InvalidError("the request body must be a JSON object");
  JsonRequest request;
  for (const JsonValue::Member& member : json.members) {
    if (member.name != "encoding") continue;
    WR_ASSIGN_OR_RETURN(request.form, BytesFormNamed(member.value.text));
  }
  for (const JsonValue::Member& member : json.members) {
    if (member.name == "scan") {
      WR_ASSIGN_OR_RETURN(request.scan, ScanOfJson(member.value, request.form));
    } else if (member.name == "batch") {
      for (const JsonValue& item : member.value.items) {
        WR_ASSIGN_OR_RETURN(Mutation mutation, MutationOfJson(item, request.form));
// Refuses an Increment or Append that has a column twice. Both cells would be computed from the value before the write,
// and the second one would replace the first.
Status CheckDelta(const Mutation& mutation) {
  std::set<std::pair<ByteView, ByteView>> columns;
  for (const Cell& cell : mutation.cells) {
    if (columns.emplace(cell.family, cell.qualifier).second) continue;
    return InvalidError(
        StrCat("column ", cell.family, ":", cell.qualifier, " is given twice in the ",
               mutation.kind == MutationKind::kIncrement ? "increment" : "append", " of row ", mutation.row),
        "a batch can have several mutations of the row, each with this column once");
  }
  return OkStatus();
}

        request.batch.push_back(std::move(mutation));
      }
    } else if (member.name != "encoding") {
      return InvalidError(StrCat("unknown field \"", member.name, "\" in the request body"),
                          R"(the body is {"scan": {…}} or {"batch": […]}, with "encoding")");
    }
  }
  if (request.scan.has_value() == !request.batch.empty()) {
    return InvalidError("the request body must have one of scan and batch");
  }
  return request;
}

}  // namespace widerow::hbase
  if (IsDelta(mutation.kind)) WR_RETURN_IF_ERROR(CheckDelta(mutation));
