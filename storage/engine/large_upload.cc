#include "storage/engine/large_upload.h"

#include "storage/engine/lmdb_engine.h"
#include "storage/large/pieces.h"

namespace widerow {

// The object's number is a timestamp, because a timestamp is never given twice, not even after a restart.
LmdbLargeUpload::LmdbLargeUpload(LmdbEngine& engine, Bytes partition_prefix)
    : engine_(engine),
      partition_prefix_(std::move(partition_prefix)),
      object_(static_cast<uint64_t>(engine.NextTimestampMicros())) {
  engine_.large_objects().Begin(object_, partition_prefix_);
}

LmdbLargeUpload::~LmdbLargeUpload() {
  if (!settled_) engine_.large_objects().Abandon(object_);
}

Status LmdbLargeUpload::Append(ByteView bytes) {
  constexpr size_t kFull = kGatheredPieces * kPieceBytes;
  if (bytes.size() > kLargeObjectBytesMax - bytes_) {
    return InvalidError("The value is longer than " + std::to_string(kLargeObjectBytesMax) + " bytes");
  }
  bytes_ += bytes.size();
  if (gathered_.capacity() < kFull) gathered_.reserve(kFull);
  while (!bytes.empty()) {
    const size_t taken = std::min(bytes.size(), kFull - gathered_.size());
    gathered_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (gathered_.size() == kFull) WR_RETURN_IF_ERROR(Store());
  }
  return OkStatus();
}

Status LmdbLargeUpload::Store() {
  const PiecesGroup pieces{object_, pieces_stored_, partition_prefix_, gathered_};
  DirectLog* const log = engine_.direct_log();
  for (bool done = false; !done;) {
    Status stored = engine_.RunOnFolder([&](StoreWriter& writer) -> Status {
      done = true;
      if (log == nullptr) return writer.StorePieces(pieces);
      if (!engine_.HasPartition(partition_prefix_)) return writer.StorePieces(pieces);  // Fails with kInvalid.
      WR_ASSIGN_OR_RETURN(done, log->Log(EncodePiecesGroup(pieces)));
      if (!done) return OkStatus();
      Status made = writer.StorePieces(pieces);
      if (!made.ok() && made.error().code != ErrorCode::kInvalid) log->NotMade();
      return made;
    });
    WR_RETURN_IF_ERROR(std::move(stored));
  }
  pieces_stored_ += (gathered_.size() + kPieceBytes - 1) / kPieceBytes;
  gathered_.clear();
  return OkStatus();
}

Result<LargeReference> LmdbLargeUpload::Finish() {
  if (!gathered_.empty()) WR_RETURN_IF_ERROR(Store());
  Bytes().swap(gathered_);
  return LargeReference{object_, bytes_};
}

bool LmdbLargeUpload::Live() const { return engine_.HasPartition(partition_prefix_); }

void LmdbLargeUpload::Settle(const Status& applied) {
  settled_ = true;
  LargeObjects& objects = engine_.large_objects();
  if (applied.ok()) {
    objects.Written(object_, engine_.visible(), bytes_);
    engine_.large_counters().objects_written.fetch_add(1, std::memory_order_relaxed);
    engine_.large_counters().bytes_written.fetch_add(bytes_, std::memory_order_relaxed);
  } else if (engine_.log_broken()) {
    objects.Keep(object_);  // The reference may be in the log. The next start finds out.
  } else {
    objects.Abandon(object_);
  }
}

LmdbLargeRead::LmdbLargeRead(LmdbEngine& engine, ByteView partition_prefix, uint64_t object)
    : engine_(engine), object_(object) {
  AppendPiecePrefix(partition_prefix, object, prefix_);
}

LmdbLargeRead::~LmdbLargeRead() { engine_.large_objects().Unpin(object_); }

Result<bool> LmdbLargeRead::Exists() {
  WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(engine_.env()));
  WR_ASSIGN_OR_RETURN(const std::optional<ByteView> first, ReadPiece(txn.ref(), prefix_, 0));
  return first.has_value();
}

Status LmdbLargeRead::Read(uint64_t from, size_t count, std::string& out) {
  WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(engine_.env()));
  WR_ASSIGN_OR_RETURN(const bool whole, ReadPieces(txn.ref(), prefix_, from, count, out));
  if (!whole) {
    return Error{.code = ErrorCode::kReadFailure,
                 .message = "Operation failed",
                 .hint = "the table or the partition was dropped or truncated while its value was read"};
  }
  engine_.large_counters().bytes_read.fetch_add(count, std::memory_order_relaxed);
  return OkStatus();
}

std::unique_ptr<LargeUpload> LmdbEngine::BeginLargeObject(const TableSchema& table, ByteView partition_key) {
  Bytes prefix;
  AppendPartitionPrefix(table, partition_key, prefix);
  return std::make_unique<LmdbLargeUpload>(*this, std::move(prefix));
}

Result<std::unique_ptr<LargeRead>> LmdbEngine::OpenLargeObject(const TableSchema& table, ByteView partition_key,
                                                               const LargeReference& reference) {
  if (!large_.Pin(reference.object)) return std::unique_ptr<LargeRead>();
  Bytes prefix;
  AppendPartitionPrefix(table, partition_key, prefix);
  auto read = std::make_unique<LmdbLargeRead>(*this, prefix, reference.object);
  WR_ASSIGN_OR_RETURN(const bool exists, read->Exists());
  if (!exists) return std::unique_ptr<LargeRead>();
  return std::unique_ptr<LargeRead>(std::move(read));
}

}  // namespace widerow
