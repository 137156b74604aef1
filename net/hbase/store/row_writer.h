// Applies mutations to rows, as HBase's HRegion does: all mutations of a request for one row are one atomic write.
// Thread-safe.
#pragma once

#include <functional>
#include <span>

#include "net/hbase/filter/comparator.h"
#include "net/hbase/store/catalog.h"
#include "net/hbase/store/read_spec.h"
#include "net/hbase/store/row_locks.h"

namespace widerow::hbase {

// The condition of a checkAndMutate.
struct RowCondition {
  Bytes row;
  ReadSpec read;                              // One column; empty if there is a filter.
  std::function<Result<FilterPtr>()> filter;  // Makes the filter; null: there is none.
  CompareOp op = CompareOp::kEqual;
  // If the comparator is null or has no value, the condition is that the cell is missing or empty; with kNotEqual, that
  // it is neither.
  ComparatorPtr comparator;
};

struct WriteResult {
  bool processed = true;    // False if the condition did not hold.
  std::vector<Cell> cells;  // The new cells of Increments and Appends.
};

class RowWriter {
 public:
  explicit RowWriter(Catalog& catalog) : catalog_(catalog) {}

  // Each function works for `caller`. Puts and Deletes need MODIFY on the tables of their families. Increment, Append
  // and a condition need SELECT too.

  // Applies the mutations, which all have the same row. `condition` may be null.
  Result<WriteResult> Apply(const Caller& caller, const HTable& table, std::span<const Mutation> mutations,
                            RowCondition* condition = nullptr);
  // Starts a put of one cell, and does not wait for the disk. `done` is called with the result, either before this
  // function returns or on the storage's thread, where it must return quickly. Returns false and does nothing if the
  // put is invalid, may have to wait for another request, or needs several writes; the caller then calls Apply.
  bool StartPut(const Caller& caller, const HTable& table, const Mutation& put, std::function<void(Status)> done);
  // Puts into several rows with one write. Returns false, and does nothing, if the puts must be applied one by one.
  Result<bool> PutMany(const Caller& caller, const HTable& table, std::span<const Mutation> puts);
  // Reads a row. If this takes several statements, no write of the row comes between them.
  Result<std::vector<Cell>> Get(const Caller& caller, const HTable& table, const Bytes& row, ReadSpec& spec);

 private:
  class Changes;

  // Does what Apply does. The caller has the row's lock. Returns false, and writes nothing, if another write has
  // changed the row meanwhile.
  Result<bool> Attempt(const Database& database, const HTable& table, std::span<const Mutation> mutations,
                       RowCondition* condition, WriteResult& result);
  Result<bool> Holds(const Database& database, const HTable& table, RowCondition& condition, int64_t& newest) const;
  Result<std::vector<Cell>> GetLocked(const Database& database, const HTable& table, const Bytes& row,
                                      ReadSpec& spec) const;
  // Does what PutMany does. The caller has the rows' locks.
  Result<bool> PutLocked(const Database& database, const HTable& table, std::span<const Mutation> puts);
  // Called after the mutations. For a few of their cells (IsTurnToTrim), removes the versions of the column that no
  // read can show.
  void TrimVersions(const Database& database, const HTable& table, std::span<const Mutation> mutations);
  Status TrimColumn(const Database& database, const HFamily& family, const Bytes& row, const Bytes& qualifier);

  Catalog& catalog_;
  RowLocks locks_;
};

}  // namespace widerow::hbase
