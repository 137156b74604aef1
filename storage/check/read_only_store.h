// Opens a data directory only for reading, and changes nothing in it. If another process has the directory open, the
// store shows an LMDB snapshot of the data file, and the writes in the commit log. Otherwise the store holds a lock, so
// that no server starts meanwhile. Used by one thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "storage/check/check_references.h"
#include "storage/check_report.h"
#include "storage/count/partition_counters.h"
#include "storage/count/stale_marks.h"
#include "storage/fold/catalog_store.h"
#include "storage/fold/purge_fence.h"
#include "storage/log/recovery.h"
#include "storage/read/view.h"

namespace widerow {

class ReadOnlyStore {
 public:
  // Errors: there is no database; the data file is damaged at its beginning, truncated or of a newer version.
  static Result<std::unique_ptr<ReadOnlyStore>> Open(const std::filesystem::path& directory);
  ~ReadOnlyStore();

  const std::filesystem::path& directory() const { return directory_; }
  // True if another process has the directory open.
  bool in_use() const { return lock_ < 0; }
  lmdb::TxnRef txn() const { return snapshot_->txn.ref(); }
  // The meta page of the snapshot (page_layout.h, MetaView).
  const Bytes& meta_page() const { return meta_page_; }

  // Reads the catalog. Adds damaged records to the report. Returns false if the catalog cannot be used.
  bool LoadCatalog(CheckReport& report);
  const StoredMeta& meta() const { return meta_; }

  // Replays the commit log into memory. Then schema() and OpenView() show the database as it would be after a start.
  // Adds damage to the report. Returns false if the log is damaged, or changes too fast to be read.
  bool LoadLog(CheckReport& report);
  const SchemaPtr& schema() const { return schema_; }
  // One view may be open at a time. It must be destroyed before the store.
  std::unique_ptr<ReadView> OpenView();
  // The base tables whose indexes and views may have stale rows.
  std::map<StorageId, uint64_t> StaleTables() const { return stale_.All(); }

 private:
  explicit ReadOnlyStore(std::filesystem::path directory) : directory_(std::move(directory)) {}
  Status TakeSnapshot();
  // Notes the pieces of large values that a group of the log has.
  void NotePieces(const LogGroup& group);

  const std::filesystem::path directory_;
  int lock_ = -1;
  std::unique_ptr<lmdb::Env> env_;
  std::unique_ptr<PooledSnapshot> snapshot_;
  Bytes meta_page_;
  StoredMeta meta_;
  MetaRecords records_;
  PieceSizes logged_pieces_;
  SharedReadState state_;
  PartitionCounters counters_;
  PurgeFence fence_;
  StaleMarks stale_;
  Published<LiveTables> tables_;
  std::atomic<int64_t> last_timestamp_{0};
  SystemClock clock_;
  std::unique_ptr<SnapshotPool> snapshots_;  // A GroupWriter needs it. No views are taken from it.
  SchemaPtr schema_;
};

}  // namespace widerow
