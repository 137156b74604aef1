// Stores rows of a CSV file through a session, many rows per batch. A refused batch is tried again in smaller ones,
// down to the single row that causes the error, so that only this row is left out.
//
// One worker thread owns a RowLoader and its session.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/bytes_map.h"
#include "shell/row_converter.h"
#include "shell/session.h"

namespace widerow {

class RowLoader final : public RowSink {
 public:
  RowLoader(std::unique_ptr<Session> session, const CopyMapping& mapping, const CopyCommand& command, BadRows& bad,
            LoaderCounters& counters);

  // Stores the rows and reports bad ones (RowSink). After an error, acknowledged rows stay stored.
  Status Load(const RowBatch& batch) override;

 private:
  // A converted row: its values begin at values_[first_value], one per slot.
  struct ReadyRow {
    const RowBatch::Row* row = nullptr;
    size_t first_value = 0;
    size_t pattern = 0;  // Index into patterns_; kPatternsMax: none of them.
  };

  // A value of a static column. `place` identifies the partition and the column. `fields` has the fields of the file
  // that the value is made of.
  struct StaticValue {
    Bytes place;
    std::string fields;
    bool adds_elements = false;
  };

  std::vector<StaticValue> StaticsOf(const RowBatch& batch, const RowBatch::Row& row) const;
  bool Collides(ByteView key, const std::vector<StaticValue>& statics) const;
  Result<bool> Convert(const RowBatch& batch, const RowBatch::Row& row);
  bool AddsNothing(size_t first_value) const;
  bool DropsRow(size_t first_value);
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
  std::vector<size_t> group_sizes_;  // Descending; the last is 1.
  std::vector<BoundValue> values_;
  std::vector<ReadyRow> ready_;
  // Used where no value can be unset: over HTTP, and for records with static columns alone. A pattern tells which slots
  // of a row have a value ('1'); the first few patterns that occur are kept. Rows with such a pattern are sent with
  // parameters, in texts whose plans the server keeps. Other rows are sent as literals, and so are rows with a value
  // that JSON does not keep (json_parameter.h).
  std::vector<std::string> patterns_;
  // The keys and the static values of ready_. All changes of a batch have one timestamp. So a batch has each key only
  // once, and only one value of each static column of a partition, so that the later line wins. Equal values may be in
  // it several times, except lists, whose elements would add up. Counters have no order.
  BytesSet keys_;
  BytesMap<std::string> statics_;
};

}  // namespace widerow
