// Counts the texts of an index of words, for BM25 (types/relevance.h). It counts the entries of each word, and reads
// the entries that have the lengths of texts (index_entries.h). So the numbers are exact for the moment that the view
// shows. Stored numbers would have to be changed by each write, and would be wrong after a text has expired.
//
// A large deletion can leave entries of rows that are gone (stale_entries.h). While a table may have such entries, the
// texts are read from their rows and counted.
#pragma once

#include "exec/derived/index_cursor.h"
#include "exec/meter/scan_meter.h"
#include "types/relevance.h"

namespace widerow {

struct WordCount {
  const TableSchema& base;
  const IndexSchema& index;             // An index of words with lengths (planner/analyzed.h).
  const std::vector<Bytes>& words;      // The words to count; each once.
  std::vector<EntryBounds> collection;  // The entries of the texts to count; disjoint.
  int64_t now_seconds = 0;
  bool may_be_stale = false;   // Entries may be of rows that are gone.
  ScanMeter* meter = nullptr;  // May be null.
};

// Counts the words and the texts. Call it on the thread that uses `view`.
Result<WordStatistics> CountWords(ReadView& view, const WordCount& count);

// True if the table's indexes may have entries of rows that are gone. Call it before and after you open a view. If both
// calls return false, the view shows no such entries.
bool MayHaveStaleEntries(const TableSchema& base, StorageEngine& storage);

}  // namespace widerow
