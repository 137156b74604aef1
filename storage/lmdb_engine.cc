#include "storage/lmdb_engine.h"

namespace widerow {
namespace {

Status CheckFormatVersion(lmdb::Env& env, const std::filesystem::path& directory) {
  WR_ASSIGN_OR_RETURN(const std::optional<Bytes> stored, env.ReadMetaBeforeOpen(FormatVersionKey()));
  if (!stored.has_value()) {
    if (!env.HoldsDatabases()) return OkStatus();
    return ConfigError("The data directory '" + directory.string() + "' holds another program's LMDB database");
  }
  const std::optional<uint32_t> version = DecodeFormatVersion(*stored);
  if (version == kStorageFormatVersion) return OkStatus();
  const std::string there = version.has_value() ? std::to_string(*version) : "unknown";
  return ConfigError("The data directory '" + directory.string() + "' has storage format version " + there +
                     "; this build reads and writes version " + std::to_string(kStorageFormatVersion));
}

}  // namespace

Result<std::unique_ptr<StorageEngine>> OpenLmdbEngine(StorageOptions options) {
  WR_ASSIGN_OR_RETURN(std::unique_ptr<LmdbEngine> engine, LmdbEngine::Open(std::move(options)));
  return std::unique_ptr<StorageEngine>(std::move(engine));
}

Result<std::unique_ptr<LmdbEngine>> LmdbEngine::Open(StorageOptions options) {
  if (options.clock == nullptr) options.clock = std::make_shared<SystemClock>();
  const std::filesystem::path& directory = options.directory;
  WR_RETURN_IF_ERROR(lmdb::PrepareDirectory(directory, options.log));
  WR_ASSIGN_OR_RETURN(lmdb::DirectoryLock lock, lmdb::DirectoryLock::Take(directory));
  WR_RETURN_IF_ERROR(lmdb::CheckDataFile(directory, lock.initialized()));
  WR_RETURN_IF_ERROR(lmdb::RemoveReaderTable(directory));
  WR_RETURN_IF_ERROR(lmdb::CreateDataFile(directory, FormatVersionKey(), EncodeFormatVersion(kStorageFormatVersion)));
  WR_ASSIGN_OR_RETURN(std::unique_ptr<lmdb::Env> env,
                      lmdb::Env::Open({.directory = directory, .map_bytes = options.map_bytes, .log = options.log}));
  WR_RETURN_IF_ERROR(CheckFormatVersion(*env, directory));
  WR_RETURN_IF_ERROR(env->OpenDatabases(FormatVersionKey(), EncodeFormatVersion(kStorageFormatVersion)));
  WR_RETURN_IF_ERROR(lock.MarkInitialized());
  std::unique_ptr<LmdbEngine> engine(new LmdbEngine(std::move(options), std::move(lock), std::move(env)));
  WR_RETURN_IF_ERROR(engine->Start());
  return engine;
}

LmdbEngine::LmdbEngine(StorageOptions options, lmdb::DirectoryLock lock, std::unique_ptr<lmdb::Env> env)
    : options_(std::move(options)), lock_(std::move(lock)), env_(std::move(env)), snapshots_(*env_, overlay_) {}

LmdbEngine::~LmdbEngine() = default;

Status LmdbEngine::Start() {
  StoredMeta meta;
  {
    WR_ASSIGN_OR_RETURN(const lmdb::ReadTxn txn, lmdb::ReadTxn::Begin(*env_));
    WR_ASSIGN_OR_RETURN(meta, LoadMeta(txn.ref()));
  }
  if (meta.database_id) {
    database_id_ = *meta.database_id;
  } else {
    WR_RETURN_IF_ERROR(GiveDatabaseId());
  }
  loaded_schema_ = meta.schema;
  last_timestamp_ = meta.last_timestamp;
  next_storage_id_ = meta.next_storage_id;
  const SharedState shared{*env_, overlay_, counters_, *options_.clock, last_timestamp_};
  writer_ = std::make_unique<WriterThread>(
      std::make_unique<StoreWriter>(shared, std::move(meta)),
      WriterThread::Options{options_.pending_writes_max, options_.background_sweep, options_.log});
  return OkStatus();
}

Status LmdbEngine::GiveDatabaseId() {
  database_id_ = Uuid::Random();
  WR_ASSIGN_OR_RETURN(lmdb::WriteTxn txn, lmdb::WriteTxn::Begin(*env_));
  WR_RETURN_IF_ERROR(StoreDatabaseId(txn, database_id_));
  return CheckRc(txn.Commit(), "writing the database's id");
}

Status LmdbEngine::CommitSchema(const SchemaPtr& next) {
  return writer_->Run([&](StoreWriter& writer) { return writer.CommitSchema(next); });
}

void LmdbEngine::Submit(Write write, std::function<void(Status)> done) {
  writer_->Submit(std::move(write), std::move(done));
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

int64_t LmdbEngine::NextTimestampMicros() {
  const int64_t now = options_.clock->NowMicros();
  int64_t last = last_timestamp_.load(std::memory_order_relaxed);
  int64_t next;
  do { next = std::max(now, last + 1); } while (!last_timestamp_.compare_exchange_weak(last, next));
  return next;
}

Status LmdbEngine::SweepAll() {
  bool more = true;
  while (more) {
    WR_RETURN_IF_ERROR(writer_->Run([&](StoreWriter& writer) -> Status {
      WR_ASSIGN_OR_RETURN(more, writer.SweepSlice());
      return OkStatus();
    }));
  }
  return OkStatus();
}

bool LmdbEngine::SweepIsDue() {
  bool due = false;
  const Status asked = writer_->Run([&](StoreWriter& writer) {
    due = writer.SweepIsDue();
    return OkStatus();
  });
  return asked.ok() && due;
}

}  // namespace widerow
