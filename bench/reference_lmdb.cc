#include "bench/lmdb_reader.h"
#include "bench/reference_store.h"

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

class RawStore final : public ReferenceStore {
 public:
  explicit RawStore(const std::filesystem::path& directory) : lmdb_(directory.string(), 0, nullptr) {}

  const char* name() const override { return "lmdb, short keys"; }

  void Put(std::span<const Flight> flights) override {
    MDB_txn* txn = nullptr;
    Check(mdb_txn_begin(lmdb_.env(), nullptr, 0, &txn), "mdb_txn_begin");
    for (const Flight& flight : flights) {
      const Bytes key_bytes = KeyOf(flight), value_bytes = ValueOf(flight);
      MDB_val key = ValOf(key_bytes), value = ValOf(value_bytes);
      Check(mdb_put(txn, lmdb_.dbi(), &key, &value, 0), "mdb_put");
    }
    Check(mdb_txn_commit(txn), "mdb_txn_commit");
  }

  size_t Get(const Flight& flight) override { return lmdb_.Get(KeyOf(flight)); }
  size_t Scan(const Flight& flight, size_t rows) override { return lmdb_.Scan(KeyOf(flight), rows); }

 private:
  LmdbReader lmdb_;
};

}  // namespace

std::unique_ptr<ReferenceStore> OpenRawLmdb(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  return std::make_unique<RawStore>(directory);
}

}  // namespace widerow::bench
