// ORDER BY … BM25 OF: gives each row of a scan a score, and keeps the rows with the greatest ones. Rows with the same
// score keep their order of arrival. Used by one thread.
#pragma once

#include "exec/rows/rows_writer.h"
#include "exec/select/select.h"
#include "types/relevance.h"

namespace widerow {

// Prepares the scores for the plan's order: counts the words of the query in the texts that the view shows. If the
// statement names partitions, only their texts are counted, otherwise those of the whole table. `may_be_stale`: see
// WordCount. kInvalid if the query has no words.
Result<Relevance> BindRelevance(const SelectPlan& plan, const SelectRequest& request, bool may_be_stale,
                                ReadView& view);

class RankedRows {
 public:
  // `limit`: the number of rows to keep.
  explicit RankedRows(uint32_t limit) : limit_(limit) {}

  // True if a row that arrives now with this score is kept.
  bool Keeps(double score) const { return limit_ > 0 && (rows_.size() < limit_ || score > rows_.front().score); }
  // Adds a row that is kept: moves it out of `rows`, in which it begins at byte `begin`. kInvalid if the kept rows
  // become too large, kOverloaded if there is no memory for them.
  Status Add(double score, size_t begin, RowsWriter& rows);
  // Returns the kept rows in order.
  RowsPage Finish(const SelectRequest& request) &&;

 private:
  struct Row {
    double score = 0;
    uint64_t number = 0;  // The rows are numbered as they arrive.
    Bytes body;

    // True if `a` comes before `b`.
    static bool Before(const Row& a, const Row& b) {
      return a.score != b.score ? a.score > b.score : a.number < b.number;
    }
  };

  const uint32_t limit_;
  std::vector<Row> rows_;  // A heap, whose first element is the worst of the kept rows.
  uint64_t arrived_ = 0;
  size_t bytes_ = 0;
};

}  // namespace widerow
