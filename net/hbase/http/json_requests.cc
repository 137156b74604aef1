#include "net/hbase/http/json_requests.h"

#include <algorithm>
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

// Refuses members of an object that are unknown or given twice. `place` names the object.
Status CheckFields(const JsonValue& object, std::string_view place, const std::vector<std::string_view>& known) {
  std::set<std::string_view> seen;
  for (const JsonValue::Member& member : object.members) {
    if (std::ranges::find(known, member.name) == known.end()) {
      std::string names;
      for (const std::string_view name : known) names += StrCat(names.empty() ? "" : ", ", name);
      return InvalidError(StrCat("unknown field \"", member.name, "\" in ", place), "the fields are " + names);
    }
    if (!seen.insert(member.name).second) {
      return InvalidError(StrCat("field \"", member.name, "\" is given twice in ", place), "give it once");
    }
  }
  return OkStatus();
}

// Reads a string, or an object {"hex": "…"}, which AppendBytes writes for bytes that are not UTF-8.
Result<Bytes> BytesField(const JsonValue::Member& member, BytesForm form) {
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

// The fields of a scan that narrow the range of start and stop.
struct NarrowerRange {
  Bytes prefix;
  std::optional<Bytes> after;
};

Status SetScanField(const JsonValue::Member& member, BytesForm form, NarrowerRange& narrower, JsonScan& scan) {
  ScanSpec& spec = *scan.spec;
  const std::string& name = member.name;
  if (name == "start" || name == "stop" || name == "prefix") {
    WR_ASSIGN_OR_RETURN(Bytes bytes, BytesField(member, form));
    (name == "start" ? spec.range.start : name == "stop" ? spec.range.stop : narrower.prefix) = std::move(bytes);
  } else if (name == "after") {
    WR_ASSIGN_OR_RETURN(narrower.after, BytesField(member, form));
  } else if (name == "reversed") {
    WR_ASSIGN_OR_RETURN(spec.range.reversed, BooleanField(member));
  } else if (name == "columns") {
    return SetColumns(member, form, spec.read);
  } else if (name == "filter") {
    if (member.value.kind != Kind::kString) return WrongField(name, "a string");
    WR_ASSIGN_OR_RETURN(spec.read.filter, ParseFilterText(member.value.text));
  } else {
    WR_ASSIGN_OR_RETURN(const int64_t number, NumberField(member));
    if (name == "limit") scan.limit = static_cast<size_t>(number);
    if (name == "versions") { WR_ASSIGN_OR_RETURN(spec.read.max_versions, ParseVersions(member.value.text)); }
    if (name == "from") spec.read.time_range.from = number;
    if (name == "to") spec.read.time_range.to = number;
  }
  return OkStatus();
}

void Narrow(const NarrowerRange& narrower, RowRangeSpec& range) {
  const std::optional<Bytes>& after = narrower.after;
  if (after && (range.start.empty() || (range.reversed ? *after <= range.start : *after >= range.start))) {
    range.start = *after;
    range.start_inclusive = false;
  }
  const Bytes& prefix = narrower.prefix;
  if (prefix.empty()) return;
  Bytes& low = range.reversed ? range.stop : range.start;
  Bytes& high = range.reversed ? range.start : range.stop;
  if (low < prefix) {
    low = prefix;
    (range.reversed ? range.stop_inclusive : range.start_inclusive) = true;
  }
  const Bytes behind = AfterPrefix(prefix);
  if (high.empty() || (!behind.empty() && behind < high)) {
    high = behind;
    if (range.reversed) range.start_inclusive = false;
  }
}

Result<JsonScan> ScanOfJson(const JsonValue& json, BytesForm form) {
  if (json.kind != Kind::kObject) return WrongField("scan", "an object");
  WR_RETURN_IF_ERROR(CheckFields(
      json, "scan",
      {"start", "stop", "after", "prefix", "reversed", "columns", "versions", "from", "to", "filter", "limit"}));
  JsonScan scan{.spec = std::make_unique<ScanSpec>(), .limit = kRowsUsual};
  NarrowerRange narrower;
  for (const JsonValue::Member& member : json.members) WR_RETURN_IF_ERROR(SetScanField(member, form, narrower, scan));
  Narrow(narrower, scan.spec->range);
  if (scan.limit == 0 || scan.limit > kRowsMax) return WrongField("limit", StrCat("from 1 to ", kRowsMax));
  return scan;
}

MutationKind MutationKindNamed(std::string_view name) {
  if (name == "put") return MutationKind::kPut;
  if (name == "delete") return MutationKind::kDelete;
  return name == "increment" ? MutationKind::kIncrement : MutationKind::kAppend;
}

// Returns the field that a cell of these mutations has besides its column and timestamp.
std::string_view ContentField(MutationKind kind) {
  if (kind == MutationKind::kDelete) return "one_version";
  return kind == MutationKind::kIncrement ? "amount" : "value";
}

Result<Cell> CellOfJson(const JsonValue& json, std::string_view mutation, BytesForm form) {
  if (json.kind != Kind::kObject) return WrongField(mutation, "a list of objects");
  const MutationKind kind = MutationKindNamed(mutation);
  WR_RETURN_IF_ERROR(
      CheckFields(json, StrCat("a cell of ", mutation), {"family", "qualifier", "timestamp", ContentField(kind)}));
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
    } else if (member.name == "amount") {
      WR_ASSIGN_OR_RETURN(const int64_t amount, AmountField(member));
      AppendBigEndian(cell.value, amount);
    } else {
      WR_ASSIGN_OR_RETURN(cell.value, BytesField(member, form));
    }
  }
  if (kind == MutationKind::kDelete) {
    cell.type = has_qualifier ? one_version ? CellType::kDelete : CellType::kDeleteColumn
                : one_version ? CellType::kDeleteFamilyVersion
                              : CellType::kDeleteFamily;
  }
  return cell;
}

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

Result<Mutation> MutationOfJson(const JsonValue& json, BytesForm form) {
  if (json.kind != Kind::kObject) return WrongField("batch", "a list of objects");
  WR_RETURN_IF_ERROR(CheckFields(json, "a mutation", {"row", "put", "delete", "increment", "append"}));
  Mutation mutation;
  size_t kinds = 0;
  for (const JsonValue::Member& member : json.members) {
    if (member.name == "row") {
      WR_ASSIGN_OR_RETURN(mutation.row, BytesField(member, form));
      continue;
    }
    if (member.value.kind != Kind::kArray) return WrongField(member.name, "a list of cells");
    ++kinds;
    mutation.kind = MutationKindNamed(member.name);
    for (const JsonValue& item : member.value.items) {
      WR_ASSIGN_OR_RETURN(Cell cell, CellOfJson(item, member.name, form));
      mutation.cells.push_back(std::move(cell));
    }
    if (mutation.cells.empty() && mutation.kind != MutationKind::kDelete) {
      return WrongField(member.name, "a list with a cell or more");
    }
  }
  if (kinds != 1) return InvalidError("a mutation has one of put, delete, increment, append");
  if (IsDelta(mutation.kind)) WR_RETURN_IF_ERROR(CheckDelta(mutation));
  return mutation;
}

}  // namespace

Result<JsonRequest> ParseJsonRequest(std::string_view body) {
  WR_ASSIGN_OR_RETURN(const JsonValue json, ParseJsonDocument(body));
  if (json.kind != Kind::kObject) return InvalidError("the request body must be a JSON object");
  WR_RETURN_IF_ERROR(CheckFields(json, "the request body", {"scan", "batch", "encoding"}));
  JsonRequest request;
  for (const JsonValue::Member& member : json.members) {
    if (member.name != "encoding") continue;
    if (member.value.kind != Kind::kString) return WrongField(member.name, "text, hex or base64");
    WR_ASSIGN_OR_RETURN(request.form, BytesFormNamed(member.value.text));
  }
  for (const JsonValue::Member& member : json.members) {
    if (member.name == "scan") { WR_ASSIGN_OR_RETURN(request.scan, ScanOfJson(member.value, request.form)); }
    if (member.name != "batch") continue;
    if (member.value.kind != Kind::kArray) return WrongField(member.name, "a list of mutations");
    for (const JsonValue& item : member.value.items) {
      WR_ASSIGN_OR_RETURN(Mutation mutation, MutationOfJson(item, request.form));
      request.batch.push_back(std::move(mutation));
    }
  }
  if (request.scan.has_value() == !request.batch.empty()) {
    return InvalidError("the request body must have one of scan and batch");
  }
  return request;
}

}  // namespace widerow::hbase
