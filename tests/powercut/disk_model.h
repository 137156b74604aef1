// The possible contents of a disk after a power cut. The model reads a trace event by event. At each point it can build
// a directory that a power cut at this moment could have left. docs/internals/crash-tests.md describes the model. Its
// rules are:
//
// - A write becomes certain by a sync of the file that began after the write and succeeded. Until then, each of its
//   sectors of 512 bytes is kept or lost by itself: it has its last certain content, or any content that was written
//   later.
// - Changes of a file's size are kept in order, up to any point. Changes of directory entries are kept in order, up to
//   any point, or each by itself; but changes of one name are always kept in order. A sync of a file makes its size
//   certain. A sync of a directory makes its entries certain.
// - If a sync fails, the writes that it should have made certain never become certain.
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

// The uncertain changes that a state keeps.
enum class Pattern : uint32_t {
  kNothing,      // All uncertain changes are lost.
  kEverything,   // All are kept, as after kill -9.
  kAllButFirst,  // Of the uncertain writes, only the oldest one is lost.
  kOnlyLast,     // Of the uncertain writes, only the newest one is kept.
  kInOrder,      // The changes of files before a chosen write are kept. This write is torn, and later ones are lost.
  kWrites,       // Random writes are kept, each as a whole.
  kSectors,      // Random sectors are kept.
};
inline constexpr uint32_t kPatterns = 7;
const char* PatternName(Pattern pattern);

class DiskModel {
 public:
  void Apply(const Event& event);
  // Writes the files of a state into `directory`, which must be empty.
  void Build(Pattern pattern, Random random, const std::filesystem::path& directory) const;
  // Returns the number of changes of files and directories that are uncertain at this moment.
  size_t pending() const;

 private:
  static constexpr size_t kChunkBytes = 65'536;
  static constexpr uint64_t kSectorBytes = 512;

  struct Change {
    uint64_t index = 0;  // The number of the event.
    EventKind kind{};
    uint64_t offset = 0, length = 0;  // For kResize, `length` is the new size.
    std::string_view bytes;           // For kWrite: the written bytes.
    bool certain = false, poisoned = false;
  };
  struct File {
    // The certain bytes of the file. A null pointer stands for zeros.
    std::vector<std::unique_ptr<std::array<char, kChunkBytes>>> chunks;
    uint64_t size = 0;
    std::deque<Change> changes;
  };
  struct EntryChange {
    uint64_t index = 0;
    EventKind kind{};
    std::string path, target;  // `target` is the new path of a rename.
    uint32_t node = 0;
    bool certain = false;
  };
  // Maps a path to the number of the file. Number 0 stands for a directory.
  using Entries = std::map<std::string, uint32_t>;
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
