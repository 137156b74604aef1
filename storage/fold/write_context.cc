#include "storage/fold/write_context.h"

namespace widerow {

Status CheckRc(lmdb::Rc rc, std::string_view doing) {
  if (rc.failed()) return lmdb::ToError(rc, doing);
  return OkStatus();
}

Status WriteContext::Put(ByteView key, ByteView value) {
  return CheckRc(PutLong(txn_, state_.child_ids, key, value), "writing");
}

Status WriteContext::Delete(ByteView key) { return CheckRc(DeleteLong(txn_, key), "deleting"); }

Result<bool> WriteContext::Get(ByteView key, ByteView& value) {
  const lmdb::Rc rc = GetLong(txn_.ref(), key, value);
  if (rc.failed()) return lmdb::ToError(rc, "reading");
  return rc.ok();
}

Result<LongKeyCursor*> WriteContext::cursor() {
  if (!cursor_.has_value()) {
    WR_ASSIGN_OR_RETURN(lmdb::Cursor opened, lmdb::Cursor::Open(txn_.ref(), lmdb::Db::kData));
    cursor_.emplace(std::move(opened));
  }
  return &*cursor_;
}

}  // namespace widerow
