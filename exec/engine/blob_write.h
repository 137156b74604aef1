// Writes one value of a longblob column in parts (Engine::WriteBlob). The value belongs to a marker of an INSERT or
// UPDATE. The statement runs when the value is complete, and so the value becomes visible as a whole. A small value is
// gathered in memory and bound like any other value. A larger value is stored in pieces while it arrives
// (storage/large_object.h).
#pragma once

#include <memory>

#include "exec/engine/statement_planner.h"
#include "exec/engine/write_runner.h"

namespace widerow {

// Returns the only marker of type longblob. kInvalid if there are none or several.
Result<size_t> FindBlobMarker(const std::vector<MarkerSpec>& markers);

// Used by one thread at a time. The engine must outlive it. If it is destroyed before Finish, nothing is written.
class BlobWrite {
 public:
  // Values of up to this size are gathered in memory.
  static constexpr size_t kGatheredBytesMax = kPieceBytes;
  // The memory that one BlobWrite may take.
  static constexpr size_t kMemoryBytes = 8u << 20;

  // `parameters` has a value for each marker; that of the longblob is not used. The permit is for the statement's plan.
  // kInvalid if the statement does not write the longblob of one row, or has conditions.
  static Result<std::unique_ptr<BlobWrite>> Open(EngineState& state, StatementPlanner& planner,
                                                 const WriteRunner& writes, const Permit& permit, PreparedPtr statement,
                                                 RequestParameters parameters);

  // kInvalid if the value becomes longer than a longblob may be.
  Status Append(ByteView bytes);
  // Runs the statement. Then the value is as durable as any write. Must be the last call.
  Result<Outcome> Finish();
  uint64_t bytes() const { return bytes_; }

 private:
  BlobWrite(EngineState& state, StatementPlanner& planner, const WriteRunner& writes, PreparedPtr statement,
            RequestParameters parameters, size_t marker)
      : state_(state),
        planner_(planner),
        writes_(writes),
        statement_(std::move(statement)),
        parameters_(std::move(parameters)),
        marker_(marker) {}

  // Plans the statement again if the schema has changed.
  Status RenewStatement();
  Result<Outcome> Run();

  EngineState& state_;
  StatementPlanner& planner_;
  const WriteRunner& writes_;
  PreparedPtr statement_;
  RequestParameters parameters_;
  const size_t marker_;
  Bytes gathered_;
  uint64_t bytes_ = 0;
  TablePtr table_;
  Bytes partition_key_;
  std::unique_ptr<LargeUpload> upload_;
};

}  // namespace widerow
