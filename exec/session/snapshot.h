// Snapshots that clients keep for several statements (docs/guide/transactions.md): all of them see the same rows and
// the same schema. While a snapshot is open, storage cannot reuse the pages and memtables that it needs. So it expires
// by itself, after a minute or when storage keeps too many bytes for it. After that every use fails with "Snapshot
// expired" and the reason. A long answer that is read in several pages also keeps a snapshot
// (RequestParameters::keep_moment), whose limits are those of reads (exec/session/read_watch.h).
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "storage/storage_engine.h"

namespace widerow {

struct SnapshotLimits {
  std::chrono::milliseconds age_max{60'000};        // At most kAgeMax.
  uint64_t pinned_bytes_max = uint64_t{256} << 20;  // HeldSnapshot::PinnedBytes.
  bool of_answer = false;                           // True for the snapshot of one long answer; no client knows its id.
  // The id of the role that opens the snapshot, if it has logged in. Zero: the process, or nobody has to log in.
  Uuid owner;

  static constexpr std::chrono::milliseconds kAgeMax{60'000};
};

// A moment of the database that storage keeps.
struct KeptMoment {
  std::unique_ptr<HeldSnapshot> held;  // Null: nothing stored has been read yet.
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  int64_t micros = 0;  // The moment by the clock of the engine, in µs since 1970.
};

// One snapshot. Thread-safe: statements on it run one at a time.
class Snapshot {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  Snapshot(SchemaPtr schema, KeptMoment moment, const SnapshotLimits& limits);

  const Uuid& id() const { return id_; }
  const SchemaPtr& schema() const { return schema_; }
  // The moment that the snapshot shows, in µs since 1970. Values whose TTL ended later are still there.
  int64_t micros() const { return micros_; }
  std::chrono::milliseconds age() const;
  std::chrono::milliseconds age_max() const { return limits_.age_max; }
  bool of_answer() const { return limits_.of_answer; }
  const Uuid& owner() const { return limits_.owner; }

  // The right of one statement to use the snapshot. Its views must be opened and closed while the Turn exists.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : snapshot_(std::exchange(other.snapshot_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (snapshot_ != nullptr) snapshot_->EndTurn();
    }

   private:
    friend class Snapshot;
    explicit Turn(Snapshot& snapshot) : snapshot_(&snapshot) {}
    Snapshot* snapshot_;
  };
  // Waits until no other statement has the Turn. kInvalid if the calling thread already has it: then this thread is
  // showing rows of the snapshot.
  Result<Turn> TakeTurn() ABSL_NO_THREAD_SAFETY_ANALYSIS;  // The Turn unlocks turn_.
  // Opens a view of the snapshot. Fails as StillOpen does.
  Result<std::unique_ptr<ReadView>> OpenView();
  // Fails if the snapshot has expired: with kInvalid "Snapshot expired", or, if it is the snapshot of a long answer,
  // with ReadsTooLong or PinsTooMuch (exec/session/read_watch.h). Scans call it every thousand rows.
  Status StillOpen();

  // Expires the snapshot if it is too old, pins too much, or `reason` is given. If a statement is running on it, its
  // resources are released when that statement ends.
  void Check(const char* reason = nullptr);
  bool expired() const { return expired_.load(); }

 private:
  void EndTurn() ABSL_NO_THREAD_SAFETY_ANALYSIS;
  // Releases the snapshot in storage. The caller must have locked turn_.
  void LetGo() WR_EXCLUDES(mutex_);
  std::shared_ptr<HeldSnapshot> held() const WR_EXCLUDES(mutex_);
  Error Expired() const;

  const Uuid id_ = Uuid::Random();
  const SchemaPtr schema_;
  const SnapshotLimits limits_;
  const TimePoint opened_;
  const int64_t micros_;
  Mutex turn_;  // Held by a Turn.
  std::atomic<std::thread::id> turn_of_ = std::thread::id();
  mutable Mutex mutex_;
  std::shared_ptr<HeldSnapshot> held_ WR_GUARDED_BY(mutex_);
  std::atomic<const char*> reason_ = nullptr;  // Set before expired_.
  std::atomic<bool> expired_ = false;
};
using SnapshotPtr = std::shared_ptr<Snapshot>;

// The registry of open snapshots, with the thread that expires them. Thread-safe.
class SnapshotRegistry {
 public:
  static constexpr size_t kOpenMax = 64;

  // Opens a snapshot. kOverloaded if kOpenMax snapshots are open, or if the owner is a role that has at least as many
  // open as may still be opened. So one role has at most half of kOpenMax, and cannot keep all others from opening one.
  // Snapshots of long answers (of_answer) are not counted.
  Result<SnapshotPtr> Open(SchemaPtr schema, KeptMoment moment, const SnapshotLimits& limits);
  // Returns the snapshot; null if no snapshot has this id. Expired snapshots are found for ten more minutes, so that
  // their users get the reason.
  SnapshotPtr Find(const Uuid& id) const WR_EXCLUDES(mutex_);
  // Closes and removes the snapshot. False if no snapshot has this id.
  bool Close(const Uuid& id) WR_EXCLUDES(mutex_);
  size_t open() const WR_EXCLUDES(mutex_);

  SnapshotRegistry() = default;
  ~SnapshotRegistry();

 private:
  Status CheckShare(const Uuid& owner) const WR_REQUIRES(mutex_);
  void Watch() WR_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  TimedCondVar changed_;
  std::map<Uuid, SnapshotPtr> snapshots_ WR_GUARDED_BY(mutex_);
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread watcher_ WR_GUARDED_BY(mutex_);  // Started with the first snapshot.
};

}  // namespace widerow
