// Finds values of unique indexes that two rows have. A unique index stores the same entries as any other index. An
// entry names a row that may have the value, and the base row decides whether it has. So an entry whose row is gone,
// has expired or has another value does not count.
//
// A write is judged by the rows after the whole write. So the rows of a batch may exchange their values. Only a row
// that takes a value can make the write fail. A row that keeps its value and its expiry does not take the value again.
#pragma once

#include <map>
#include <tuple>

#include "exec/derived/derivation.h"
#include "storage/derived_writes.h"

namespace widerow {

// Two live rows with the same value.
struct SharedValue {
  DerivationPtr index;
  DerivedRow entry;  // The entry of `taker`.
  RowPlace taker;    // The row that is written, or examined by a build.
  RowPlace holder;
  bool both_taken = false;  // The holder takes the value too, in the same write or slice.
};

// Collects the values that rows take in one write, or in one slice of a build. Used by one thread.
class UniqueCheck {
 public:
  explicit UniqueCheck(int64_t now_seconds) : now_seconds_(now_seconds) {}

  // Adds the values that `row` has after the write and not before. `before` and `after` are results of SortedKeysOf by
  // `index`. Does nothing if the index is not unique.
  void Add(const DerivationPtr& index, const RowPlace& row, const std::vector<DerivedRow>& before,
           const std::vector<DerivedRow>& after);
  // Returns a value that two rows have; nullopt if there is none. `view` shows the base rows as they are after the
  // write, and the index entries as they were before the write.
  Result<std::optional<SharedValue>> Find(ReadView& view) const;

 private:
  struct Taken {
    DerivationPtr index;
    DerivedRow entry;
    RowPlace row;
  };
  // The index, the partition in which the value must be unique (empty: the whole table), and the value.
  using Key = std::tuple<const TableDerivation*, Bytes, Bytes>;

  bool IsLive(const DerivedRow& entry) const { return entry.ttl == 0 || entry.expires_at > now_seconds_; }
  // Looks up the stored entries of the value of `taken`. Returns another row that has this value; nullopt if there is
  // none.
  Result<std::optional<RowPlace>> FindHolder(ReadView& view, const Taken& taken) const;
  Result<bool> Holds(ReadView& view, const Taken& taken, const RowPlace& place) const;

  const int64_t now_seconds_;
  std::map<Key, Taken> taken_;
  std::optional<SharedValue> twice_;  // The first value that two rows took.
};

// Returns the error for a write.
UniqueConflict ConflictOf(const SharedValue& shared);
// Returns the error for the build of a unique index over rows with equal values.
Error DuplicateInBuild(const SharedValue& shared);

}  // namespace widerow
