#include "storage/count/stale_marks.h"

namespace widerow {

StorageNote StaleNote(StorageId table, uint64_t sequence) {
  StorageNote note{.key = Bytes(kStaleNote), .value = Bytes()};
  AppendBigEndian(note.key, table);
  AppendBigEndian(*note.value, sequence);
  return note;
}

bool TakeStaleNote(const StorageNote& note, StorageId& table, uint64_t& sequence) {
  const bool whole = note.key.size() == kStaleNote.size() + sizeof table && note.value.has_value() &&
                     note.value->size() == sizeof sequence;
  if (!whole) return false;
  table = ReadBigEndian<StorageId>(note.key.data() + kStaleNote.size());
  sequence = ReadBigEndian<uint64_t>(note.value->data());
  return true;
}

}  // namespace widerow
