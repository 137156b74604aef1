// The open scanners of all clients. A scanner that its client does not use for a minute is closed. Thread-safe.
#pragma once

#include <chrono>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "net/hbase/store/scanner.h"

namespace widerow::hbase {

class OpenScanner {
 public:
  // `owner` is the client that has opened the scanner.
  OpenScanner(std::unique_ptr<Scanner> scanner, Caller owner, uint64_t result_bytes_in)
      : result_bytes(result_bytes_in), scanner_(std::move(scanner)), owner_(std::move(owner)) {}

  const uint64_t result_bytes;  // The client's bound for an answer; 0: none.
  Mutex mutex;                  // Held by the request that uses the scanner.
  Scanner& scanner() { return *scanner_; }
  bool sort_columns = false;   // For Thrift: a result is a sorted list of columns, not a map.
  uint64_t next_sequence = 0;  // The number that the client's next request must have.

  const Caller& owner() const { return owner_; }

 private:
  const std::unique_ptr<Scanner> scanner_;
  const Caller owner_;
};

class Scanners {
 public:
  static constexpr size_t kOpenMax = 4'096;
  static constexpr size_t kBytesMax = 64u << 20;  // The bound for the memory that all scanners keep.
  static constexpr std::chrono::seconds kLease{60};

  // Adds a scanner and returns its id. `request_bytes` is the size of the request that describes the scan. kOverloaded
  // if too many scanners are open, or if they keep too many bytes.
  Result<uint64_t> Add(std::shared_ptr<OpenScanner> scanner, size_t request_bytes) WR_EXCLUDES(mutex_);
  // Renews the lease. Null if the scanner is unknown, was closed, or belongs to another role than the caller's.
  std::shared_ptr<OpenScanner> Find(uint64_t id, const Caller& caller) WR_EXCLUDES(mutex_);
  // Keeps a scanner after a request, and renews its lease. If all scanners together keep too many bytes, this scanner
  // drops the rows that it can read again. If that is not enough, this scanner is closed. HBase's client then opens
  // another scanner, which begins after the last row that the client got. The caller holds the scanner's mutex.
  void Keep(uint64_t id) WR_EXCLUDES(mutex_);
  void Close(uint64_t id) WR_EXCLUDES(mutex_);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Entry {
    std::shared_ptr<OpenScanner> scanner;
    Time used;
    size_t request_bytes = 0;  // The memory of the scan's description.
    size_t bytes = 0;          // request_bytes, and the memory of the rows.
  };
  using Entries = std::map<uint64_t, Entry>;
  void SetBytes(Entry& entry) WR_REQUIRES(mutex_);
  void Close(Entries::iterator at) WR_REQUIRES(mutex_);
  void CloseExpired(Time now) WR_REQUIRES(mutex_);

  Mutex mutex_;
  Entries open_ WR_GUARDED_BY(mutex_);
  uint64_t last_id_ WR_GUARDED_BY(mutex_) = 0;
  size_t bytes_ WR_GUARDED_BY(mutex_) = 0;
  Time checked_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow::hbase
