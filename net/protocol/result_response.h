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

// RESULT of rows that are written where they are sent from: what comes before them first, then they, behind it in bytes().
class RowsFrame {
 public:
  // `paging_state` is empty if there are no more rows. `expected_bytes`: of the rows.
  RowsFrame(const AnswerTo& to, const ResultColumns& columns, ByteView paging_state, MetadataForm form, ByteView new_id,
            const ResultExtras& extras, size_t expected_bytes);
  Bytes& bytes() { return frame_.body(); }
  // The whole frame, `rows` rows being there.
  Bytes Finish(uint32_t rows);

 private:
  FrameWriter frame_;
  size_t count_at_;
};

Bytes EncodeVoid(const AnswerTo& to, const ResultExtras& extras);
Bytes EncodeRows(const AnswerTo& to, const RowsPage& page, MetadataForm form, ByteView new_id, const ResultExtras& extras);
Bytes EncodeSetKeyspace(const AnswerTo& to, std::string_view keyspace, const ResultExtras& extras);
Bytes EncodeSchemaChange(const AnswerTo& to, const SchemaChange& change, const ResultExtras& extras);
Bytes EncodePrepared(const AnswerTo& to, const PreparedStatement& statement, const ResultExtras& extras);

}  // namespace widerow
