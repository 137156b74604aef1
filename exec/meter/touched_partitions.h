// The partitions that one statement has read or written, for the heat map. If there are very many, it keeps only every
// second one, later every fourth one, and so on. Each kept partition then counts for several. Used by one thread.
#pragma once

#include <vector>

#include "storage/mutation.h"

namespace widerow {

class TouchedPartitions {
 public:
  static constexpr size_t kKeptMax = 256;

  struct One {
    TablePtr table;
    Bytes partition_key, clustering;  // The clustering of the first row; empty if there is no row, or the row has none.
    uint64_t rows = 0, bytes = 0;
  };

  void Add(const TablePtr& table, ByteView partition_key, ByteView clustering, uint64_t rows, uint64_t bytes);
  void Add(const Mutation& mutation);
  // Adds the partitions that another part of the same statement has touched.
  void Add(TouchedPartitions&& other);

  const std::vector<One>& kept() const { return kept_; }
  // Returns the number of partitions that each kept one counts for.
  uint64_t stride() const { return stride_; }
  // These functions return the totals of all partitions, including those that are left out of the list.
  uint64_t count() const { return count_; }
  uint64_t rows() const { return rows_; }
  uint64_t bytes() const { return bytes_; }

 private:
  // Drops every second kept partition.
  void Thin();

  std::vector<One> kept_;
  uint64_t stride_ = 1, count_ = 0, rows_ = 0, bytes_ = 0;
};

// Returns the bytes written to a partition: keys, paths and values.
uint64_t WrittenBytes(const PartitionMutation& partition);

}  // namespace widerow
