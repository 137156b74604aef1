#include "net/hbase/store/row_reader.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/text.h"
#include "net/hbase/store/cell_viewer.h"

namespace widerow::hbase {

namespace {

constexpr size_t kColumnsByName = 64;  // With more columns, the whole family of the row is read.

// The options that all statements of a read share.
struct ReadContext {
  ShowOptions as;
  AnswerRoom* room = nullptr;
};

Bytes BlobList(const std::vector<Bytes>& blobs) {
  Bytes list;
  AppendBigEndian(list, static_cast<int32_t>(blobs.size()));
  for (const Bytes& blob : blobs) {
    AppendBigEndian(list, static_cast<int32_t>(blob.size()));
    list += blob;
  }
  return list;
}

Result<std::vector<Cell>> ReadFamilyOfRow(const Database& database, const ReadFamily& read, const Bytes& row,
                                          const ReadContext& context) {
  const HFamily& family = *read.family;
  const size_t columns = read.columns == nullptr ? 0 : read.columns->qualifiers.size();
  PreparedPtr statement = family.statements.read_row;
  std::vector<BoundValue> values = {BytesValue(row)};
  if (columns == 1) {
    statement = family.statements.read_column;
    values.push_back(BytesValue(read.columns->qualifiers[0]));
  } else if (columns > 1 && columns <= kColumnsByName) {
    statement = family.statements.read_columns;
    values.push_back(BytesValue(BlobList(read.columns->qualifiers)));
  }
  CellViewer viewer(read, context.room);
  viewer.ReadRow(row, context.as.ran_long);
  WR_RETURN_IF_ERROR(database.Show(std::move(statement), std::move(values), viewer, context.as));
  WR_RETURN_IF_ERROR(viewer.TakeStatus());
  return std::move(std::move(viewer).Take().front().second);
}

// The condition of a SELECT for a range, and its values.
struct Condition {
  std::string text;
  std::vector<BoundValue> values;

  void Add(const char* relation, const Bytes& bound) {
    text += StrCat(text.empty() ? " WHERE k " : " AND k ", relation, " ?");
    values.push_back(BytesValue(bound));
  }
};

// If `low` is in one partition of a table that is partitioned by a prefix of the row, and `high` is the first row after
// this partition, returns the greatest row that the partition can contain; otherwise nullopt. With this row as the
// upper bound, both bounds begin with the same prefix, so the planner reads only one partition.
std::optional<Bytes> LastWithPrefix(const HFamily& family, const Bytes& low, const Bytes& high) {
  if (family.prefix_bytes == 0 || low.size() < family.prefix_bytes || high.empty()) return std::nullopt;
  const Bytes prefix = low.substr(0, family.prefix_bytes);
  Bytes after = prefix;
  while (!after.empty() && static_cast<uint8_t>(after.back()) == 0xff) after.pop_back();
  if (after.empty()) return std::nullopt;
  ++after.back();
  if (high != after) return std::nullopt;
  const size_t longest =
      std::min<size_t>(family.table->partition_key(0).type->bytes_max.value_or(kRowBytesMax), kRowBytesMax);
  return prefix + Bytes(longest - std::min(longest, prefix.size()), '\xff');
}

Condition ConditionOf(const HFamily& family, const RowRangeSpec& range) {
  const Bytes& low = range.reversed ? range.stop : range.start;
  const Bytes& high = range.reversed ? range.start : range.stop;
  const bool low_inclusive = range.reversed ? range.stop_inclusive : range.start_inclusive;
  const bool high_inclusive = range.reversed ? range.start_inclusive : range.stop_inclusive;
  Condition condition;
  if (!low.empty()) condition.Add(low_inclusive ? ">=" : ">", low);
  if (high.empty()) return condition;
  const std::optional<Bytes> last = high_inclusive ? std::nullopt : LastWithPrefix(family, low, high);
  if (last) {
    condition.Add("<=", *last);
  } else {
    condition.Add(high_inclusive ? "<=" : "<", high);
  }
  return condition;
}

// The rows of one family at the beginning of a range.
struct FamilyChunk {
  std::vector<CellViewer::Row> rows;
  bool last = false;
};

Result<FamilyChunk> ReadFamilyChunk(const Database& database, const ReadFamily& read, const RowRangeSpec& range,
                                    uint32_t cells, const ReadContext& context) {
  CellViewer viewer(read, context.room);
  viewer.ReadRange(range.reversed, cells);
  WR_RETURN_IF_ERROR(ShowRange(database, *read.family, range, viewer, context.as));
  WR_RETURN_IF_ERROR(viewer.TakeStatus());
  FamilyChunk chunk{.rows = {}, .last = !viewer.more()};
  const bool row_cut = viewer.row_cut();
  chunk.rows = std::move(viewer).Take();
  if (!row_cut) return chunk;
  if (chunk.rows.empty()) return ServerError("a page of a scan has no rows");
  const Bytes incomplete = std::move(chunk.rows.back().first);
  chunk.rows.pop_back();
  if (!chunk.rows.empty()) return chunk;
  WR_ASSIGN_OR_RETURN(std::vector<Cell> all, ReadFamilyOfRow(database, read, incomplete, context));
  chunk.rows.emplace_back(incomplete, std::move(all));
  return chunk;
}

}  // namespace

Status ShowRange(const Database& database, const HFamily& family, const RowRangeSpec& range, RowViewer& viewer,
                 const ShowOptions& as) {
  Condition condition = ConditionOf(family, range);
  const std::string text =
      StrCat("SELECT k, q, t, v FROM ", Quoted(family.table->keyspace), ".", Quoted(family.table->name), condition.text,
             " ORDER BY k ", range.reversed ? "DESC" : "ASC");
  WR_ASSIGN_OR_RETURN(const PreparedPtr statement, database.Prepare(text));
  return database.Show(statement, std::move(condition.values), viewer, as);
}

Result<StoredRow> ReadStoredRow(const Database& database, const std::vector<ReadFamily>& families, const Bytes& row,
                                AnswerRoom* room, const ShowOptions& as) {
  StoredRow stored{.row = row, .families = {}};
  for (const ReadFamily& family : families) {
    WR_ASSIGN_OR_RETURN(std::vector<Cell> cells, ReadFamilyOfRow(database, family, row, {.as = as, .room = room}));
    stored.families.push_back(std::move(cells));
  }
  return stored;
}

Result<RowChunk> ReadChunk(const Database& database, const std::vector<ReadFamily>& families, const RowRangeSpec& range,
                           uint32_t cells, AnswerRoom* room) {
  if (families.size() == 1) {
    WR_ASSIGN_OR_RETURN(FamilyChunk chunk,
                        ReadFamilyChunk(database, families[0], range, cells, {.as = {}, .room = room}));
    RowChunk result{.rows = {}, .last = chunk.last};
    result.rows.reserve(chunk.rows.size());
    for (auto& [row, stored] : chunk.rows) {
      StoredRow& made = result.rows.emplace_back(StoredRow{.row = std::move(row), .families = {}});
      made.families.push_back(std::move(stored));
    }
    return result;
  }
  WR_ASSIGN_OR_RETURN(const SnapshotPtr snapshot, database.engine().OpenSnapshot());
  const auto before = [&](const Bytes& a, const Bytes& b) {
    return range.reversed ? CompareBytes(a, b) > 0 : CompareBytes(a, b) < 0;
  };
  const auto read = [&]() -> Result<RowChunk> {
    std::map<Bytes, StoredRow, std::function<bool(const Bytes&, const Bytes&)>> merged(before);
    std::optional<Bytes> end;  // All families have been read up to this row. nullopt: to the end of the range.
    for (size_t i = 0; i < families.size(); ++i) {
      WR_ASSIGN_OR_RETURN(FamilyChunk chunk, ReadFamilyChunk(database, families[i], range, cells,
                                                             {.as = {.snapshot = snapshot}, .room = room}));
      if (!chunk.last && (!end || before(chunk.rows.back().first, *end))) end = chunk.rows.back().first;
      for (auto& [row, stored] : chunk.rows) {
        StoredRow& into = merged[row];
        into.families.resize(families.size());
        into.families[i] = std::move(stored);
      }
    }
    RowChunk result{.rows = {}, .last = !end};
    for (auto& [row, stored] : merged) {
      if (end && before(*end, row)) break;
      stored.row = row;
      result.rows.push_back(std::move(stored));
    }
    return result;
  };
  Result<RowChunk> chunk = read();
  database.engine().snapshots().Close(snapshot->id());
  return chunk;
}

}  // namespace widerow::hbase
