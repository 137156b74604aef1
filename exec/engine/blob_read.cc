#include "exec/engine/blob_read.h"

namespace widerow {

Result<std::unique_ptr<BlobRead>> BlobRead::OfCell(const CellView& cell, ByteView partition_key, AnswerRoom* room) {
  std::unique_ptr<BlobRead> blob(new BlobRead);
  blob->timestamp_ = cell.timestamp;
  if (cell.large) {
    LargeReference reference;
    if (!DecodeLargeReference(cell.value, reference)) return ServerError("Damaged reference to a large object");
    blob->bytes_ = reference.bytes;
    blob->reference_ = reference;
    blob->partition_key_ = partition_key;
    return blob;
  }
  if (room != nullptr) WR_RETURN_IF_ERROR(room->GrowWhole(cell.value.size()));
  blob->bytes_ = cell.value.size();
  blob->copied_ = cell.value;
  return blob;
}

Result<bool> BlobRead::Open(StorageEngine& storage, const TableSchema& table) {
  if (!reference_) return true;
  WR_ASSIGN_OR_RETURN(large_, storage.OpenLargeObject(table, partition_key_, *reference_));
  return large_ != nullptr;
}

Status BlobRead::Read(uint64_t from, size_t count, std::string& out) {
  if (from >= bytes_) return OkStatus();
  count = std::min<uint64_t>(count, bytes_ - from);
  if (large_ != nullptr) return large_->Read(from, count, out);
  out.append(ByteView(copied_).substr(from, count));
  return OkStatus();
}

}  // namespace widerow
