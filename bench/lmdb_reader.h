// Bare LMDB read the way a query reads: a transaction renewed for each read. Owns the environment and the handles that reading
// one database of it takes. One thread.
#pragma once

#include <lmdb.h>

#include <cstddef>
#include <string>

#include "base/bytes.h"

namespace widerow::bench {

// Ends the program unless `status` is LMDB's success.
void Check(int status, const char* what);
MDB_val ValOf(const Bytes& bytes);

class LmdbReader {
 public:
  // `database`: the name of one, or null for the one without. A file opened with MDB_RDONLY has to have it already.
  LmdbReader(const std::string& directory, unsigned flags, const char* database);
  ~LmdbReader();
  LmdbReader(const LmdbReader&) = delete;
  LmdbReader& operator=(const LmdbReader&) = delete;

  // Bytes of the key's value, which has to be there.
  size_t Get(const Bytes& key);
  // Up to `rows` records from `key` on, each value's bytes read. Gives how many there were.
  size_t Scan(const Bytes& key, size_t rows);
  // A transaction's begin and end around `walk(cursor)`.
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
