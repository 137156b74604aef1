// RESULT (v4 section 4.2.5), one function a kind. All return whole frames.
#pragma once

#include "exec/engine.h"
#include "net/protocol/frame_writer.h"
#include "net/protocol/result_metadata.h"

namespace widerow {

// What may stand before a result's body.
struct ResultExtras {
  ByteView trace_id;
  const std::vector<std::string>& warnings;
};

Bytes EncodeVoid(const AnswerTo& to, const ResultExtras& extras);
Bytes EncodeRows(const AnswerTo& to, const RowsPage& page, MetadataForm form, ByteView new_id, const ResultExtras& extras);
Bytes EncodeSetKeyspace(const AnswerTo& to, std::string_view keyspace, const ResultExtras& extras);
Bytes EncodeSchemaChange(const AnswerTo& to, const SchemaChange& change, const ResultExtras& extras);
Bytes EncodePrepared(const AnswerTo& to, const PreparedStatement& statement, const ResultExtras& extras);

}  // namespace widerow
