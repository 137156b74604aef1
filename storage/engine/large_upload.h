// The writer and the reader of a large object (storage/large_object.h). LmdbEngine makes them and must outlive them.
#pragma once

#include <atomic>

#include "storage/large_object.h"

namespace widerow {

class LmdbEngine;

// Numbers of objects and bytes since the engine was opened.
struct LargeCounters {
  std::atomic<uint64_t> objects_written{0}, bytes_written{0}, bytes_read{0};
};

// Gathers kGatheredPieces pieces, and stores them in one transaction on the folder's thread.
class LmdbLargeUpload final : public LargeUpload {
 public:
  static constexpr size_t kGatheredPieces = 16;

  LmdbLargeUpload(LmdbEngine& engine, Bytes partition_prefix);
  ~LmdbLargeUpload() override;

  Status Append(ByteView bytes) override;
  Result<LargeReference> Finish() override;
  void Settle(const Status& applied) override;
  bool Live() const override;

 private:
  Status Store();

  LmdbEngine& engine_;
  const Bytes partition_prefix_;
  const uint64_t object_;
  Bytes gathered_;
  uint64_t pieces_stored_ = 0, bytes_ = 0;
  bool settled_ = false;
};

class LmdbLargeRead final : public LargeRead {
 public:
  // The object must be pinned. The destructor unpins it.
  LmdbLargeRead(LmdbEngine& engine, ByteView partition_prefix, uint64_t object);
  ~LmdbLargeRead() override;

  Status Read(uint64_t from, size_t count, std::string& out) override;
  // True if the object has pieces.
  Result<bool> Exists();

 private:
  LmdbEngine& engine_;
  const uint64_t object_;
  Bytes prefix_;
};

}  // namespace widerow
