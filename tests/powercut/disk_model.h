// The possible contents of a disk after a power cut. The model reads a trace event by event. At any point it can build
// a directory that a cut at that moment could have left. docs/internals/crash-tests.md describes the model in words. In
// short: - A write to a file is certain after a sync of the file that began after the write and ended well. Before
// that, each of its 512-byte sectors is kept or lost on its own: it has its last certain content, or any content that
// was written later. - Sizes and directory entries change in order, up to any point. A sync of the file makes its size
// certain, a sync of the directory its entries. - If a sync of a file failed, the writes that it should have made
// certain never become certain.
#pragma once

#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "random.h"
#include "trace.h"

namespace widerow::powercut {

// The choice of the uncertain changes that are kept.
enum class Pattern : uint32_t {
  kNothing,      // Only certain data.
  kEverything,   // Keeps every write, as kill -9 does.
  kAllButFirst,  // The oldest uncertain write of all files is lost.
  kOnlyLast,     // Only the newest is kept.
  kInOrder,      // All up to one, which is torn; none after it.
  kWrites,       // Whole writes, at random.
  kSectors,      // Sectors, at random.
};
inline constexpr uint32_t kPatterns = 7;
const char* PatternName(Pattern pattern);

class DiskModel {
 public:
  void Apply(const Event& event);
  // Writes the files into `directory`, which must be empty.
  void Build(Pattern pattern, Random random, const std::filesystem::path& directory) const;
  // Returns the number of uncertain changes at this moment, of files and directories.
  size_t pending() const;

 private:
  static constexpr size_t kChunkBytes = 65'536;
  static constexpr uint64_t kSectorBytes = 512;

  struct Change {
    uint64_t index = 0;  // The event's number.
    EventKind kind{};
    uint64_t offset = 0, length = 0;  // kResize: length is the new size.
    std::string_view bytes;           // kWrite
    bool certain = false, poisoned = false;
  };
  struct File {
    std::vector<std::unique_ptr<std::array<char, kChunkBytes>>> chunks;  // Certain data; null: zeros.
    uint64_t size = 0;
    std::deque<Change> changes;
  };
  struct EntryChange {
    uint64_t index = 0;
    EventKind kind{};
    std::string path, target;  // `target`: the new path of a rename.
    uint32_t node = 0;
    bool certain = false;
  };
  using Entries = std::map<std::string, uint32_t>;  // Node 0 is a directory.
  struct SyncUnderWay {
    uint64_t begun = 0;
    SyncScope scope{};
    uint32_t node = 0;
    std::string directory;
  };
  struct Choice;
  struct FilePlan;

  void EndSync(const SyncUnderWay& sync, bool failed);
  void Settle(File& file);
  void SettleEntries();
  static void Store(File& file, const Change& change);
  static void ApplyEntry(Entries& entries, const EntryChange& change);
  Entries ChooseEntries(Pattern pattern, Random& random) const;
  static FilePlan PlanFile(const File& file, const Choice& choice, Random& random);
  static uint64_t FillFile(const File& file, const FilePlan& plan, char* image);
  void BuildFile(uint32_t node, const Choice& choice, Random& random, const std::filesystem::path& path) const;

  uint64_t index_ = 0;
  std::map<uint32_t, File> files_;
  Entries entries_;
  std::deque<EntryChange> entry_changes_;
  std::map<uint64_t, SyncUnderWay> syncs_;
};

}  // namespace widerow::powercut
