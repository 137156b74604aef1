// Small helpers for bare LMDB.
#pragma once

#include <lmdb.h>

#include <cstdio>
#include <cstdlib>

#include "base/bytes.h"

namespace widerow::bench {

inline void Check(int status, const char* what) {
  if (status == MDB_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", what, mdb_strerror(status));
  std::exit(1);
}

inline MDB_val ValOf(const Bytes& bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

// What is read must not be optimized away.
inline void Touch(const MDB_val& value) {
  static volatile char sink;
  sink = static_cast<const char*>(value.mv_data)[value.mv_size - 1];
}

// One renewed transaction and up to `rows` records from `key` on. Gives how many there were.
inline size_t ScanFrom(MDB_txn* reader, MDB_cursor* cursor, const Bytes& key_bytes, size_t rows) {
  Check(mdb_txn_renew(reader), "mdb_txn_renew");
  Check(mdb_cursor_renew(reader, cursor), "mdb_cursor_renew");
  MDB_val key = ValOf(key_bytes), value;
  size_t count = 0;
  for (int status = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE); status == MDB_SUCCESS && count < rows;
       status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    Touch(value);
    ++count;
  }
  mdb_txn_reset(reader);
  return count;
}

// The same for one record.
inline size_t GetOne(MDB_txn* reader, MDB_dbi dbi, const Bytes& key_bytes) {
  Check(mdb_txn_renew(reader), "mdb_txn_renew");
  MDB_val key = ValOf(key_bytes), value;
  Check(mdb_get(reader, dbi, &key, &value), "mdb_get");
  Touch(value);
  mdb_txn_reset(reader);
  return value.mv_size;
}

}  // namespace widerow::bench
