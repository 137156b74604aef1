// Smart pointers to LMDB's objects. Each closes its object when it is destroyed. A transaction that was not committed
// is aborted then.
#pragma once

#include <lmdb.h>

#include <memory>

#include "storage/lmdb/paced_writes.h"

namespace widerow::lmdb {

struct EnvCloser {
  void operator()(MDB_env* env) const {
    mdb_filehandle_t fd = -1;
    if (mdb_env_get_fd(env, &fd) == 0 && fd >= 0) StopPacing(fd);
    mdb_env_close(env);
  }
};
using EnvHandle = std::unique_ptr<MDB_env, EnvCloser>;
struct TxnAborter {
  void operator()(MDB_txn* txn) const { mdb_txn_abort(txn); }
};
using TxnHandle = std::unique_ptr<MDB_txn, TxnAborter>;
struct CursorCloser {
  void operator()(MDB_cursor* cursor) const { mdb_cursor_close(cursor); }
};
using CursorHandle = std::unique_ptr<MDB_cursor, CursorCloser>;

}  // namespace widerow::lmdb
