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

Bytes EncodeVoid(const AnswerTo& to, const ResultExtras& extras) { return BeginResult(to, kVoid, extras).Finish(); }

Bytes EncodeRows(const AnswerTo& to, const RowsPage& page, MetadataForm form, ByteView new_id,
                 const ResultExtras& extras) {
  constexpr size_t kMetadataGuess = 256;
  FrameWriter frame = BeginResult(to, kRows, extras);
  Bytes& body = frame.body();
  body.reserve(body.size() + kMetadataGuess + page.body.size());
  AppendRowsMetadata(body, *page.columns, to.version, page.paging_state, form, new_id);
  AppendBigEndian(body, static_cast<int32_t>(page.row_count));
  body.append(page.body);
  return frame.Finish();
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
