// Knows which large objects (storage/large_object.h) must be swept, and which must be kept. An object to which a row in
// the data file refers has no entry here; only its readers are counted. The engine owns the LargeObjects. Thread-safe.
//
//   Begin ──> uploading ── Written ──> waiting for a fold ── Stored ──> (no entry)
//   to be swept ── Swept ──> (no entry)
//
// Stored: the fold has stored a row that refers to the object. An object becomes "to be swept" in one of three ways:
// - Abandon: nothing refers to it, and nothing will.
// - FoldedThrough: the fold has passed its write, and Stored was not called.
// - Removed: the row in the data file no longer refers to it.
//
// The data file has a record (MetaKind::kLooseObject) for each entry whose object has pieces. After a kill, the next
// open makes these entries again (Load).
#pragma once

#include <map>
#include <optional>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

class LargeObjects {
 public:
  struct Loose {
    uint64_t object = 0;
    Bytes prefix;  // The partition prefix of its pieces.
  };

  // Adds an object that an earlier process has left. A write that was replayed from the log may refer to it. Such a
  // write has at most the sequence number `replayed`.
  void Load(uint64_t object, Bytes prefix, uint64_t replayed);
  void Begin(uint64_t object, Bytes prefix);
  // Says that the write of the reference has been applied. The sequence number of this write is at most `sequence`.
  // `bytes` is the size of the value.
  void Written(uint64_t object, uint64_t sequence, uint64_t bytes);
  // Says that nothing refers to the object, and that nothing will.
  void Abandon(uint64_t object);
  // Says that it is unknown if the log has the reference. The object is then kept until the next open.
  void Keep(uint64_t object);

  // The next functions are called on the folder's thread, after a commit. Stored says that a row in the data file now
  // refers to the object. Removed says that no row refers to the object any more.
  void Stored(uint64_t object);
  void Removed(uint64_t object, Bytes prefix);
  // Says that every write up to `sequence` is in the data file.
  void FoldedThrough(uint64_t sequence);
  bool AnyToSweep() const;
  // Returns an object to sweep. Nothing refers to it, nobody reads it, and from now on Pin returns false for it.
  std::optional<Loose> NextToSweep();
  void Swept(uint64_t object);
  // True if objects with many bytes, or any object of an earlier process, wait for a fold. Then the memtable should be
  // folded, because the fold decides which objects must be swept.
  bool WantsFold() const;

  // Keeps the pieces of an object until Unpin. Returns false if they are being swept already.
  bool Pin(uint64_t object);
  void Unpin(uint64_t object);

  // Returns the number of entries.
  size_t count() const;

 private:
  static constexpr uint64_t kUploading = ~uint64_t{0};
  struct Entry {
    Bytes prefix;
    uint64_t until = kUploading;  // The object may be swept when everything up to this number is folded.
    uint64_t bytes = 0;
    bool sweeping = false;
  };

  bool MayBeSwept(uint64_t object, const Entry& entry) const WR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<uint64_t, Entry> entries_ WR_GUARDED_BY(mutex_);
  std::map<uint64_t, size_t> pins_ WR_GUARDED_BY(mutex_);
  uint64_t folded_ WR_GUARDED_BY(mutex_) = 0;
};

}  // namespace widerow
