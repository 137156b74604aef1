#include "exec/engine/blob_write.h"

#include "base/limits.h"

namespace widerow {

Result<size_t> FindBlobMarker(const std::vector<MarkerSpec>& markers) {
  std::optional<size_t> found;
  size_t count = 0;
  for (size_t i = 0; i < markers.size(); ++i) {
    if (markers[i].type->bytes_max != limits::kLongBlobBytesMax) continue;
    found = i;
    ++count;
  }
  if (count == 1) return *found;
  return InvalidError("The statement has " + std::to_string(count) + " markers of type longblob, and must have one",
                      "UPDATE t SET v = ? WHERE k = ?, where v is a longblob");
}

Result<std::unique_ptr<BlobWrite>> BlobWrite::Open(EngineState& state, StatementPlanner& planner,
                                                   const WriteRunner& writes, const Permit& permit,
                                                   PreparedPtr statement, RequestParameters parameters) {
  WR_ASSIGN_OR_RETURN(const size_t marker, FindBlobMarker(statement->plan->markers));
  if (marker >= parameters.values.size()) return InvalidError("A value for each marker is required");
  parameters.values[marker] = {BoundValue::Kind::kValue, EncodeLargeReference({})};
  std::unique_ptr<BlobWrite> write(
      new BlobWrite(state, planner, writes, std::move(statement), std::move(parameters), marker));
  AdmittedRequest request(permit, *write->statement_, write->parameters_);
  WR_ASSIGN_OR_RETURN(const LargeWrite built, writes.BuildLarge(request, marker));
  write->table_ = built.partition().table;
  write->partition_key_ = built.partition().partition_key;
  return write;
}

Status BlobWrite::Append(ByteView bytes) {
  if (bytes.size() > limits::kLongBlobBytesMax - bytes_) {
    return InvalidError("The value is longer than " + std::to_string(limits::kLongBlobBytesMax) + " bytes",
                        "a longblob has at most as many");
  }
  bytes_ += bytes.size();
  if (upload_ == nullptr && bytes_ <= kGatheredBytesMax) return gathered_.append(bytes), OkStatus();
  if (upload_ == nullptr) {
    upload_ = state_.storage->BeginLargeObject(*table_, partition_key_);
    WR_RETURN_IF_ERROR(upload_->Append(gathered_));
    Bytes().swap(gathered_);
  }
  return upload_->Append(bytes);
}

Result<Outcome> BlobWrite::Finish() {
  WR_ASSIGN_OR_RETURN(Outcome outcome, Run());
  const std::vector<std::string>& planned = statement_->plan->warnings;
  outcome.warnings.insert(outcome.warnings.begin(), planned.begin(), planned.end());
  return outcome;
}

Status BlobWrite::RenewStatement() {
  if (planner_.StillValid(*statement_)) return OkStatus();
  Result<PreparedPtr> again = planner_.PlanAgain(*statement_);
  if (!again.ok() && again.error().code == ErrorCode::kUnprepared) {
    // The caller cannot prepare the statement again and continue: the key was bound to the old types.
    return InvalidError("The types of the table have changed while the value was written", "write the value again");
  }
  WR_ASSIGN_OR_RETURN(statement_, std::move(again));
  return OkStatus();
}

Result<Outcome> BlobWrite::Run() {
  WR_RETURN_IF_ERROR(RenewStatement());
  WR_ASSIGN_OR_RETURN(const Permit permit, state_.gate.Admit(*statement_->plan, parameters_));
  Bytes& value = parameters_.values[marker_].bytes;
  if (upload_ == nullptr) {
    value = std::move(gathered_);
    AdmittedRequest request(permit, *statement_, parameters_);
    return writes_.Run(request);
  }
  WR_ASSIGN_OR_RETURN(const LargeReference reference, upload_->Finish());
  value = EncodeLargeReference(reference);
  AdmittedRequest request(permit, *statement_, parameters_);
  WR_ASSIGN_OR_RETURN(LargeWrite built, writes_.BuildLarge(request, marker_));
  // BuildLarge has computed the row's key again. A random(n) may have given another key, or the table may have been
  // dropped and made again with the same name.
  if (built.partition().partition_key != partition_key_ || !upload_->Live()) {
    return InvalidError("The row of the value has changed while the value was written", "write the value again");
  }
  return writes_.RunLarge(request, std::move(built), *upload_);
}

}  // namespace widerow
