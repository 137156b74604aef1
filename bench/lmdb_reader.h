// Reads bare LMDB as a query does, with a transaction renewed for each read. Owns the environment and the handles for
// reading one of its databases. One thread.
#pragma once

#include <lmdb.h>

#include <cstddef>
#include <string>

#include "base/bytes.h"

namespace widerow::bench {

// Ends the program unless `status` is success.
void Check(int status, const char* what);
MDB_val ValOf(const Bytes& bytes);

class LmdbReader {
 public:
  // `database`: the name of an LMDB database, or null for the unnamed one. A file opened with MDB_RDONLY must contain
  // the database already.
  LmdbReader(const std::string& directory, unsigned flags, const char* database);
  ~LmdbReader();
  LmdbReader(const LmdbReader&) = delete;
  LmdbReader& operator=(const LmdbReader&) = delete;

  // Returns the size of the key's value, which must exist.
  size_t Get(const Bytes& key);
  // Reads up to `rows` records from `key` on, with each value's bytes. Returns their number.
  size_t Scan(const Bytes& key, size_t rows);
  // Calls `walk(cursor)` in a transaction.
  template <typename Walk>
  void Read(Walk walk) {
    Renew();
    walk(cursor_);
    mdb_txn_reset(reader_);
  }

  MDB_env* env() const { return env_; }
  MDB_dbi dbi() const { return dbi_; }

 private:
  void Renew();

  MDB_env* env_ = nullptr;
  MDB_dbi dbi_ = 0;
  MDB_txn* reader_ = nullptr;
  MDB_cursor* cursor_ = nullptr;
};

}  // namespace widerow::bench
