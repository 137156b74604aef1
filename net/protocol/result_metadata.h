// <metadata> of rows and of prepared statements (v4 sections 4.2.5.2 and 4.2.5.4; v5 adds ids of metadata).
#pragma once

#include "exec/outcome.h"

namespace widerow {

enum class MetadataForm : uint8_t {
  kFull,
  kNone,     // The client knows the columns and asked to leave them out.
  kChanged,  // Version 5: full, with the new id, because the client knows other columns.
};

// `columns` of rows; `new_id` with kChanged only.
void AppendRowsMetadata(Bytes& out, const ResultColumns& columns, uint8_t version, ByteView paging_state,
                        MetadataForm form, ByteView new_id = {});
// Of a statement's markers; version 3 has no partition key indexes.
void AppendMarkersMetadata(Bytes& out, const std::vector<MarkerSpec>& markers,
                           const std::vector<uint16_t>& partition_key_markers, uint8_t version);

}  // namespace widerow
