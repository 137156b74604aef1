// Open() checks and locks the directory and creates or opens the data file. Start() reads the catalog, replays the log
// into a memtable, and starts the threads of the folder and of the writer. Submit() encodes a write in the caller's
// thread and hands it to WriterThread. A read takes a snapshot from SnapshotPool. Notes, bulk loads and sweeps run on
// the folder's thread. The destructor folds everything and closes the log.
#include "storage/engine/lmdb_engine.h"

#include <algorithm>
#include <chrono>

#include "storage/bulk/bulk_load.h"
#include "storage/engine/restored.h"
#include "storage/lmdb/copy_file.h"

namespace widerow {
namespace {

// Format versions from this one on can be opened. The directory then becomes a directory of the present version.
// Version 1 has no commit log. In version 2 data.mdb does not have the id of its log, and the log has no list of its
// segments.
constexpr uint32_t kEarliestVersion = 1;

Status CheckFormatVersion(lmdb::Env& env, const std::filesystem::path& directory) {
  WR_ASSIGN_OR_RETURN(const std::optional<Bytes> stored, env.ReadMetaBeforeOpen(FormatVersionKey()));
  if (!stored.has_value()) {
    if (!env.HoldsDatabases()) return OkStatus();
    return ConfigError("The data directory '" + directory.string() + "' holds another program's LMDB database");
  }
  const std::optional<uint32_t> version = DecodeFormatVersion(*stored);
  if (version >= kEarliestVersion && version <= kStorageFormatVersion) return OkStatus();
  const std::string there = version.has_value() ? std::to_string(*version) : "unknown";
  return ConfigError("The data directory '" + directory.string() + "' has storage format version " + there +
                     "; this build reads versions " + std::to_string(kEarliestVersion) + " to " +
                     std::to_string(kStorageFormatVersion) + " and writes version " +
                     std::to_string(kStorageFormatVersion));
}

// Measures one in 16 reads and counts its time 16 times, because reading the clock takes long compared with a read from
// memory.
class SampledTime {
 public:
  SampledTime() : sampled_(Count() % kEvery == 0) {
    if (sampled_) begin_ = std::chrono::steady_clock::now();
  }
  uint64_t Micros() const {
    if (!sampled_) return 0;
    const auto spent = (std::chrono::steady_clock::now() - begin_) * kEvery;
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
  }

 private:
  static constexpr uint32_t kEvery = 16;
  static uint32_t Count() {
    thread_local uint32_t count = 0;
    return ++count;
  }
  const bool sampled_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace

Result<std::unique_ptr<StorageEngine>> OpenLmdbEngine(StorageOptions options) {
  WR_ASSIGN_OR_RETURN(std::unique_ptr<LmdbEngine> engine, LmdbEngine::Open(std::move(options)));
  return std::unique_ptr<StorageEngine>(std::move(engine));
}

Result<std::unique_ptr<LmdbEngine>> LmdbEngine::Open(StorageOptions options, const Feed& feed) {
  if (options.clock == nullptr) options.clock = std::make_shared<SystemClock>();
  const std::filesystem::path& directory = options.directory;
  WR_RETURN_IF_ERROR(lmdb::PrepareDirectory(directory, options.log));
  if (!feed) WR_RETURN_IF_ERROR(CheckRestored(directory));
  WR_ASSIGN_OR_RETURN(lmdb::DirectoryLock lock, lmdb::DirectoryLock::Take(directory));
  lmdb::MakeFilesPrivate(directory);
  WR_ASSIGN_OR_RETURN(const bool all_sealed, lmdb::CheckDataFile(directory, lock.initialized()));
  if (!all_sealed && options.log) {
    options.log(
        {LogLevel::kWarning, "storage",
         "pages of data.mdb that an earlier version has written have no checksums, so damage to them may not be "
         "noticed; `widerow compact` gives every page a checksum"});
  }
  WR_RETURN_IF_ERROR(lmdb::RemoveReaderTable(directory));
  WR_RETURN_IF_ERROR(lmdb::CreateDataFile(directory, FormatVersionKey(), EncodeFormatVersion(kStorageFormatVersion)));
  WR_ASSIGN_OR_RETURN(std::unique_ptr<lmdb::Env> env,
                      lmdb::Env::Open({.directory = directory, .map_bytes = options.map_bytes, .log = options.log}));
  WR_RETURN_IF_ERROR(CheckFormatVersion(*env, directory));
  WR_RETURN_IF_ERROR(env->OpenDatabases(FormatVersionKey(), EncodeFormatVersion(kStorageFormatVersion)));
  WR_RETURN_IF_ERROR(lock.MarkInitialized());
  std::unique_ptr<LmdbEngine> engine(new LmdbEngine(std::move(options), std::move(lock), std::move(env)));
  WR_RETURN_IF_ERROR(engine->Start(feed));
  return engine;
}

LmdbEngine::LmdbEngine(StorageOptions options, lmdb::DirectoryLock lock, std::unique_ptr<lmdb::Env> env)
    : options_(std::move(options)),
      lock_(std::make_shared<const lmdb::DirectoryLock>(std::move(lock))),
      env_(std::move(env)),
      snapshots_(*env_, state_) {}

LmdbEngine::~LmdbEngine() {
  if (writer_ == nullptr) return;
  direct_log_.Detach();
  // After the flush the next start has nothing to replay. If the flush fails, the writes stay in the log.
  const Status flushed = Flush();
  folder_->OnFoldWanted(nullptr);
  periodic_sync_.reset();
  writer_.reset();
  folder_.reset();
  const Status closed = log_->Close(flushed.ok() ? log_->synced_through() : 0);
  for (const Status* status : {&flushed, &closed}) {
    if (!status->ok() && options_.closing_failed) options_.closing_failed(status->error());
  }
}

Status LmdbEngine::Start(const Feed& feed) {
  MetaRecords records;
  bool knows_tombstones = false;
  {
    WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(*env_));
    WR_ASSIGN_OR_RETURN(records, ReadMeta(txn.ref()));
    WR_ASSIGN_OR_RETURN(const auto known, widerow::ReadNotes(txn.ref(), kKnowsTombstonesNote));
    knows_tombstones = !known.empty();
  }
  WR_ASSIGN_OR_RETURN(StoredMeta stored, LoadMeta(records));
  if (!knows_tombstones) {
    // The data file may be of a version that does not store the newest tombstone of each table. Then every table with
    // purgeable content may have a tombstone of any timestamp. The greatest timestamp makes sure that every write to
    // such a table is compared with its stored tombstones.
    for (const auto& [table, unused] : stored.earliest_purgeable) {
      stored.newest_tombstones.try_emplace(table, std::numeric_limits<int64_t>::max());
    }
  }
  WR_RETURN_IF_ERROR(LoadHistory());
  database_id_ = stored.database_id.value_or(Uuid::Random());
  last_timestamp_ = stored.last_timestamp;
  auto writer = std::make_unique<GroupWriter>(
      GroupWriter::Shared{state_, snapshots_, counters_, tables_, last_timestamp_, fence_, stale_, *options_.clock},
      options_.durability);
  writer->Load(stored);
  WR_RETURN_IF_ERROR(LoadStaleMarks());
  WR_RETURN_IF_ERROR(Recover(*writer, stored, records, feed));
  const bool same_history = stored_history_.value == history_.Note(keep_log_bytes_).value;
  if (stored.database_id != database_id_ || stored.log_id != log_->id() || !knows_tombstones || !same_history) {
    WR_RETURN_IF_ERROR(StoreIds(stored));
  }
  WR_ASSIGN_OR_RETURN(const StoredMeta now, LoadMeta(records));
  loaded_schema_ = now.schema;
  next_storage_id_ = now.next_storage_id;
  // The stored counters belong to the partition maps at the last fold. Partitions may have been split and merged after
  // that fold, so Change() adapts the counters to the present maps.
  counters_.Reset(*stored.schema, stored.counters);
  PartitionDeltas none;
  counters_.Change(*stored.schema, *now.schema, none);
  writer->Start(now.schema, now.next_storage_id, *log_);
  WR_RETURN_IF_ERROR(LoadSizes());
  large_.FoldedThrough(stored.folded_through);
  for (LargeObjects::Loose& loose : stored.loose_objects) {
    large_.Load(loose.object, std::move(loose.prefix), state_.visible());
  }
  auto store_writer = std::make_unique<StoreWriter>(
      SharedState{*env_, state_, counters_, sizes_, tables_, *options_.clock, last_timestamp_, state_.ledger(), fence_,
                  stale_, large_, history_.id() ? &direct_log_ : nullptr},
      std::move(stored));
  WR_RETURN_IF_ERROR(RepeatDirectGroups(*store_writer, writer->TakeDirectGroups()));
  folder_ = std::make_unique<Folder>(Folder::Shared{state_, snapshots_, *log_}, std::move(store_writer),
                                     Folder::Options{options_.background_sweep, options_.sweep_percent, options_.log});
  if (options_.durability == Durability::kPeriodic) {
    periodic_sync_ = std::make_unique<PeriodicSync>(*log_, options_.sync_period_ms, options_.log);
  }
  writer_ = std::make_unique<WriterThread>(std::move(writer), *folder_,
                                           WriterThread::Options{options_.pending_writes_max, options_.memtable_bytes});
  direct_log_.Attach(*writer_, *folder_, options_.memtable_bytes);
  folder_->OnFoldWanted([this] {
    writer_->Post([this](GroupWriter& group_writer) {
      if (state_.frozen() == nullptr && group_writer.Freeze()) folder_->Wake();
    });
  });
  return OkStatus();
}

Status LmdbEngine::Recover(GroupWriter& writer, const StoredMeta& stored, MetaRecords& records, const Feed& feed) {
  CommitLogOptions log_options{.directory = options_.directory / lmdb::kLogDirectoryName,
                               .expected_id = stored.log_id,
                               .keep_bytes = keep_log_bytes_,
                               .accept_loss = options_.accept_lost_log,
                               .log = options_.log};
  WR_ASSIGN_OR_RETURN(log_, CommitLog::Open(std::move(log_options), stored.folded_through,
                                            [&](const LogGroup& group) { return writer.Replay(group, records); }));
  return feed ? feed([&](const LogGroup& group) { return writer.Replay(group, records); }) : OkStatus();
}

Status LmdbEngine::StoreIds(const StoredMeta& stored) {
  WR_ASSIGN_OR_RETURN(lmdb::WriteTxn txn, lmdb::WriteTxn::Begin(*env_));
  WR_RETURN_IF_ERROR(widerow::StoreIds(txn, database_id_, log_->id()));
  for (const auto& [table, timestamp] : stored.newest_tombstones) {
    WR_RETURN_IF_ERROR(StoreNewestTombstone(txn, table, timestamp));
  }
  WR_RETURN_IF_ERROR(StoreNote(txn, {Bytes(kKnowsTombstonesNote), Bytes()}));
  WR_RETURN_IF_ERROR(StoreNote(txn, history_.Note(keep_log_bytes_)));
  return CheckRc(txn.Commit(), "writing the ids of the database and of its log");
}

Status LmdbEngine::CommitSchema(const SchemaPtr& next) {
  return writer_->Run([&](GroupWriter& writer) { return writer.CommitSchema(next); });
}

void LmdbEngine::SetRecordBytesMax(size_t bytes) {
  const Status set = writer_->Run([&](GroupWriter& writer) { return writer.SetRecordBytesMax(bytes), OkStatus(); });
  WR_CHECK(set.ok());
}

void LmdbEngine::SetWriteMemoryMax(size_t bytes) {
  const Status set = writer_->Run([&](GroupWriter& writer) { return writer.SetWriteMemoryMax(bytes), OkStatus(); });
  WR_CHECK(set.ok());
}

void LmdbEngine::Submit(Write write, std::function<void(Status)> done) {
  Result<Bytes> encoded = EncodeWrite(write.mutation, *tables_.Load());
  if (!encoded.ok()) return done(encoded.error());
  writer_->Submit({std::move(*encoded), std::move(write.decide), write.decide_bytes, std::move(write.conflict)},
                  std::move(done));
}

Status LmdbEngine::ReadRow(const TableSchema& table, ByteView partition_key, ByteView clustering,
                           const std::function<void(const RowView*)>& use) {
  const SampledTime time;
  WR_ASSIGN_OR_RETURN(SnapshotLease lease, snapshots_.Take());
  PooledSnapshot& snapshot = *lease;
  SourceView view(snapshot);
  WR_ASSIGN_OR_RETURN(const bool found, view.FindRow(table, partition_key, clustering, snapshot.row));
  use(found ? &snapshot.row : nullptr);
  const ByteView position = ByteView(snapshot.key).substr(sizeof(StorageId));
  counters_.CountRead(table, position, time.Micros(), snapshot.last_read);
  return OkStatus();
}

void LmdbEngine::CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros) {
  PartitionCounters::LastRead last;
  Bytes prefix;
  AppendPartitionPrefix(table, partition_key, prefix);
  counters_.CountRead(table, ByteView(prefix).substr(sizeof(StorageId)), micros, last);
}

std::vector<PartitionSize> LmdbEngine::LargestPartitions(const TableSchema& table) {
  std::vector<PartitionSize> out;
  for (const StorageId id : StorageIdsOf(table)) {
    for (PartitionSizes::Size& size : sizes_.Largest(id)) {
      if (!IsLive(table, size.prefix)) continue;
      PartitionSize& partition = out.emplace_back(PartitionSize{.rows = size.rows, .bytes = size.bytes});
      if (!PartitionKeyOfPrefix(size.prefix, partition.partition_key)) out.pop_back();
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PartitionSize& a, const PartitionSize& b) { return a.bytes > b.bytes; });
  return out;
}

Status LmdbEngine::LoadSizes() {
  WR_ASSIGN_OR_RETURN(const auto notes, ReadNotes(kSizesNote));
  for (const StorageNote& note : notes) {
    const ByteView id = ByteView(note.key).substr(kSizesNote.size());
    if (id.size() == sizeof(StorageId)) sizes_.Load(ReadBigEndian<StorageId>(id.data()), *note.value);
  }
  return OkStatus();
}

Status LmdbEngine::WriteNotes(const std::vector<StorageNote>& notes) {
  return folder_->Run([&](StoreWriter& writer) {
    return writer.Apply([&](WriteContext& context, const LiveTables&) -> Status {
      for (const StorageNote& note : notes) WR_RETURN_IF_ERROR(StoreNote(context.txn(), note));
      return OkStatus();
    });
  });
}

Result<std::vector<StorageNote>> LmdbEngine::ReadNotes(ByteView prefix) {
  WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(*env_));
  return widerow::ReadNotes(txn.ref(), prefix);
}

Status LmdbEngine::Freeze() {
  const MemtablePtr wanted = state_.active();
  bool frozen = false;
  while (!frozen) {
    WR_RETURN_IF_ERROR(folder_->WaitUntilFolded());
    WR_RETURN_IF_ERROR(writer_->Run([&](GroupWriter& writer) {
      // True if the writer's thread has already frozen the memtable that was active when Freeze was called.
      frozen = state_.active() != wanted;
      if (frozen || state_.frozen() != nullptr) return OkStatus();
      frozen = true;
      if (writer.Freeze()) folder_->Wake();
      return OkStatus();
    }));
  }
  return OkStatus();
}

Status LmdbEngine::Flush() {
  WR_RETURN_IF_ERROR(Freeze());
  return folder_->WaitUntilFolded();
}

Status LmdbEngine::Apply(Write write) {
  Mutex mutex;
  CondVar finished;
  std::optional<Status> outcome;
  Submit(std::move(write), [&](Status status) {
    MutexLock lock(mutex);
    outcome.emplace(std::move(status));
    finished.NotifyOne();
  });
  MutexLock lock(mutex);
  while (!outcome.has_value()) finished.Wait(mutex);
  return std::move(*outcome);
}

Status LmdbEngine::TakesWrites() const {
  // After a write was refused for lack of room, all writes are refused for the time kRecent, because space() does not
  // show a quota of the disk. After that time, writes are refused while less than kRoomBytes are free, or while folds
  // fail. The greatest segment of the commit log fits into kRoomBytes.
  constexpr uint64_t kRoomBytes = 64u << 20;
  constexpr auto kRecent = std::chrono::seconds(5);
  if (log_->broken()) {
    return ServerError("Writes are refused until the server is restarted, because the commit log has failed",
                       "check the disk of the data directory, then restart");
  }
  const std::optional<WriterThread::Refusal> refusal = writer_->refusal();
  if (!refusal) return OkStatus();
  std::error_code code;
  const std::filesystem::space_info space = std::filesystem::space(options_.directory, code);
  const bool full = !code && space.available < kRoomBytes;
  const bool recent = std::chrono::steady_clock::now() - refusal->at < kRecent;
  if (full || recent || folder_->failure()) return refusal->error;
  return OkStatus();
}

void LmdbEngine::SetDerivedWrites(std::shared_ptr<DerivedWrites> derived) {
  const Status set = writer_->Run([&](GroupWriter& writer) {
    writer.SetDerivedWrites(std::move(derived));
    return OkStatus();
  });
  WR_CHECK(set.ok());
}

std::unique_ptr<BulkLoad> LmdbEngine::OpenBulk(TablePtr table, const BulkLimits& limits) {
  return std::make_unique<LmdbBulkLoad>(*folder_, state_, options_.directory, std::move(table), limits,
                                        history_.id() ? &direct_log_ : nullptr);
}

int64_t LmdbEngine::NextTimestampMicros() {
  const int64_t now = options_.clock->NowMicros();
  int64_t last = last_timestamp_.load(std::memory_order_relaxed);
  int64_t next;
  do { next = std::max(now, last + 1); } while (!last_timestamp_.compare_exchange_weak(last, next));
  return next;
}

Result<StorageUsage> LmdbEngine::Usage() const {
  WR_ASSIGN_OR_RETURN(const lmdb::PageUsage file, page_counter_.Count());
  const ReadStatePtr state = state_.Load();
  return StorageUsage{.page_bytes = file.page_bytes,
                      .pages = file.pages,
                      .free_pages = file.free_pages,
                      .map_bytes = env_->map_bytes(),
                      .log_bytes = log_->bytes(),
                      .memtable_bytes = state->memtables.front()->bytes(),
                      .folding_bytes = state->memtables.size() > 1 ? state->memtables.back()->bytes() : 0,
                      .memtable_bytes_max = options_.memtable_bytes};
}

StorageStatistics LmdbEngine::Statistics() const {
  StorageStatistics statistics;
  writer_->Describe(statistics);
  folder_->Describe(statistics);
  statistics.log_bytes_appended = log_->bytes_appended();
  statistics.large_objects_written = large_counters_.objects_written.load(std::memory_order_relaxed);
  statistics.large_bytes_written = large_counters_.bytes_written.load(std::memory_order_relaxed);
  statistics.large_bytes_read = large_counters_.bytes_read.load(std::memory_order_relaxed);
  statistics.large_objects_loose = large_.count();
  return statistics;
}

Status LmdbEngine::SweepAll() {
  WR_RETURN_IF_ERROR(Flush());
  bool more = true;
  while (more) {
    WR_RETURN_IF_ERROR(folder_->Run([&](StoreWriter& writer) -> Status {
      WR_ASSIGN_OR_RETURN(more, writer.SweepSlice());
      return OkStatus();
    }));
  }
  return OkStatus();
}

bool LmdbEngine::SweepIsDue() {
  bool due = false;
  const Status asked = folder_->Run([&](StoreWriter& writer) {
    due = writer.SweepIsDue();
    return OkStatus();
  });
  return asked.ok() && due;
}

}  // namespace widerow
