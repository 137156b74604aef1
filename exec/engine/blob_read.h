// Reads one value of a blob column in parts (Engine::OpenBlob). No snapshot is kept meanwhile. A value in pieces stays
// as it is until the BlobRead is destroyed (storage/large_object.h), and a smaller value is copied.
#pragma once

#include <memory>
#include <string>

#include "base/checksum.h"
#include "exec/rows/answer_room.h"
#include "storage/storage_engine.h"

namespace widerow {

// Used by one thread at a time. The engine must outlive it.
class BlobRead {
 public:
  // Takes the value, or the reference to it, from a cell. Asks `room`, which may be null, for the memory of a copied
  // value.
  static Result<std::unique_ptr<BlobRead>> OfCell(const CellView& cell, ByteView partition_key, AnswerRoom* room);
  // Must be called once, after OfCell. Returns false if the pieces are gone, because the row has another value now.
  Result<bool> Open(StorageEngine& storage, const TableSchema& table);

  uint64_t bytes() const { return bytes_; }
  // Returns the memory that this BlobRead takes for the value.
  size_t copied_bytes() const { return copied_.size(); }
  // The value's write time in microseconds.
  int64_t timestamp() const { return timestamp_; }
  // The number of the large object, or a hash of the copied value. Together with timestamp() and bytes() it tells the
  // value from all other values of its cell, also from one that was written with the same timestamp.
  uint64_t fingerprint() const { return reference_ ? reference_->object : Hash64(copied_); }
  // Appends up to `count` bytes of the value, from `from` on, to `out`. Appends fewer only at the end of the value.
  // kReadFailure if the table has been dropped or truncated.
  Status Read(uint64_t from, size_t count, std::string& out);

 private:
  BlobRead() = default;

  uint64_t bytes_ = 0;
  int64_t timestamp_ = 0;
  Bytes copied_;  // The value, if it is not in pieces.
  Bytes partition_key_;
  std::optional<LargeReference> reference_;
  std::unique_ptr<LargeRead> large_;
};

}  // namespace widerow
