// <metadata> of rows and of prepared statements (v4 sections 4.2.5.2 and 4.2.5.4). Version 5 adds metadata ids.
#pragma once

#include "exec/rows/outcome.h"

namespace widerow {

enum class MetadataForm : uint8_t {
  kFull,
  kNone,     // The client knows the columns and asked not to get them.
  kChanged,  // Version 5: full, with a new id, because the client sent the id of other columns.
};

// Appends the metadata of rows. `new_id` is used with kChanged only.
void AppendRowsMetadata(Bytes& out, const ResultColumns& columns, uint8_t version, ByteView paging_state,
                        MetadataForm form, ByteView new_id = {});
// Appends the metadata of a statement's markers. Version 3 has no partition key indexes.
void AppendMarkersMetadata(Bytes& out, const std::vector<MarkerSpec>& markers,
                           const std::vector<uint16_t>& partition_key_markers, uint8_t version);

}  // namespace widerow
