#include "net/protocol/result_response.h"

#include "net/protocol/body_writer.h"
#include "net/protocol/event.h"

namespace widerow {

namespace {

constexpr int32_t kVoid = 1, kRows = 2, kSetKeyspace = 3, kPrepared = 4, kSchemaChange = 5;

FrameWriter BeginResult(const AnswerTo& to, int32_t kind, const ResultExtras& extras) {
  FrameWriter frame(to, Opcode::kResult, extras.trace_id, extras.warnings);
  AppendBigEndian(frame.body(), kind);
  return frame;
}

}  // namespace

RowsFrame::RowsFrame(const AnswerTo& to, const ResultColumns& columns, ByteView paging_state, MetadataForm form,
                     ByteView new_id, const ResultExtras& extras, size_t expected_bytes)
    : frame_(BeginResult(to, kRows, extras)) {
  constexpr size_t kMetadataGuess = 256;
  Bytes& body = frame_.body();
  body.reserve(body.size() + kMetadataGuess + expected_bytes);
  AppendRowsMetadata(body, columns, to.version, paging_state, form, new_id);
  count_at_ = body.size();
  AppendBigEndian(body, uint32_t{0});
}

Bytes RowsFrame::Finish(uint32_t rows) {
  const uint32_t big = ToBigEndian(rows);
  std::memcpy(frame_.body().data() + count_at_, &big, sizeof big);
  return frame_.Finish();
}

Bytes EncodeVoid(const AnswerTo& to, const ResultExtras& extras) { return BeginResult(to, kVoid, extras).Finish(); }

Bytes EncodeRows(const AnswerTo& to, const RowsPage& page, MetadataForm form, ByteView new_id,
                 const ResultExtras& extras) {
  RowsFrame frame(to, *page.columns, page.paging_state, form, new_id, extras, page.body.size());
  frame.bytes().append(page.body);
  return frame.Finish(page.row_count);
}

Bytes EncodeSetKeyspace(const AnswerTo& to, std::string_view keyspace, const ResultExtras& extras) {
  FrameWriter frame = BeginResult(to, kSetKeyspace, extras);
  AppendString(frame.body(), keyspace);
  return frame.Finish();
}

Bytes EncodeSchemaChange(const AnswerTo& to, const SchemaChange& change, const ResultExtras& extras) {
  FrameWriter frame = BeginResult(to, kSchemaChange, extras);
  AppendSchemaChange(frame.body(), ChangeFor(to.version, change));
  return frame.Finish();
}

Bytes EncodePrepared(const AnswerTo& to, const PreparedStatement& statement, const ResultExtras& extras) {
  FrameWriter frame = BeginResult(to, kPrepared, extras);
  Bytes& body = frame.body();
  AppendShortBytes(body, statement.id);
  if (to.version >= 5) AppendShortBytes(body, statement.columns_id);
  AppendMarkersMetadata(body, statement.plan->markers, statement.plan->partition_key_markers, to.version);
  if (statement.columns != nullptr) {
    AppendRowsMetadata(body, *statement.columns, to.version, {}, MetadataForm::kFull);
  } else {
    AppendRowsMetadata(body, {}, to.version, {}, MetadataForm::kNone);
  }
  return frame.Finish();
}

}  // namespace widerow
