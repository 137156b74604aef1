// Finds the rows of a salvaged database that may lack a part. These are rows that are in a readable page, or to which
// the commit log has a write, while other records of the row are lost. Used by one thread at a time.
//
// Call FindKept first, then Note for each group of the log that is replayed, then Rows.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "storage/check/lost_keys.h"
#include "storage/log/recovery.h"
#include "storage/log/write_codec.h"
#include "storage/reconcile/partition_tombstones.h"
#include "storage/salvage_report.h"

namespace widerow {

class PartialRows {
 public:
  // No record of the data file is newer than `newest_micros`, unless a client has chosen its timestamp.
  PartialRows(const LostKeys& lost, int64_t newest_micros) : lost_(lost), newest_micros_(newest_micros) {}

  // Looks at the kept records beside each lost range. `txn` reads them.
  Status FindKept(lmdb::TxnRef txn);
  void Note(const LogGroup& group);

  // Rows returns the rows that may lack a part. Ranges returns the lost ranges. Both take the tables from `schema`, and
  // leave out indexes and views, because these are built again.
  std::vector<PartialRow> Rows(const SchemaSnapshot& schema) const;
  std::vector<LostRange> Ranges(const SchemaSnapshot& schema) const;

 private:
  // The facts about a row that the writes of the log and the kept records show.
  struct Written {
    bool shown = false;  // True if a read may return content of the row.
    bool lacks_elements = false;
    bool marker = false;
    bool replaced = false;       // True if a deletion in the log deletes all lost content of the row.
    std::set<ColumnId> cells;    // Columns with a cell that replaces an older one.
    std::set<ColumnId> emptied;  // Columns whose older elements are all deleted.
  };
  void NoteWrites(ByteView body);
  void NoteBulk(ByteView body);
  void NoteRow(ByteView key, ByteView record);
  void NoteShown(ByteView partition_prefix);
  Status FindElements(lmdb::TxnRef txn, ByteView partition_prefix);
  bool IsComplete(ByteView key, const Written& written, const TableSchema& table) const;

  const LostKeys& lost_;
  const int64_t newest_micros_;
  std::map<Bytes, Written, std::less<>>
      rows_;  // By key: rows and static rows in lost ranges, and rows with elements in lost ranges.
  std::map<Bytes, PartitionTombstones, std::less<>> deletions_;  // Deletions in the log, by partition prefix.
  std::vector<std::pair<Bytes, Bytes>> neighbours_;  // The kept keys before and after each range; empty: none.
};

}  // namespace widerow
