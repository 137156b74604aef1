#include "bench/raw_store.h"

#include "bench/lmdb_check.h"

namespace widerow::bench {
namespace {

Bytes KeyOf(const Flight& flight) {
  Bytes key = flight.origin;
  key.push_back(static_cast<char>(flight.month));
  AppendBigEndian(key, flight.time_hour_ms);
  key += flight.carrier;
  AppendBigEndian(key, flight.flight);
  return key;
}

Bytes ValueOf(const Flight& flight) {
  Bytes value = flight.dest;
  for (const int32_t number :
       {flight.sched_dep_time, flight.distance, flight.dep_delay.value_or(-9999), flight.arr_delay.value_or(-9999)}) {
    AppendBigEndian(value, number);
  }
  return value + flight.tailnum;
}

}  // namespace

RawStore::RawStore(const std::string& directory) {
  Check(mdb_env_create(&env_), "mdb_env_create");
  Check(mdb_env_set_mapsize(env_, size_t{8} << 30), "mdb_env_set_mapsize");
  Check(mdb_env_open(env_, directory.c_str(), MDB_NOTLS | MDB_NORDAHEAD, 0644), "mdb_env_open");
  MDB_txn* txn = nullptr;
  Check(mdb_txn_begin(env_, nullptr, 0, &txn), "mdb_txn_begin");
  Check(mdb_dbi_open(txn, nullptr, 0, &dbi_), "mdb_dbi_open");
  Check(mdb_txn_commit(txn), "mdb_txn_commit");
  Check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &reader_), "mdb_txn_begin");
  Check(mdb_cursor_open(reader_, dbi_, &cursor_), "mdb_cursor_open");
  mdb_txn_reset(reader_);
}

RawStore::~RawStore() {
  mdb_cursor_close(cursor_);
  mdb_txn_abort(reader_);
  mdb_env_close(env_);
}

void RawStore::Put(std::span<const Flight> flights) {
  MDB_txn* txn = nullptr;
  Check(mdb_txn_begin(env_, nullptr, 0, &txn), "mdb_txn_begin");
  for (const Flight& flight : flights) {
    const Bytes key_bytes = KeyOf(flight), value_bytes = ValueOf(flight);
    MDB_val key = ValOf(key_bytes), value = ValOf(value_bytes);
    Check(mdb_put(txn, dbi_, &key, &value, 0), "mdb_put");
  }
  Check(mdb_txn_commit(txn), "mdb_txn_commit");
}

size_t RawStore::Get(const Flight& flight) { return GetOne(reader_, dbi_, KeyOf(flight)); }

size_t RawStore::Scan(const Flight& flight, size_t rows) { return ScanFrom(reader_, cursor_, KeyOf(flight), rows); }

}  // namespace widerow::bench
