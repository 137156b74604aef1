// Access to the engine for HBase's interface: runs prepared statements with values. Thread-safe.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "exec/engine/engine.h"
#include "exec/select/show_rows.h"
#include "net/hbase/cells/cell.h"
#include "net/hbase/store/caller.h"
#include "net/hbase/store/row_transaction.h"

namespace widerow::hbase {

BoundValue BytesValue(ByteView bytes);
BoundValue BigintValue(int64_t number);
BoundValue IntValue(int32_t number);
BoundValue TinyintValue(uint8_t number);
BoundValue TextValue(std::string_view text);

// Called with each row of an answer. Returns false if no more rows are needed.
using RowSink = std::function<bool(const std::vector<ValueView>& row)>;

struct ShowOptions {
  SnapshotPtr snapshot;      // Null: the read shows the present state.
  bool unseen = false;       // The client does not see what is read (Caller::unseen).
  bool* ran_long = nullptr;  // RequestParameters::ran_long; may be null.
};

// Drops the value of a successful result.
template <typename T>
Status StatusOf(const Result<T>& result) {
  if (result.ok()) return OkStatus();
  return result.error();
}

class Database {
 public:
  // Runs statements for `caller`. If `transaction` is not null, Read, Show and Write are part of it.
  Database(Engine& engine, Caller caller, RowTransaction* transaction = nullptr)
      : engine_(engine), caller_(std::move(caller)), transaction_(transaction) {}

  Engine& engine() const { return engine_; }
  int64_t NowMs() const { return engine_.clock().NowMicros() / 1'000; }

  Result<PreparedPtr> Prepare(const std::string& text) const { return engine_.Prepare(text, ""); }
  // Fails with kUnauthorized if the caller's role may not run the statement. Runs nothing.
  Status CheckPermission(const PreparedStatement& statement) const;
  // Does the same for the text of a statement. Names without a keyspace belong to `keyspace`.
  Status CheckPermission(const std::string& text, const std::string& keyspace = {}) const;
  // Runs the text of a statement without values. Names without a keyspace belong to `keyspace`.
  Status Run(const std::string& text, const std::string& keyspace = {}) const;
  // Gives the rows of a SELECT to `sink`. The whole answer is in memory, so it should have few rows. `now_seconds`: the
  // time at which the statement runs; by default the server's time.
  Status Read(PreparedPtr statement, std::vector<BoundValue> values, const RowSink& sink,
              std::optional<int64_t> now_seconds = {}) const;
  // Shows the rows of a SELECT one by one. Without a transaction, the whole answer is never in memory.
  Status Show(PreparedPtr statement, std::vector<BoundValue> values, RowViewer& viewer,
              const ShowOptions& options) const;
  // Applies the writes as one atomic write. If there is a transaction and something that it has read has changed,
  // returns false and writes nothing.
  Result<bool> Write(std::span<const BatchEntry> entries) const;
  // Starts a write as Engine::Submit does. If only Write can do it, returns false and does nothing.
  bool StartWrite(const BatchEntry& entry, std::function<void(Status)> done) const;

 private:
  Engine& engine_;
  const Caller caller_;
  RowTransaction* const transaction_;
};

}  // namespace widerow::hbase
