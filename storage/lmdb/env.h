// Classes that own LMDB's environment, transactions and cursors. Only storage/lmdb/ and bench/ include <lmdb.h>.
//
// A ByteView from a transaction is valid until the transaction ends; in a write transaction only until its next write.
// A read transaction is not tied to a thread (MDB_NOTLS); one thread at a time may use it. Env is thread-safe after
// OpenDatabases.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/result.h"

struct MDB_env;
struct MDB_txn;
struct MDB_cursor;

namespace widerow::lmdb {

// The outcome of a call: done, not found, or failed. It is smaller than a Result<bool>, because reading a row needs one
// for every step.
class [[nodiscard]] Rc {
 public:
  explicit constexpr Rc(int code) : code_(code) {}
  static constexpr Rc Done() { return Rc(0); }
  static constexpr Rc NotFound() { return Rc(kNotFoundCode); }
  static constexpr Rc Damaged() { return Rc(kDamagedCode); }
  // True if a page of data.mdb is damaged. LastDamagedPage() in page_checks.h says which one.
  bool damaged_page() const { return code_ == kDamagedPageCode; }

  bool ok() const { return code_ == 0; }
  bool not_found() const { return code_ == kNotFoundCode; }
  bool failed() const { return code_ != 0 && code_ != kNotFoundCode; }
  bool map_full() const { return code_ == kMapFullCode; }
  // True if the file system has no room. The data on disk is complete, and writes can continue when room is available.
  bool disk_full() const;
  // True if LMDB has failed to write a meta page. The environment then refuses writes and new reads (see Env).
  bool broken() const { return code_ == kPanicCode; }
  int code() const { return code_; }

 private:
  // The values of error codes of LMDB. env.cc compares them with the constants of LMDB.
  static constexpr int kNotFoundCode = -30798, kDamagedCode = -30796, kMapFullCode = -30792, kPanicCode = -30795;
  static constexpr int kDamagedPageCode = -30700;
  int code_;
};

// Makes an error from a failed call. `doing` completes "Storage failed while …".
Error ToError(Rc rc, std::string_view doing);

// The two named databases of a data directory.
enum class Db : uint8_t { kData, kMeta };

struct EnvOptions {
  std::filesystem::path directory;
  uint64_t map_bytes = uint64_t{1} << 40;
  unsigned readers_max = 2'048;
  LogFunction log;
};

// Creates data.mdb in `directory` if there is none, with the named databases. If a first record is given, puts it into
// the meta database. After a power cut the file exists completely or not at all: it is written under another name,
// synced and renamed. Also removes an unfinished file that an earlier process has left under that other name.
Status CreateDataFile(const std::filesystem::path& directory, ByteView first_key = {}, ByteView first_value = {});

// One LMDB environment. A process opens it once for a directory, after the checks of open_checks.h.
//
// After a failed write of a meta page, LMDB returns MDB_PANIC for every call. The file is still complete: its state is
// that of the failed commit or of the commit before it. Writes are refused until the process is started again. Reads
// continue in a second environment, which only reads.
class Env {
 public:
  static Result<std::unique_ptr<Env>> Open(const EnvOptions& options);
  // Opens the environment for reading only. `shared` says that another process has the directory open. Then the
  // snapshots taken here are entered in the table of readers, so that the other process keeps their pages. The
  // databases are open on return.
  static Result<std::unique_ptr<Env>> OpenForReading(const std::filesystem::path& directory, bool shared);
  ~Env();
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  // Creates the named databases if they do not exist. If a record is given, puts it into the meta database; this commit
  // also makes everything found in the file durable. Before OpenDatabases only ReadMetaBeforeOpen and HoldsDatabases
  // may be called.
  Status OpenDatabases(ByteView first_key = {}, ByteView first_value = {});
  // True if the named databases exist. False in an environment that has just been created.
  bool HoldsDatabases() const;
  // Returns a value of the meta database, before OpenDatabases has been called. Returns nullopt if there is none.
  Result<std::optional<Bytes>> ReadMetaBeforeOpen(ByteView key);

  // Frees the reader slots of processes that have died. Opening an environment does this too.
  void ClearStaleReaders();
  uint64_t map_bytes() const { return map_bytes_; }
  uint64_t page_bytes() const;
  // Returns the number of pages of the file at the last commit.
  uint64_t pages() const;
  // Returns the number of pieces in which commits have been sent to the disk (paced_writes.h). No commit may run during
  // the call.
  uint64_t pieces_sent() const;

 private:
  friend class TxnRef;
  friend class ReadTxn;
  friend class WriteTxn;
  friend class Cursor;
  explicit Env(MDB_env* env) : env_(env) {}
  // Makes the file as long as its meta page says.
  void CoverLastPage();
  // Begins a read. Uses the second environment if the first one is broken.
  int BeginRead(MDB_txn*& txn);
  int OpenForReadingAlone() WR_REQUIRES(mutex_);
  bool DiskIsFull() const;

  MDB_env* env_;
  Mutex mutex_;
  // Set once, when env_ is broken. The databases have the same handles in both environments.
  std::atomic<MDB_env*> read_env_ = nullptr;
  unsigned dbi_[2] = {0, 0};
  uint64_t map_bytes_ = 0;
  uint64_t covered_bytes_ = 0;  // The file has at least this length.
};

// Refers to a read or write transaction without owning it. Reading is the same in both.
class TxnRef {
 public:
  TxnRef() = default;
  TxnRef(MDB_txn* txn, const Env& env) : txn_(txn), env_(&env) {}

  Rc Get(Db db, ByteView key, ByteView& value) const;
  // Finds the first record whose key is `wanted` or greater. For a single record; a Cursor is faster for several.
  Rc GetAtOrAfter(Db db, ByteView wanted, ByteView& key, ByteView& value) const;
  // Counts the free pages that commit `since` and later commits have freed, as far as this transaction sees these
  // commits. Reads every list of free pages, which can take long; PageCounter limits how often this is done.
  Rc CountFreePages(uint64_t& count, uint64_t since = 0) const;
  // Returns the number of records of both databases.
  uint64_t CountRecords() const;
  // For a snapshot, returns the number of the last commit that it sees. For a write transaction, returns the number
  // that its commit will have.
  uint64_t id() const;

 private:
  friend class Cursor;
  MDB_txn* txn_ = nullptr;
  const Env* env_ = nullptr;
};

// A read transaction: a snapshot. Reset() gives it back, and Renew() takes a new snapshot; each takes some nanoseconds.
class ReadTxn {
 public:
  static Result<ReadTxn> Begin(Env& env);
  ReadTxn(ReadTxn&& other) noexcept : txn_(std::exchange(other.txn_, nullptr)), env_(other.env_) {}
  ReadTxn& operator=(ReadTxn&&) = delete;
  ~ReadTxn();

  Rc Renew();
  void Reset();
  TxnRef ref() const { return TxnRef(txn_, *env_); }

 private:
  ReadTxn(MDB_txn* txn, Env& env) : txn_(txn), env_(&env) {}
  MDB_txn* txn_;
  Env* env_;
};

// A write transaction. The destructor undoes it if it was not committed. A process can have one write transaction at a
// time, and the transaction can have one child at a time. Only the thread that began a transaction may use it.
class WriteTxn {
 public:
  static Result<WriteTxn> Begin(Env& env);
  // Begins a child: a part of the transaction that can be undone alone. The parent must not be used until the child has
  // ended.
  Result<WriteTxn> BeginChild();
  WriteTxn(WriteTxn&& other) noexcept
      : txn_(std::exchange(other.txn_, nullptr)), env_(other.env_), is_child_(other.is_child_) {}
  WriteTxn& operator=(WriteTxn&&) = delete;
  ~WriteTxn() { Abort(); }

  Rc Put(Db db, ByteView key, ByteView value);
  Rc Delete(Db db, ByteView key);
  // Commits. The changes are durable on return. The commit of a child only adds its changes to the parent's.
  Rc Commit();
  void Abort();
  TxnRef ref() const { return TxnRef(txn_, *env_); }

 private:
  WriteTxn(MDB_txn* txn, Env& env, bool is_child) : txn_(txn), env_(&env), is_child_(is_child) {}
  MDB_txn* txn_;
  Env* env_;
  bool is_child_;
};

class Cursor {
 public:
  static Result<Cursor> Open(TxnRef txn, Db db);
  Cursor(Cursor&& other) noexcept : cursor_(std::exchange(other.cursor_, nullptr)) {}
  Cursor& operator=(Cursor&&) = delete;
  ~Cursor();

  // Moves the cursor to a renewed snapshot of the same environment.
  Rc Renew(TxnRef txn);
  // Each of the following functions moves the cursor and sets `key` and `value`. If there is no such record, it leaves
  // them unchanged and returns not_found.
  Rc SeekExact(ByteView wanted, ByteView& key, ByteView& value);
  Rc SeekAtOrAfter(ByteView wanted, ByteView& key, ByteView& value);
  Rc Next(ByteView& key, ByteView& value);
  Rc Previous(ByteView& key, ByteView& value);
  Rc Last(ByteView& key, ByteView& value);

  // Stores a record and moves the cursor to it. For write transactions only. Faster than WriteTxn::Put if keys come in
  // order.
  Rc Put(ByteView key, ByteView value);
  // Stores a record whose key is greater than all keys of the database, and fills each page to its end. Otherwise like
  // Put.
  Rc Append(ByteView key, ByteView value);

 private:
  explicit Cursor(MDB_cursor* cursor) : cursor_(cursor) {}
  MDB_cursor* cursor_;
};

}  // namespace widerow::lmdb
