// RESULT (v4 section 4.2.5), one function per kind. Each returns a complete frame.
#pragma once

#include "exec/engine/engine.h"
#include "net/protocol/frame_writer.h"
#include "net/protocol/result_metadata.h"

namespace widerow {

// Optional parts before a result's body.
struct ResultExtras {
  ByteView trace_id;
  const std::vector<std::string>& warnings;
};

// A RESULT whose rows are written directly into the frame. The constructor writes everything before the rows; the
// caller appends the rows to bytes().
class RowsFrame {
 public:
  // An empty `paging_state` means that there are no more rows. `expected_bytes` is the expected size of the rows.
  RowsFrame(const AnswerTo& to, const ResultColumns& columns, ByteView paging_state, MetadataForm form, ByteView new_id,
            const ResultExtras& extras, size_t expected_bytes);
  Bytes& bytes() { return frame_.body(); }
  // Returns the complete frame, which contains `rows` rows.
  Bytes Finish(uint32_t rows);

 private:
  FrameWriter frame_;
  size_t count_at_;
};

Bytes EncodeVoid(const AnswerTo& to, const ResultExtras& extras);
Bytes EncodeRows(const AnswerTo& to, const RowsPage& page, MetadataForm form, ByteView new_id,
                 const ResultExtras& extras);
Bytes EncodeSetKeyspace(const AnswerTo& to, std::string_view keyspace, const ResultExtras& extras);
Bytes EncodeSchemaChange(const AnswerTo& to, const SchemaChange& change, const ResultExtras& extras);
Bytes EncodePrepared(const AnswerTo& to, const PreparedStatement& statement, const ResultExtras& extras);

}  // namespace widerow
