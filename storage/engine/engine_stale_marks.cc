// The part of LmdbEngine that loads and clears the marks of base tables with stale derived rows (count/stale_marks.h).
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

// Removes the mark from memory before it removes the note from the data file, so that a fold that begins in between
// does not store the note again. If a write sets the mark again in between, the note of that mark has a greater number
// and stays.
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
