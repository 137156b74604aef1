#include "bench/record_store.h"

#include "bench/lmdb_check.h"

namespace widerow::bench {

RecordStore::RecordStore(const std::filesystem::path& directory) {
  Check(mdb_env_create(&env_), "mdb_env_create");
  Check(mdb_env_set_maxdbs(env_, 2), "mdb_env_set_maxdbs");
  Check(mdb_env_open(env_, directory.c_str(), MDB_NOTLS | MDB_NORDAHEAD | MDB_RDONLY, 0644), "mdb_env_open");
  MDB_txn* txn = nullptr;
  Check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn), "mdb_txn_begin");
  Check(mdb_dbi_open(txn, "data", 0, &dbi_), "mdb_dbi_open");
  Check(mdb_txn_commit(txn), "mdb_txn_commit");  // Else the handle is not kept.
  Check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &reader_), "mdb_txn_begin");
  Check(mdb_cursor_open(reader_, dbi_, &cursor_), "mdb_cursor_open");
  mdb_txn_reset(reader_);
}

RecordStore::~RecordStore() {
  mdb_cursor_close(cursor_);
  mdb_txn_abort(reader_);
  mdb_env_close(env_);
}

std::vector<Bytes> RecordStore::Keys(size_t step, size_t rows_after) {
  Check(mdb_txn_renew(reader_), "mdb_txn_renew");
  Check(mdb_cursor_renew(reader_, cursor_), "mdb_cursor_renew");
  std::vector<Bytes> keys;
  MDB_val key, value;
  size_t count = 0;
  for (int status = mdb_cursor_get(cursor_, &key, &value, MDB_FIRST); status == MDB_SUCCESS;
       status = mdb_cursor_get(cursor_, &key, &value, MDB_NEXT)) {
    if (count++ % step == 0) keys.emplace_back(static_cast<const char*>(key.mv_data), key.mv_size);
  }
  keys.resize(keys.size() - std::min(keys.size(), (rows_after + step - 1) / step));
  mdb_txn_reset(reader_);
  return keys;
}

void RecordStore::Get(const Bytes& key) { GetOne(reader_, dbi_, key); }
void RecordStore::Scan(const Bytes& key, size_t rows) { ScanFrom(reader_, cursor_, key, rows); }

}  // namespace widerow::bench
