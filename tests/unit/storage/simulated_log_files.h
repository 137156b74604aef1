// A file system in memory that can lose power. After a power cut, each sector that was written and not synced has its
// old content, any version that was written after the last sync, or a mixture of two versions. This is decided for each
// sector by itself. Names that were created or removed and not synced may exist or not. Calls can be made to fail. For
// use by one thread.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "storage/log/log_files.h"

namespace widerow::storage_test {

class SimulatedLogFiles final : public LogFiles {
 public:
  static constexpr size_t kSectorBytes = 512;

  explicit SimulatedLogFiles(uint64_t seed) : random_(seed) {}

  std::error_code MakeDirectory(const std::filesystem::path& directory, bool& created) override;
  std::error_code List(const std::filesystem::path& directory, std::vector<std::string>& names) override;
  std::error_code Open(const std::filesystem::path& file, bool create, std::unique_ptr<LogFile>& out) override;
  std::error_code Remove(const std::filesystem::path& file) override;
  std::error_code SyncDirectory(const std::filesystem::path& directory) override;

  // Simulates a power cut. Files that are open must not be used afterwards.
  void LosePower();

  // Makes the `nth` call from now on fail with `error`; 1 is the next call, and 0 means that no call fails. If
  // `from_then_on`, all later calls fail too. A write that fails has written a part or everything. A sync that fails
  // has made some sectors durable and, as in Linux, will not try the others again.
  void FailAt(size_t nth, std::errc error, bool from_then_on);
  bool has_failed() const { return has_failed_; }
  size_t calls() const { return calls_; }
  size_t syncs() const { return syncs_; }
  size_t writes() const { return writes_; }
  size_t write_backs() const { return write_backs_; }

  // Tests read and damage files by these functions. The damage is durable at once.
  std::vector<std::string> Names() const;
  // Returns Names() without the list of segments.
  std::vector<std::string> Segments() const;
  Bytes Content(const std::string& name) const;
  void Overwrite(const std::string& name, size_t offset, ByteView bytes);
  void Truncate(const std::string& name, size_t bytes);
  void Delete(const std::string& name);
  void Create(const std::string& name, const Bytes& content);

 private:
  friend class SimulatedLogFile;
  struct File {
    Bytes content;  // The content that reads see.
    Bytes durable;
    std::map<size_t, std::vector<Bytes>> unsynced;  // Sector -> its versions since the last sync, oldest first.
  };
  using FilePtr = std::shared_ptr<File>;

  // Counts a call. Returns the error that the call must fail with, if any.
  std::error_code Call();
  size_t Below(size_t bound) { return bound == 0 ? 0 : random_() % bound; }
  static Bytes Sector(const Bytes& content, size_t sector);
  void Write(File& file, size_t offset, ByteView bytes);
  // Sends the file to the disk without making it durable. If this fails, writes may be lost as after a failed sync.
  std::error_code WriteBack(File& file);
  std::error_code DataSync(File& file);
  // Applies a sync to the file. Without an error, the whole file becomes durable. With an error, a part of it does.
  void Keep(File& file, std::error_code error);
  void LosePower(File& file);

  std::mt19937_64 random_;
  std::map<std::string, FilePtr> names_;    // The names that calls see.
  std::map<std::string, FilePtr> durable_;  // The names at the last sync of the directory.
  size_t calls_ = 0, syncs_ = 0, writes_ = 0, write_backs_ = 0;
  size_t fail_at_ = 0;
  bool fail_from_then_on_ = false;
  bool has_failed_ = false;
  std::errc failure_ = std::errc::io_error;
};

}  // namespace widerow::storage_test
