// Owners of LMDB's environment, transactions and cursors. Outside storage/lmdb/ and bench/ nothing includes <lmdb.h>.
//
// Borrowed bytes: a ByteView from a transaction is valid until the transaction ends; in a write transaction, until its
// next write. Read transactions are not tied to a thread (MDB_NOTLS); each belongs to one thread at a time. Env is
// thread-safe after OpenDatabases.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/mutex.h"
#include "base/result.h"

struct MDB_env;
struct MDB_txn;
struct MDB_cursor;

namespace widerow::lmdb {

// The outcome of a call: done, not found, or failed. Smaller than a Result<bool>, because every row needs one.
class [[nodiscard]] Rc {
 public:
  explicit constexpr Rc(int code) : code_(code) {}
  static constexpr Rc Done() { return Rc(0); }
  static constexpr Rc NotFound() { return Rc(kNotFoundCode); }
  static constexpr Rc Damaged() { return Rc(kDamagedCode); }
  // A page of data.mdb is damaged: LastDamagedPage() in page_checks.h.
  bool damaged_page() const { return code_ == kDamagedPageCode; }

  bool ok() const { return code_ == 0; }
  bool not_found() const { return code_ == kNotFoundCode; }
  bool failed() const { return code_ != 0 && code_ != kNotFoundCode; }
  bool map_full() const { return code_ == kMapFullCode; }
  // True if the file system has no room. The data on disk is complete, and writes can continue when room is available.
  bool disk_full() const;
  // True if a write of a meta page has failed: the environment writes no more and begins no more reads.
  bool broken() const { return code_ == kPanicCode; }
  int code() const { return code_; }

 private:
  // LMDB's codes. env.cc checks them.
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
  std::function<void(const std::string&)> log;
};

// Makes data.mdb in `directory` if there is none, with the named databases and, if given, a first record of the meta
// database. After a power cut the file exists completely or not at all: it is written under another name, synced and
// renamed. Removes an unfinished file that an earlier process has left under that name.
Status CreateDataFile(const std::filesystem::path& directory, ByteView first_key = {}, ByteView first_value = {});

// One LMDB environment. Opened once per process and directory, after the checks of open_checks.h.
//
// After a failed write of a meta page LMDB returns MDB_PANIC for every call. The file is still complete: its state is
// that of the failed commit or of the previous commit. Writes are refused until the process is started again. Reads
// continue in a second environment that only reads.
class Env {
 public:
  static Result<std::unique_ptr<Env>> Open(const EnvOptions& options);
  ~Env();
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  // Creates the named databases if absent, and puts a record, if given, into the meta database. With a record,
  // everything found in the file is durable on return. Before this call only ReadMetaBeforeOpen and HoldsDatabases may
  // be called.
  Status OpenDatabases(ByteView first_key = {}, ByteView first_value = {});
  // False if the environment has just been created.
  bool HoldsDatabases() const;
  // Returns a value of the meta database before OpenDatabases; nullopt if there is none.
  Result<std::optional<Bytes>> ReadMetaBeforeOpen(ByteView key);

  // Frees reader slots of processes that have died. Also done at open.
  void ClearStaleReaders();
  uint64_t map_bytes() const { return map_bytes_; }
  uint64_t page_bytes() const;
  // Returns the number of pages of the file at the last commit.
  uint64_t pages() const;
  // Returns the number of pieces in which commits have been sent to the disk (paced_writes.h). No commit may run
  // meanwhile.
  uint64_t pieces_sent() const;

 private:
  friend class TxnRef;
  friend class ReadTxn;
  friend class WriteTxn;
  friend class Cursor;
  explicit Env(MDB_env* env) : env_(env) {}
  // Makes the file as long as its meta page says.
  void CoverLastPage();
  // Begins a read; in the second environment if the first one is broken.
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

// Any transaction, not owned. Reading works in the same way in all of them.
class TxnRef {
 public:
  TxnRef() = default;
  TxnRef(MDB_txn* txn, const Env& env) : txn_(txn), env_(&env) {}

  Rc Get(Db db, ByteView key, ByteView& value) const;
  // Counts the pages that became free with commit `since` or a later one, as far as this transaction sees them. Reads
  // every list of free pages; PageCounter limits how often.
  Rc CountFreePages(uint64_t& count, uint64_t since = 0) const;
  // Returns the number of the last commit that a snapshot sees, or the number that the commit of a write transaction
  // will have.
  uint64_t id() const;

 private:
  friend class Cursor;
  MDB_txn* txn_ = nullptr;
  const Env* env_ = nullptr;
};

// A snapshot. It can be given back (Reset) and renewed (Renew) in some nanoseconds.
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

// A write transaction. The destructor undoes it if it was not committed. One at a time in the process, with one child
// at a time; used by the thread that began it.
class WriteTxn {
 public:
  static Result<WriteTxn> Begin(Env& env);
  // Begins a part that can be undone alone. The parent must not be used until the child has ended.
  Result<WriteTxn> BeginChild();
  WriteTxn(WriteTxn&& other) noexcept
      : txn_(std::exchange(other.txn_, nullptr)), env_(other.env_), is_child_(other.is_child_) {}
  WriteTxn& operator=(WriteTxn&&) = delete;
  ~WriteTxn() { Abort(); }

  Rc Put(Db db, ByteView key, ByteView value);
  Rc Delete(Db db, ByteView key);
  // Durable on return. The commit of a child only joins it to its parent.
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
  // Each of the following moves sets key and value, or leaves them unchanged and returns not_found.
  Rc SeekExact(ByteView wanted, ByteView& key, ByteView& value);
  Rc SeekAtOrAfter(ByteView wanted, ByteView& key, ByteView& value);
  Rc Next(ByteView& key, ByteView& value);
  Rc Previous(ByteView& key, ByteView& value);
  Rc Last(ByteView& key, ByteView& value);

  // Stores the record and moves to it. Write transactions only. Faster than WriteTxn::Put if keys come in order.
  Rc Put(ByteView key, ByteView value);
  // Does what Put does, for a key greater than all in the database. Fills pages to their end.
  Rc Append(ByteView key, ByteView value);

 private:
  explicit Cursor(MDB_cursor* cursor) : cursor_(cursor) {}
  MDB_cursor* cursor_;
};

}  // namespace widerow::lmdb
