// ReadSpec describes the cells that a Get or a Scan reads of each row. RowMatcher chooses them.
#pragma once

#include <chrono>
#include <map>

#include "exec/rows/answer_room.h"
#include "net/hbase/filter/filter.h"
#include "net/hbase/store/htable.h"

namespace widerow::hbase {

struct ReadSpec {
  std::vector<FamilyColumns> families;  // Sorted by family; empty: all families.
  TimeRange time_range;
  std::map<Bytes, TimeRange> family_time_ranges;  // For families with another range than time_range.
  int32_t max_versions = 1;
  // In each family of a row, the first `store_offset` cells are skipped, and at most `store_limit` further cells are
  // shown; -1: all.
  int32_t store_limit = -1, store_offset = 0;
  FilterPtr filter;  // May be null.
  std::chrono::milliseconds filter_time =
      std::chrono::seconds(30);    // The most time that the filter may take for a row.
  AnswerRoom* room = nullptr;      // Counts the memory of what is read; may be null.
  bool* ran_long = nullptr;        // Call::ran_long; may be null.
  bool reversed = false;           // The rows come in descending order.
  bool families_on_demand = true;  // Families that the filter does not need are read only if it accepts the row.
};

// A family that is read, with its columns.
struct ReadFamily {
  const HFamily* family;
  const FamilyColumns* columns;  // Null: all columns.
  // If `versions` is not 0, the reader may leave out some cells of a column: those outside of `times`, and within
  // `times` all but the newest `versions` cells. If `versions` is 0, the reader leaves out nothing.
  int32_t versions = 0;
  TimeRange times;
};

// Returns the families that are read, sorted by name. Fails with NoSuchColumnFamilyException if one does not exist.
Result<std::vector<ReadFamily>> FamiliesOf(const HTable& table, const ReadSpec& spec);

// The stored versions of a row, except those that the reader has left out (ReadFamily::versions): the cells of each
// family that is read, in the order of FamiliesOf.
struct StoredRow {
  Bytes row;
  std::vector<std::vector<Cell>> families;  // Each is sorted by qualifier and descending timestamp.

  bool empty() const;
  size_t bytes() const;
};

enum class RowVerdict : uint8_t { kShown, kExcluded, kEndOfRead, kFilterTooSlow };

// Returns the error for kFilterTooSlow.
Error FilterTooSlow(const ReadSpec& spec);

// Chooses the cells of rows. It must get the rows in the order of the read. Used by one thread.
//
// As in HBase, each family is read by itself, and the filter can end the read of a family or let it go on at a later
// row. A row then consists of the other families' cells.
class RowMatcher {
 public:
  // Borrows all arguments.
  RowMatcher(std::vector<ReadFamily> families, ReadSpec& spec)
      : families_(std::move(families)), positions_(families_.size()), spec_(spec) {}

  const std::vector<ReadFamily>& families() const { return families_; }
  // Chooses the cells of `stored` and moves them into `cells`. kEndOfRead: the read shows neither this row nor any
  // later row. kFilterTooSlow: the read must end with an error.
  RowVerdict Match(StoredRow& stored, int64_t now_ms, std::vector<Cell>& cells);
  // Returns the next row that the filter wants to see. nullopt unless there is a hint for each family that the filter
  // needs and whose read it has not ended.
  std::optional<Bytes> seek_row() const;
  // True if the filter lets no further row pass.
  bool ended() const;

 private:
  // Says how far the read of a family has come.
  struct Position {
    bool closed = false;             // True: the filter has ended the read of the family.
    std::optional<FilterHint> seek;  // If set: the read of the family goes on here.
  };

  // Removes the cells before the positions of their families.
  void RemovePassed(StoredRow& stored);
  // Returns false if the filter takes too long.
  bool MatchFamilies(StoredRow& stored, bool essential, int64_t now_ms, std::vector<Cell>& cells);
  bool IsEssential(size_t family) const;

  const std::vector<ReadFamily> families_;
  std::vector<Position> positions_;
  ReadSpec& spec_;
  std::chrono::steady_clock::time_point deadline_;  // The time by which the filter must have decided on the row.
};

}  // namespace widerow::hbase
