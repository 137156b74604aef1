// Reads the codes of an index on vectors (types/vector_code.h) and keeps the candidates with the greatest upper bounds
// of their similarity. Many codes are read by several threads, each of which reads the rows with certain tokens.
#pragma once

#include "exec/derived/entry_stream.h"
#include "exec/nearest/bind_nearest.h"
#include "exec/nearest/top_candidates.h"
#include "storage/storage_engine.h"
#include "types/vector_code.h"

namespace widerow {

struct CodeScan {
  const BoundNearest& nearest;
  const CodedQuery& query;
  const TableSchema& base;
  Slice::TokenRange tokens;  // The tokens of `bounds`, if `divisible` is true.
  const EntryBounds& bounds;
  const BoundIndexCondition* among = nullptr;  // If set: only rows that the condition finds.
  int64_t now_seconds = 0;
  uint64_t codes_expected = 0;  // An estimate.
  bool divisible = false;       // True if threads may divide the rows by their tokens.
};

// Offers all codes to `top`. Returns the number of codes that were compared with the query.
Result<uint64_t> ScanCodes(ReadView& view, const CodeScan& scan, TopCandidates& top);

}  // namespace widerow
