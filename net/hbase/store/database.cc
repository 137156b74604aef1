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

Status Database::CheckPermission(const PreparedStatement& statement) const {
  RequestParameters parameters;
  parameters.connection = caller_.client();
  return engine_.CheckPermission(statement, parameters);
}

Status Database::CheckPermission(const std::string& text, const std::string& keyspace) const {
  WR_ASSIGN_OR_RETURN(const PreparedPtr statement, engine_.Prepare(text, keyspace));
  return CheckPermission(*statement);
}

Status Database::Run(const std::string& text, const std::string& keyspace) const {
  RequestParameters parameters;
  parameters.keyspace = keyspace;
  parameters.connection = caller_.client();
  WR_ASSIGN_OR_RETURN(const Outcome outcome, engine_.Execute(text, parameters));
  return OkStatus();
}

Status Database::Read(PreparedPtr statement, std::vector<BoundValue> values, const RowSink& sink,
                      std::optional<int64_t> now_seconds) const {
  RequestParameters parameters;
  parameters.now_seconds = now_seconds;
  parameters.values = std::move(values);
  parameters.connection = caller_.client();
  WR_ASSIGN_OR_RETURN(const Outcome outcome, transaction_ == nullptr
                                                 ? engine_.ExecutePrepared(*statement, parameters)
                                                 : transaction_->Execute(std::move(statement), parameters));
  const auto* page = std::get_if<RowsPage>(&outcome.result);
  if (page == nullptr) return ServerError("a statement of HBase's interface has no rows");
  PageReader reader(*page);
  std::vector<ValueView> row;
  while (reader.Next(row)) {
    if (!sink(row)) break;
  }
  return OkStatus();
}

Status Database::Show(PreparedPtr statement, std::vector<BoundValue> values, RowViewer& viewer,
                      const ShowOptions& options) const {
  RequestParameters parameters;
  parameters.values = std::move(values);
  parameters.snapshot = options.snapshot;
  parameters.connection = options.unseen ? caller_.unseen() : caller_.client();
  parameters.ran_long = options.ran_long;
  if (transaction_ == nullptr) return engine_.ShowRows(*statement, parameters, viewer);
  WR_ASSIGN_OR_RETURN(const Outcome outcome, transaction_->Execute(std::move(statement), parameters));
  const auto* page = std::get_if<RowsPage>(&outcome.result);
  if (page == nullptr) return ServerError("a statement of HBase's interface has no rows");
  ShowPage(*page, viewer);
  return OkStatus();
}

bool Database::StartWrite(const BatchEntry& entry, std::function<void(Status)> done) const {
  if (transaction_ != nullptr) return false;
  RequestParameters parameters;
  parameters.values = entry.values;
  parameters.connection = caller_.client();
  const Result<bool> begun =
      engine_.Submit(entry.statement, parameters, [done](const Result<Outcome>& outcome) { done(StatusOf(outcome)); });
  if (!begun.ok()) done(begun.error());
  return !begun.ok() || *begun;
}

Result<bool> Database::Write(std::span<const BatchEntry> entries) const {
  if (entries.empty()) return true;
  if (transaction_ != nullptr) return transaction_->Write(entries, caller_.client());
  RequestParameters parameters;
  parameters.connection = caller_.client();
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
