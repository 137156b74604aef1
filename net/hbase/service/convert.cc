#include "net/hbase/service/convert.h"

#include <algorithm>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/key_value.h"
#include "net/hbase/filter/parse_filter.h"

namespace widerow::hbase {

namespace {

constexpr size_t kCellsMax = 1'000'000;  // Cells of one mutation.

TimeRange RangeOf(const pb::TimeRange& range) {
  TimeRange made;
  if (range.has_from()) made.from = static_cast<int64_t>(range.from());
  if (range.has_to()) made.to = static_cast<int64_t>(range.to());
  return made;
}

// Reads the fields that Get and Scan have in common.
template <typename Message>
Status SetRead(const Message& from, ReadSpec& read) {
  for (const pb::NameBytesPair& attribute : from.attribute()) {
    if (attribute.name() == "_raw_" && attribute.value() != Bytes(1, '\0')) return NotSupported("Scan.setRaw");
  }
  for (const pb::Column& column : from.column()) {
    FamilyColumns& columns = read.families.emplace_back();
    columns.family = column.family();
    columns.qualifiers.assign(column.qualifier().begin(), column.qualifier().end());
    std::ranges::sort(columns.qualifiers);
    const auto repeated = std::ranges::unique(columns.qualifiers);
    columns.qualifiers.erase(repeated.begin(), repeated.end());
  }
  if (from.has_time_range()) read.time_range = RangeOf(from.time_range());
  for (const pb::ColumnFamilyTimeRange& range : from.cf_time_range()) {
    read.family_time_ranges[range.column_family()] = RangeOf(range.time_range());
  }
  read.max_versions = static_cast<int32_t>(std::min<uint32_t>(from.max_versions(), INT32_MAX));
  if (from.has_store_limit()) read.store_limit = static_cast<int32_t>(from.store_limit());
  if (from.has_store_offset()) read.store_offset = static_cast<int32_t>(from.store_offset());
  if (from.has_load_column_families_on_demand()) read.families_on_demand = from.load_column_families_on_demand();
  if (from.has_filter()) { WR_ASSIGN_OR_RETURN(read.filter, ParseFilter(from.filter())); }
  return OkStatus();
}

CellType TypeOf(pb::MutationProto::DeleteType type) {
  switch (type) {
    case pb::MutationProto::DELETE_ONE_VERSION: return CellType::kDelete;
    case pb::MutationProto::DELETE_MULTIPLE_VERSIONS: return CellType::kDeleteColumn;
    case pb::MutationProto::DELETE_FAMILY: return CellType::kDeleteFamily;
    case pb::MutationProto::DELETE_FAMILY_VERSION: return CellType::kDeleteFamilyVersion;
  }
  return CellType::kDelete;
}

Status SetAttributes(const pb::MutationProto& from, Mutation& mutation) {
  for (const pb::NameBytesPair& attribute : from.attribute()) {
    const std::string& name = attribute.name();
    if (name == "_ttl" && attribute.value().size() == 8) {
      mutation.ttl_ms = ReadBigEndian<int64_t>(attribute.value().data());
    } else if (name == "_rr_" && attribute.value() == Bytes(1, '\0')) {
      mutation.return_results = false;
    } else if (name == "VISIBILITY" || name == "acl") {
      return NotSupported(StrCat("the attribute ", name, " of a mutation"));
    }
  }
  return OkStatus();
}

Status SetCells(ByteView cells, Mutation& mutation) {
  while (!cells.empty()) {
    Cell cell;
    Bytes row;
    WR_RETURN_IF_ERROR(TakeKeyValue(cells, row, cell));
    if (mutation.row.empty()) mutation.row = row;
    if (row != mutation.row) return MakeJavaError(kDoNotRetry, "the cells of a mutation are for several rows");
    mutation.cells.push_back(std::move(cell));
  }
  return OkStatus();
}

}  // namespace

Result<TableId> TableOf(const pb::RegionSpecifier& region) {
  if (region.type() == pb::RegionSpecifier::ENCODED_REGION_NAME && region.value() == "1588230740") {
    return MetaRegion().table;
  }
  const std::optional<TableId> table = TableOfRegion(region.value());
  if (table) return *table;
  return MakeJavaError("org.apache.hadoop.hbase.NotServingRegionException", region.value());
}

TableId TableOf(const pb::TableName& name) { return {.space = name.namespace_(), .name = name.qualifier()}; }

void SetTableName(const TableId& id, pb::TableName& name) {
  name.set_namespace_(id.space);
  name.set_qualifier(id.name);
}

Result<std::unique_ptr<ReadSpec>> ReadOf(const pb::Get& get) {
  auto read = std::make_unique<ReadSpec>();
  if (get.closest_row_before()) return NotSupported("Get.setClosestRowBefore");
  WR_RETURN_IF_ERROR(SetRead(get, *read));
  return read;
}

Result<std::unique_ptr<ScanSpec>> ScanOf(const pb::Scan& scan) {
  auto made = std::make_unique<ScanSpec>();
  WR_RETURN_IF_ERROR(SetRead(scan, made->read));
  made->range = {.start = scan.start_row(),
                 .stop = scan.stop_row(),
                 .start_inclusive = scan.include_start_row(),
                 .stop_inclusive = scan.include_stop_row(),
                 .reversed = scan.reversed()};
  // Old clients do not send include_stop_row. If their bounds are equal, they ask for the row with this key.
  if (!scan.has_include_stop_row() && !scan.start_row().empty() && scan.start_row() == scan.stop_row()) {
    made->range.stop_inclusive = true;
  }
  if (scan.has_batch_size()) made->batch = static_cast<int32_t>(std::min<uint32_t>(scan.batch_size(), INT32_MAX));
  return made;
}

Result<Mutation> MutationOf(const pb::MutationProto& from, ByteView& cell_block) {
  // The cells of a mutation must leave the cell block even if the mutation is refused, so that the next mutation finds
  // its own cells.
  const size_t count = from.associated_cell_count() > 0 ? static_cast<size_t>(from.associated_cell_count()) : 0;
  WR_ASSIGN_OR_RETURN(const ByteView cells, CutKeyValues(cell_block, count));
  if (count > kCellsMax) return MakeJavaError(kDoNotRetry, StrCat("A mutation has at most ", kCellsMax, " cells"));
  Mutation mutation;
  switch (from.mutate_type()) {
    case pb::MutationProto::APPEND: mutation.kind = MutationKind::kAppend; break;
    case pb::MutationProto::INCREMENT: mutation.kind = MutationKind::kIncrement; break;
    case pb::MutationProto::PUT: mutation.kind = MutationKind::kPut; break;
    case pb::MutationProto::DELETE: mutation.kind = MutationKind::kDelete; break;
  }
  mutation.row = from.row();
  mutation.nonce = from.nonce();
  if (from.has_time_range()) mutation.time_range = RangeOf(from.time_range());
  WR_RETURN_IF_ERROR(SetAttributes(from, mutation));
  WR_RETURN_IF_ERROR(SetCells(cells, mutation));
  const int64_t common = from.has_timestamp() ? static_cast<int64_t>(from.timestamp()) : kLatestTimestamp;
  for (const pb::MutationProto::ColumnValue& column : from.column_value()) {
    for (const pb::MutationProto::ColumnValue::QualifierValue& value : column.qualifier_value()) {
      Cell& cell = mutation.cells.emplace_back();
      cell.family = column.family();
      cell.qualifier = value.qualifier();
      cell.value = value.value();
      cell.timestamp = value.has_timestamp() ? static_cast<int64_t>(value.timestamp()) : common;
      if (mutation.kind == MutationKind::kDelete) cell.type = TypeOf(value.delete_type());
    }
  }
  mutation.timestamp = common;
  return mutation;
}

Result<RowCondition> ConditionOf(const pb::Condition& from) {
  RowCondition condition;
  condition.row = from.row();
  if (from.has_time_range()) condition.read.time_range = RangeOf(from.time_range());
  if (from.has_filter()) {
    condition.filter = [filter = from.filter()] { return ParseFilter(filter); };
    return condition;
  }
  condition.read.families.push_back({.family = from.family(), .qualifiers = {from.qualifier()}});
  WR_ASSIGN_OR_RETURN(condition.op, ParseCompareOp(from.compare_type()));
  if (from.has_comparator()) { WR_ASSIGN_OR_RETURN(condition.comparator, ParseComparator(from.comparator())); }
  return condition;
}

void SetResult(ByteView row, const std::vector<Cell>& cells, Bytes* cell_block, pb::Result& result) {
  if (cell_block != nullptr) {
    for (const Cell& cell : cells) AppendKeyValue(*cell_block, row, cell);
    result.set_associated_cell_count(static_cast<int32_t>(cells.size()));
    return;
  }
  for (const Cell& from : cells) {
    pb::Cell& cell = *result.add_cell();
    cell.set_row(row.data(), row.size());
    cell.set_family(from.family);
    cell.set_qualifier(from.qualifier);
    cell.set_timestamp(static_cast<uint64_t>(from.timestamp));
    cell.set_cell_type(static_cast<pb::CellType>(from.type));
    cell.set_value(from.value);
  }
}

}  // namespace widerow::hbase
