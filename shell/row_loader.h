// Rows of a CSV file into a table, many in one batch. What a batch refuses is tried again in smaller ones, down to the
// single row that is at fault, so that only that one stays out.
//
// A RowLoader belongs to one worker thread and its session.
#pragma once

#include <atomic>
#include <string>
#include <unordered_set>
#include <vector>

#include "shell/row_converter.h"
#include "shell/session.h"

namespace widerow {

class RowLoader final : public RowSink {
 public:
  RowLoader(std::unique_ptr<Session> session, const CopyMapping& mapping, const CopyCommand& command, BadRows& bad,
            LoaderCounters& counters);

  // OK also if some rows were bad. An error is one that the rows are not to blame for; what was acknowledged stays.
  Status Load(const RowBatch& batch) override;

 private:
  // A converted row: values_[first_value …], one a slot.
  struct ReadyRow {
    const RowBatch::Row* row = nullptr;
    size_t first_value = 0;
    size_t pattern = 0;  // Index into patterns_; patterns_.size() at most: none of them.
  };

  Result<bool> Convert(const RowBatch& batch, const RowBatch::Row& row);
  bool AddsNothing(size_t first_value) const;
  size_t PatternOf(size_t first_value);
  Status SendAll(const RowBatch& batch);
  Status SendGroup(const RowBatch& batch, size_t first, size_t count);
  Status Execute(size_t first, size_t count);
  SessionRequest PreparedRequest(size_t first, size_t count);
  SessionRequest ParameterRequest(size_t first, size_t count);
  SessionRequest LiteralRequest(size_t first, size_t count) const;
  std::vector<BoundValue>::iterator FirstValueOf(size_t ready);
  std::string LiteralStatement(const ReadyRow& row) const;

  const std::unique_ptr<Session> owned_session_;
  Session& session_;
  const CopyMapping& mapping_;
  const RowConverter converter_;
  LoaderCounters& counters_;
  std::vector<size_t> group_sizes_;  // Descending, the last is 1.
  std::vector<BoundValue> values_;
  std::vector<ReadyRow> ready_;
  // Over HTTP, where nothing can be unset: which slots have a value ('1'), of the first few kinds of rows. Rows of
  // these go with parameters, in texts that the server need not parse again; others as literals.
  std::vector<std::string> patterns_;
  std::unordered_set<std::string> keys_;  // Of ready_: a batch holds a key once, so that the later line wins.
};

}  // namespace widerow
