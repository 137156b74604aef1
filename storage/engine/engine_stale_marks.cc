// The marks of base tables whose derived rows may be stale, as the engine loads and clears them: see StaleMarks.
#include "storage/engine/lmdb_engine.h"

namespace widerow {

Status LmdbEngine::LoadStaleMarks() {
  WR_ASSIGN_OR_RETURN(const auto notes, ReadNotes(kStaleNote));
  StorageId table = 0;
  uint64_t mark = 0;
  for (const StorageNote& note : notes) {
    if (TakeStaleNote(note, table, mark)) stale_.Raise(table, mark);
  }
  return OkStatus();
}

// The mark goes first: a fold that begins now stores no note for it. The note of a mark that is raised again meanwhile
// has a greater number.
Status LmdbEngine::ClearStaleMark(StorageId table, uint64_t through) {
  if (!stale_.Lower(table, through)) return OkStatus();
  return folder_->Run([&](StoreWriter& writer) {
    return writer.Apply([&](WriteContext& context, const LiveTables&) -> Status {
      const StorageNote wanted = StaleNote(table, through);
      WR_ASSIGN_OR_RETURN(const auto notes, widerow::ReadNotes(context.txn().ref(), wanted.key));
      for (const StorageNote& note : notes) {
        if (note.value <= wanted.value) WR_RETURN_IF_ERROR(StoreNote(context.txn(), {note.key, std::nullopt}));
      }
      return OkStatus();
    });
  });
}

}  // namespace widerow
