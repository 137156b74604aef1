#include "bench/lmdb_reader.h"

#include "bench/must.h"

namespace widerow::bench {
namespace {

volatile char sink;  // Values are stored here, so that the compiler does not remove the reads.

void Touch(const MDB_val& value) { sink = static_cast<const char*>(value.mv_data)[value.mv_size - 1]; }

}  // namespace

void Check(int status, const char* what) {
  if (status != MDB_SUCCESS) Die(std::string(what) + ": " + mdb_strerror(status));
}

MDB_val ValOf(const Bytes& bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

LmdbReader::LmdbReader(const std::string& directory, unsigned flags, const char* database) {
  const bool read_only = (flags & MDB_RDONLY) != 0;
  Check(mdb_env_create(&env_), "mdb_env_create");
  if (!read_only) Check(mdb_env_set_mapsize(env_, size_t{8} << 30), "mdb_env_set_mapsize");
  Check(mdb_env_set_maxdbs(env_, 2), "mdb_env_set_maxdbs");
  Check(mdb_env_open(env_, directory.c_str(), flags | MDB_NOTLS | MDB_NORDAHEAD, 0644), "mdb_env_open");
  MDB_txn* txn = nullptr;
  Check(mdb_txn_begin(env_, nullptr, read_only ? MDB_RDONLY : 0, &txn), "mdb_txn_begin");
  Check(mdb_dbi_open(txn, database, 0, &dbi_), "mdb_dbi_open");
  Check(mdb_txn_commit(txn), "mdb_txn_commit");  // LMDB keeps the handle of the database only after a commit.
  Check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &reader_), "mdb_txn_begin");
  Check(mdb_cursor_open(reader_, dbi_, &cursor_), "mdb_cursor_open");
  mdb_txn_reset(reader_);
}

LmdbReader::~LmdbReader() {
  mdb_cursor_close(cursor_);
  mdb_txn_abort(reader_);
  mdb_env_close(env_);
}

void LmdbReader::Renew() {
  Check(mdb_txn_renew(reader_), "mdb_txn_renew");
  Check(mdb_cursor_renew(reader_, cursor_), "mdb_cursor_renew");
}

size_t LmdbReader::Get(const Bytes& key_bytes) {
  Check(mdb_txn_renew(reader_), "mdb_txn_renew");
  MDB_val key = ValOf(key_bytes), value;
  Check(mdb_get(reader_, dbi_, &key, &value), "mdb_get");
  Touch(value);
  mdb_txn_reset(reader_);
  return value.mv_size;
}

size_t LmdbReader::Scan(const Bytes& key_bytes, size_t rows) {
  size_t count = 0;
  Read([&](MDB_cursor* cursor) {
    MDB_val key = ValOf(key_bytes), value;
    for (int status = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE); status == MDB_SUCCESS && count < rows;
         status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
      Touch(value);
      ++count;
    }
  });
  return count;
}

}  // namespace widerow::bench
