#include "net/hbase/store/database.h"

namespace widerow::hbase {

BoundValue BytesValue(ByteView bytes) { return {.kind = BoundValue::Kind::kValue, .bytes = Bytes(bytes)}; }
BoundValue TextValue(std::string_view text) { return BytesValue(text); }
BoundValue BigintValue(int64_t number) {
  BoundValue value{.kind = BoundValue::Kind::kValue, .bytes = {}};
  AppendBigEndian(value.bytes, number);
  return value;
}
BoundValue IntValue(int32_t number) {
  BoundValue value{.kind = BoundValue::Kind::kValue, .bytes = {}};
  AppendBigEndian(value.bytes, number);
  return value;
}
BoundValue TinyintValue(uint8_t number) { return BytesValue(Bytes(1, static_cast<char>(number))); }

Status Database::Run(const std::string& text, const std::string& keyspace) const {
  RequestParameters parameters;
  parameters.keyspace = keyspace;
  WR_ASSIGN_OR_RETURN(const Outcome outcome, engine_.Execute(text, parameters));
  return OkStatus();
}

Result<bool> Database::Read(const PreparedStatement& statement, std::vector<BoundValue> values, const RowSink& sink,
                            const ReadOptions& options) const {
  RequestParameters parameters;
  parameters.values = std::move(values);
  parameters.page_rows = options.page_rows;
  parameters.answer = options.answer;
  parameters.snapshot = options.snapshot;
  WR_ASSIGN_OR_RETURN(const Outcome outcome, transaction_ == nullptr ? engine_.ExecutePrepared(statement, parameters)
                                                                     : transaction_->Read(statement, parameters));
  const auto* page = std::get_if<RowsPage>(&outcome.result);
  if (page == nullptr) return ServerError("a statement of HBase's interface has no rows");
  PageReader reader(*page);
  std::vector<ValueView> row;
  while (reader.Next(row)) {
    if (!sink(row)) return false;
  }
  return page->paging_state.empty();
}

Status Database::Show(const PreparedStatement& statement, std::vector<BoundValue> values, RowViewer& viewer,
                      const SnapshotPtr& snapshot) const {
  RequestParameters parameters;
  parameters.values = std::move(values);
  parameters.snapshot = snapshot;
  if (transaction_ == nullptr) return engine_.ShowRows(statement, parameters, viewer);
  WR_ASSIGN_OR_RETURN(const Outcome outcome, transaction_->Read(statement, parameters));
  const auto* page = std::get_if<RowsPage>(&outcome.result);
  if (page == nullptr) return ServerError("a statement of HBase's interface has no rows");
  ShowPage(*page, viewer);
  return OkStatus();
}

Result<bool> Database::Write(std::span<const BatchEntry> entries) const {
  if (entries.empty()) return true;
  if (transaction_ != nullptr) return transaction_->Write(entries);
  RequestParameters parameters;
  if (entries.size() == 1) {
    parameters.values = entries[0].values;
    WR_ASSIGN_OR_RETURN(const Outcome outcome, engine_.ExecutePrepared(*entries[0].statement, parameters));
    return true;
  }
  WR_ASSIGN_OR_RETURN(const Outcome outcome,
                      engine_.ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, parameters));
  return true;
}

}  // namespace widerow::hbase
