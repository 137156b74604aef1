// Load converts rows into values_ and ready_. It sends these rows at the end, and earlier if the next row has the same
// key as one of them, or another value of a static column in the same partition. SendAll groups rows with the same
// pattern; SendGroup sends one batch and, if the batch is refused because of a row, its parts. Execute makes the
// request in one of three ways: prepared, with parameters, or as literals. It retries while the server is overloaded.
#include "shell/row_loader.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "base/text.h"
#include "shell/json_parameter.h"
#include "types/text_form.h"

namespace widerow {
namespace {

constexpr size_t kHttpGroupRowsMax = 100;
constexpr size_t kPatternsMax = 4;  // The server keeps a plan for each pattern (row_loader.h) with each batch size.
constexpr int kOverloadedRetries = 50;
constexpr auto kOverloadedPause = std::chrono::milliseconds(100);

std::string BatchText(const std::string& statement, size_t count) {
  if (count == 1) return statement;
  std::string text = "BEGIN UNLOGGED BATCH ";
  for (size_t i = 0; i < count; ++i) text += statement + "; ";
  return text + "APPLY BATCH";
}

}  // namespace

RowLoader::RowLoader(std::unique_ptr<Session> session, const CopyMapping& mapping, const CopyCommand& command,
                     BadRows& bad, LoaderCounters& counters)
    : owned_session_(std::move(session)),
      session_(*owned_session_),
      mapping_(mapping),
      converter_(mapping, command, bad),
      counters_(counters) {
  size_t size = command.chunk_rows;
  if (!session_.prepares()) size = std::min(size, kHttpGroupRowsMax);
  for (; size > 1; size = (size + 1) / 2) group_sizes_.push_back(size);
  group_sizes_.push_back(1);
  // The pattern of rows whose values may be unset.
  if (session_.prepares()) patterns_.emplace_back(mapping.slots.size(), '1');
}

Status RowLoader::Load(const RowBatch& batch) {
  for (const RowBatch::Row& row : batch.rows) {
    const ByteView key = batch.Key(row);
    std::vector<StaticValue> statics = StaticsOf(batch, row);
    if (Collides(key, statics)) WR_RETURN_IF_ERROR(SendAll(batch));
    WR_ASSIGN_OR_RETURN(const bool good, Convert(batch, row));
    if (!good) continue;
    if (!key.empty()) keys_.insert(Bytes(key));
    for (StaticValue& value : statics) statics_.insert_or_assign(std::move(value.place), std::move(value.fields));
  }
  return SendAll(batch);
}

std::vector<RowLoader::StaticValue> RowLoader::StaticsOf(const RowBatch& batch, const RowBatch::Row& row) const {
  std::vector<StaticValue> statics;
  if (mapping_.adds || row.cell_count != mapping_.field_count || batch.Key(row).empty()) return statics;
  for (size_t i = 0; i < mapping_.columns.size(); ++i) {
    const CopyMapping::Column& column = mapping_.columns[i];
    if (column.kind != ColumnKind::kStatic) continue;
    StaticValue value{.place = StrCat(batch.Partition(row), i), .fields = {}, .adds_elements = column.adds_elements};
    bool all_null = true;
    for (const size_t slot : column.slots) {
      const CsvField field = batch.Field(row, mapping_.slots[slot].field);
      const bool null = converter_.IsNullIn(mapping_.slots[slot], field);
      all_null = all_null && null;
      value.fields += null ? std::string("null,") : StrCat(field.text.size(), ":", field.text);
    }
    if (column.computed || !all_null) statics.push_back(std::move(value));
  }
  return statics;
}

bool RowLoader::Collides(ByteView key, const std::vector<StaticValue>& statics) const {
  return keys_.contains(key) || std::ranges::any_of(statics, [&](const StaticValue& value) {
           const auto found = statics_.find(value.place);
           return found != statics_.end() && (value.adds_elements || found->second != value.fields);
         });
}

Result<bool> RowLoader::Convert(const RowBatch& batch, const RowBatch::Row& row) {
  const size_t first_value = values_.size();
  WR_ASSIGN_OR_RETURN(const RowConverter::Converted converted, converter_.Convert(batch, row, values_));
  bool good = converted != RowConverter::Converted::kRefused;
  if (good && mapping_.adds && AddsNothing(first_value)) {
    values_.resize(first_value);
    WR_RETURN_IF_ERROR(converter_.Refuse(batch, row, "", "it has no value for a counter"));
    good = false;
  }
  if (!good) return false;
  const bool of_row = converted == RowConverter::Converted::kRow && !(mapping_.adds && DropsRow(first_value));
  const bool whole = session_.prepares() && of_row;
  ready_.push_back({&row, first_value, whole ? 0 : PatternOf(first_value)});
  return true;
}

bool RowLoader::AddsNothing(size_t first_value) const {
  return std::all_of(mapping_.columns.begin(), mapping_.columns.end(), [&](const CopyMapping::Column& column) {
    return column.is_key() ||
           (!column.computed && values_[first_value + column.slots[0]].kind == BoundValue::Kind::kUnset);
  });
}

// If only static counters are added, the statement must not name a row. Then unsets the clustering columns and returns
// true.
bool RowLoader::DropsRow(size_t first_value) {
  const auto adds_to_row = [&](const CopyMapping::Column& column) {
    return !column.is_key() && !column.of_partition() &&
           (column.computed || values_[first_value + column.slots[0]].kind != BoundValue::Kind::kUnset);
  };
  if (std::ranges::any_of(mapping_.columns, adds_to_row)) return false;
  for (const CopyMapping::Column& column : mapping_.columns) {
    if (column.kind != ColumnKind::kClustering || column.computed) continue;
    values_[first_value + column.slots[0]] = {.kind = BoundValue::Kind::kUnset, .bytes = {}};
  }
  return true;
}

size_t RowLoader::PatternOf(size_t first_value) {
  std::string pattern;
  for (size_t i = 0; i < mapping_.slots.size(); ++i) {
    const BoundValue& value = values_[first_value + i];
    if (value.kind == BoundValue::Kind::kValue && !IsKeptByJson(*mapping_.slots[i].type, value.bytes))
      return kPatternsMax;
    pattern += value.kind == BoundValue::Kind::kUnset ? '0' : '1';
  }
  const auto found = static_cast<size_t>(std::find(patterns_.begin(), patterns_.end(), pattern) - patterns_.begin());
  if (found == patterns_.size() && found < kPatternsMax) patterns_.push_back(std::move(pattern));
  return found;
}

Status RowLoader::SendAll(const RowBatch& batch) {
  // Each key is in ready_ only once, so the order does not matter.
  const auto by_pattern = [](const ReadyRow& a, const ReadyRow& b) { return a.pattern < b.pattern; };
  std::stable_sort(ready_.begin(), ready_.end(), by_pattern);
  for (size_t first = 0; first < ready_.size();) {
    const size_t end = static_cast<size_t>(
        std::upper_bound(ready_.begin() + static_cast<ptrdiff_t>(first), ready_.end(), ready_[first], by_pattern) -
        ready_.begin());
    for (const size_t size : group_sizes_) {
      for (; end - first >= size; first += size) WR_RETURN_IF_ERROR(SendGroup(batch, first, size));
    }
  }
  ready_.clear();
  values_.clear();
  keys_.clear();
  statics_.clear();
  return OkStatus();
}

Status RowLoader::SendGroup(const RowBatch& batch, size_t first, size_t count) {
  const Status sent = Execute(first, count);
  if (sent.ok()) {
    counters_.rows_in += count;
    return OkStatus();
  }
  if (!IsRowFault(sent.error())) return sent.error();
  if (count == 1) return converter_.Refuse(batch, *ready_[first].row, "", FirstLine(sent.error().message));
  const size_t end = first + count;
  for (const size_t size : group_sizes_) {
    if (size >= count) continue;
    for (; end - first >= size; first += size) WR_RETURN_IF_ERROR(SendGroup(batch, first, size));
  }
  return OkStatus();
}

Status RowLoader::Execute(size_t first, size_t count) {
  const size_t pattern = ready_[first].pattern;
  const bool prepared = session_.prepares() && pattern == 0;
  SessionRequest request = prepared                 ? PreparedRequest(first, count)
                           : pattern < kPatternsMax ? ParameterRequest(first, count)
                                                    : LiteralRequest(first, count);
  Result<Outcome> outcome = session_.Execute(request);
  for (int tries = 0; !outcome.ok() && outcome.error().code == ErrorCode::kOverloaded && tries < kOverloadedRetries;
       ++tries) {
    std::this_thread::sleep_for(kOverloadedPause);
    outcome = session_.Execute(request);
  }
  if (outcome.ok()) return OkStatus();
  // The values are moved back, because a refused batch is sent again in parts.
  if (prepared) std::move(request.parameters.values.begin(), request.parameters.values.end(), FirstValueOf(first));
  return outcome.error();
}

std::vector<BoundValue>::iterator RowLoader::FirstValueOf(size_t ready) {
  return values_.begin() + static_cast<ptrdiff_t>(ready_[ready].first_value);
}

SessionRequest RowLoader::PreparedRequest(size_t first, size_t count) {
  SessionRequest request{.text = BatchText(mapping_.Statement(), count)};
  const auto end = FirstValueOf(first) + static_cast<ptrdiff_t>(count * mapping_.slots.size());
  request.parameters.values.assign(std::make_move_iterator(FirstValueOf(first)), std::make_move_iterator(end));
  return request;
}

SessionRequest RowLoader::ParameterRequest(size_t first, size_t count) {
  const std::string& pattern = patterns_[ready_[first].pattern];
  CopyMapping present{.table = mapping_.table, .adds = mapping_.adds};
  for (const CopyMapping::Column& column : mapping_.columns) {
    if (column.computed || pattern[column.slots[0]] == '1') present.columns.push_back(column);
  }
  SessionRequest request{.text = BatchText(present.Statement(), count)};
  for (size_t i = first; i < first + count; ++i) {
    for (const CopyMapping::Column& column : present.columns) {
      for (const size_t slot : column.slots) {
        request.parameters.values.push_back(values_[ready_[i].first_value + slot]);
        request.value_types.push_back(mapping_.slots[slot].type);
      }
    }
  }
  return request;
}

SessionRequest RowLoader::LiteralRequest(size_t first, size_t count) const {
  if (count == 1) return {.text = LiteralStatement(ready_[first])};
  std::string text = "BEGIN UNLOGGED BATCH ";
  for (size_t i = first; i < first + count; ++i) text += LiteralStatement(ready_[i]) + "; ";
  return {.text = text + "APPLY BATCH"};
}

std::string RowLoader::LiteralStatement(const ReadyRow& row) const {
  std::vector<std::pair<const CopyMapping::Column*, std::string>> values;
  for (const CopyMapping::Column& column : mapping_.columns) {
    if (!column.computed && values_[row.first_value + column.slots[0]].kind == BoundValue::Kind::kUnset) continue;
    std::string text;
    for (size_t i = 0; i < column.slots.size(); ++i) {
      const BoundValue& value = values_[row.first_value + column.slots[i]];
      text += column.pieces[i];
      text += value.kind == BoundValue::Kind::kValue ? FormatLiteral(*mapping_.slots[column.slots[i]].type, value.bytes)
                                                     : "NULL";
    }
    values.emplace_back(&column, text + column.pieces.back());
  }
  return mapping_.StatementOf(values);
}

}  // namespace widerow
