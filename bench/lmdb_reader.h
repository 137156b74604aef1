// Reads one database of an LMDB file without Widerow. As in Widerow, a read transaction is renewed for each read. An
// LmdbReader owns the LMDB environment and its handles. For use by one thread.
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
  // `database` is the name of an LMDB database, or null for the database without a name. `flags` are those of
  // mdb_env_open. With MDB_RDONLY, the file must contain the database already.
  LmdbReader(const std::string& directory, unsigned flags, const char* database);
  ~LmdbReader();
  LmdbReader(const LmdbReader&) = delete;
  LmdbReader& operator=(const LmdbReader&) = delete;

  // Returns the size of the key's value, which must exist.
  size_t Get(const Bytes& key);
  // Reads up to `rows` records from `key` on and looks at their values. Returns the number of records.
  size_t Scan(const Bytes& key, size_t rows);
  // Calls `walk(cursor)` in a read transaction.
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
