#include "net/protocol/result_metadata.h"

#include <algorithm>

#include "net/protocol/body_writer.h"
#include "net/protocol/type_option.h"

namespace widerow {

namespace {

constexpr int32_t kGlobalTable = 0x0001, kMorePages = 0x0002, kNoMetadata = 0x0004, kMetadataChanged = 0x0008;

// `Column` is ResultColumn or MarkerSpec. Both have a keyspace, a table, a name and a type.
template <typename Column>
bool SameTable(const std::vector<Column>& columns) {
  return !columns.empty() && std::all_of(columns.begin(), columns.end(), [&](const Column& column) {
    return column.keyspace == columns[0].keyspace && column.table == columns[0].table;
  });
}

template <typename Column>
void AppendColumns(Bytes& out, const std::vector<Column>& columns, bool global, uint8_t version) {
  if (global) {
    AppendString(out, columns[0].keyspace);
    AppendString(out, columns[0].table);
  }
  for (const Column& column : columns) {
    if (!global) {
      AppendString(out, column.keyspace);
      AppendString(out, column.table);
    }
    AppendString(out, column.name);
    AppendTypeOption(out, *column.type, version);
  }
}

}  // namespace

void AppendRowsMetadata(Bytes& out, const ResultColumns& columns, uint8_t version, ByteView paging_state,
                        MetadataForm form, ByteView new_id) {
  const bool described = form != MetadataForm::kNone;
  const bool global = described && SameTable(columns);
  int32_t flags = 0;
  if (global) flags |= kGlobalTable;
  if (!paging_state.empty()) flags |= kMorePages;
  if (!described) flags |= kNoMetadata;
  if (form == MetadataForm::kChanged) flags |= kMetadataChanged;
  AppendBigEndian(out, flags);
  AppendBigEndian(out, static_cast<int32_t>(columns.size()));
  if (!paging_state.empty()) AppendSizedBytes(out, paging_state);
  if (form == MetadataForm::kChanged) AppendShortBytes(out, new_id);
  if (described) AppendColumns(out, columns, global, version);
}

void AppendMarkersMetadata(Bytes& out, const std::vector<MarkerSpec>& markers,
                           const std::vector<uint16_t>& partition_key_markers, uint8_t version) {
  const bool global = SameTable(markers);
  AppendBigEndian(out, global ? kGlobalTable : int32_t{0});
  AppendBigEndian(out, static_cast<int32_t>(markers.size()));
  if (version >= 4) {
    AppendBigEndian(out, static_cast<int32_t>(partition_key_markers.size()));
    for (const uint16_t index : partition_key_markers) AppendBigEndian(out, index);
  }
  AppendColumns(out, markers, global, version);
}

}  // namespace widerow
