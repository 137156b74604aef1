#include "bench/record_store.h"

#include <algorithm>

namespace widerow::bench {

RecordStore::RecordStore(const std::filesystem::path& directory) : lmdb_(directory.string(), MDB_RDONLY, "data") {}

std::vector<Bytes> RecordStore::Keys(size_t step, size_t rows_after) {
  std::vector<Bytes> keys;
  lmdb_.Read([&](MDB_cursor* cursor) {
    MDB_val key, value;
    size_t count = 0;
    for (int status = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); status == MDB_SUCCESS;
         status = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
      if (count++ % step == 0) keys.emplace_back(static_cast<const char*>(key.mv_data), key.mv_size);
    }
  });
  keys.resize(keys.size() - std::min(keys.size(), (rows_after + step - 1) / step));
  return keys;
}

void RecordStore::Get(const Bytes& key) { lmdb_.Get(key); }
void RecordStore::Scan(const Bytes& key, size_t rows) { lmdb_.Scan(key, rows); }

}  // namespace widerow::bench
