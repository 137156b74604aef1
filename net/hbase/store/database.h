// Access to the engine for HBase's interface: runs prepared statements with values. Thread-safe.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "exec/engine/engine.h"
#include "exec/select/show_rows.h"
#include "net/hbase/cells/cell.h"
#include "net/hbase/store/row_transaction.h"

namespace widerow::hbase {

BoundValue BytesValue(ByteView bytes);
BoundValue BigintValue(int64_t number);
BoundValue IntValue(int32_t number);
BoundValue TinyintValue(uint8_t number);
BoundValue TextValue(std::string_view text);

// Gets each row of an answer. False: no more rows are needed.
using RowSink = std::function<bool(const std::vector<ValueView>& row)>;

struct ReadOptions {
  uint32_t page_rows = 0;  // 0: all rows.
  AnswerLimits answer;
  SnapshotPtr snapshot;  // Null: the present.
};

// Drops the value of a successful result.
template <typename T>
Status StatusOf(const Result<T>& result) {
  if (result.ok()) return OkStatus();
  return result.error();
}

class Database {
 public:
  // `transaction`: reads are part of it; null: they are not part of any.
  explicit Database(Engine& engine, RowTransaction* transaction = nullptr)
      : engine_(engine), transaction_(transaction) {}

  Engine& engine() const { return engine_; }
  int64_t NowMs() const { return engine_.clock().NowMicros() / 1'000; }

  Result<PreparedPtr> Prepare(const std::string& text) const { return engine_.Prepare(text, ""); }
  // Runs a text without values. `keyspace` is that of unqualified names.
  Status Run(const std::string& text, const std::string& keyspace = {}) const;
  // Runs a SELECT. Returns true if it has shown the last row.
  Result<bool> Read(const PreparedStatement& statement, std::vector<BoundValue> values, const RowSink& sink,
                    const ReadOptions& options = {}) const;
  // Shows the rows of a SELECT. `snapshot`: null: the present.
  Status Show(const PreparedStatement& statement, std::vector<BoundValue> values, RowViewer& viewer,
              const SnapshotPtr& snapshot) const;
  // Applies the writes as one. Returns false, and writes nothing, if there is a transaction and something that it has
  // read has changed.
  Result<bool> Write(std::span<const BatchEntry> entries) const;

 private:
  Engine& engine_;
  RowTransaction* const transaction_;
};

}  // namespace widerow::hbase
