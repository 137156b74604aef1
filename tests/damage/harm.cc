#include "tests/damage/harm.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "storage/lmdb/page_layout.h"
#include "tests/damage/sample.h"

namespace widerow::damage {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kPageBytes = 4'096, kSectorBytes = 512, kHeadBytes = 64, kMetaBytes = 320;

uint64_t Below(Random& random, uint64_t end) { return random() % end; }

// A file whose bytes are changed in place.
class File {
 public:
  explicit File(const fs::path& path) : fd_(open(path.c_str(), O_RDWR | O_CLOEXEC)), bytes_(fs::file_size(path)) {
    if (fd_ < 0) Die("cannot open " + path.string());
  }
  ~File() { close(fd_); }
  uint64_t bytes() const { return bytes_; }
  uint64_t pages() const { return bytes_ / kPageBytes; }

  std::string Read(uint64_t at, uint64_t bytes) const {
    std::string content(std::min(bytes, bytes_ - at), '\0');
    if (pread(fd_, content.data(), content.size(), static_cast<off_t>(at)) < 0) Die("cannot read");
    return content;
  }
  void Write(uint64_t at, const std::string& content) const {
    if (pwrite(fd_, content.data(), content.size(), static_cast<off_t>(at)) < 0) Die("cannot write");
  }
  void Flip(uint64_t at, Random& random) const {
    std::string byte = Read(at, 1);
    byte[0] = static_cast<char>(byte[0] ^ (1 << Below(random, 8)));
    Write(at, byte);
  }
  void Zero(uint64_t at, uint64_t bytes) const { Write(at, std::string(std::min(bytes, bytes_ - at), '\0')); }
  void Garble(uint64_t at, uint64_t bytes, Random& random) const {
    std::string content(std::min(bytes, bytes_ - at), '\0');
    for (char& byte : content) byte = static_cast<char>(random());
    Write(at, content);
  }

 private:
  const int fd_;
  const uint64_t bytes_;
};

std::vector<fs::path> Segments(const fs::path& directory) {
  std::vector<fs::path> segments;
  for (const auto& entry : fs::directory_iterator(directory / "log")) {
    if (entry.path().filename().string().starts_with("segment-")) segments.push_back(entry.path());
  }
  std::sort(segments.begin(), segments.end());
  if (segments.empty()) Die("the log has no segments");
  return segments;
}

fs::path RandomSegment(const fs::path& directory, Random& random) {
  const std::vector<fs::path> segments = Segments(directory);
  return segments[Below(random, segments.size())];
}

std::string SwapSegments(const fs::path& directory, Random& random) {
  const std::vector<fs::path> segments = Segments(directory);
  const fs::path &one = segments[Below(random, segments.size())], &other = segments[Below(random, segments.size())];
  if (one == other) return "nothing";
  fs::rename(one, directory / "log" / "swapped");
  fs::rename(other, one);
  fs::rename(directory / "log" / "swapped", other);
  return one.filename().string() + " and " + other.filename().string();
}

std::string At(uint64_t offset) { return "offset " + std::to_string(offset); }

// Replaces a page by its content in `older`, an earlier copy of the file. Chooses a page that differs in the two files.
uint64_t Age(const File& file, const fs::path& older, Random& random) {
  const File before(older);
  for (int tries = 0; tries < 10'000; ++tries) {
    const uint64_t at = (2 + Below(random, before.pages() - 2)) * kPageBytes;
    const std::string old = before.Read(at, kPageBytes);
    if (at + kPageBytes > file.bytes() || file.Read(at, kPageBytes) == old) continue;
    file.Write(at, old);
    return at;
  }
  Die("no page has changed");
}

// LMDB has two meta pages at the beginning of the file. Replaces the one of the newest commit by an older one, so that
// this commit is lost.
uint64_t AgeState(const File& file, const fs::path& older) {
  const File before(older);
  const auto commit = [](const File& from, uint64_t page) {
    const std::string content = from.Read(page * kPageBytes + lmdb::PageView::kHeaderBytes, lmdb::MetaView::kBytes);
    return lmdb::MetaView(content.data()).commit();
  };
  const uint64_t newest = commit(file, 0) > commit(file, 1) ? 0 : 1;
  if (commit(before, newest) >= commit(file, 1 - newest)) Die("the older state is too new");
  file.Write(newest * kPageBytes, before.Read(newest * kPageBytes, kPageBytes));
  return newest * kPageBytes;
}

std::string HarmData(Harm harm, const fs::path& path, const fs::path& older, Random& random) {
  const File file(path);
  const uint64_t page = Below(random, file.pages()) * kPageBytes;
  uint64_t at = page;
  switch (harm) {
    case Harm::kFlippedBit: file.Flip(at = Below(random, file.bytes()), random); break;
    case Harm::kFlippedInHead: file.Flip(at = page + Below(random, kHeadBytes), random); break;
    case Harm::kFlippedInMeta: file.Flip(at = Below(random, 2) * kPageBytes + Below(random, kMetaBytes), random); break;
    case Harm::kGarbage: file.Garble(at = Below(random, file.bytes()), 1 + Below(random, kSectorBytes), random); break;
    case Harm::kZeroedSector:
      file.Zero(at = Below(random, file.bytes() / kSectorBytes) * kSectorBytes, kSectorBytes);
      break;
    case Harm::kZeroedPage: file.Zero(page, kPageBytes); break;
    case Harm::kGarbagePage: file.Garble(page, kPageBytes, random); break;
    case Harm::kMisplacedPage: file.Write(page, file.Read(Below(random, file.pages()) * kPageBytes, kPageBytes)); break;
    case Harm::kOldPage: at = Age(file, older, random); break;
    case Harm::kOldState: at = AgeState(file, older); break;
    default: Die("not damage to data.mdb");
  }
  return At(at);
}

std::string HarmLog(Harm harm, const fs::path& segment, Random& random) {
  uint64_t at = 0;
  if (harm == Harm::kTruncatedLog) {
    at = Below(random, fs::file_size(segment));
    fs::resize_file(segment, at);
  } else if (harm == Harm::kLostSegment) {
    fs::remove(segment);
  } else {
    const File file(segment);
    // Most of a segment has no records yet, so its beginning is damaged more often.
    at = Below(random, Below(random, 2) == 0 ? file.bytes() : std::min<uint64_t>(file.bytes(), 32'768));
    if (harm == Harm::kFlippedInLog) file.Flip(at, random);
    if (harm == Harm::kZeroedInLog) file.Zero(at / kSectorBytes * kSectorBytes, kSectorBytes);
  }
  return segment.filename().string() + ", " + At(at);
}

}  // namespace

const char* NameOf(Harm harm) {
  switch (harm) {
    case Harm::kFlippedBit: return "flipped bit";
    case Harm::kFlippedInHead: return "flipped bit in a page's head";
    case Harm::kFlippedInMeta: return "flipped bit in the file's head";
    case Harm::kGarbage: return "garbage";
    case Harm::kZeroedSector: return "zeroed sector";
    case Harm::kZeroedPage: return "zeroed page";
    case Harm::kGarbagePage: return "garbage page";
    case Harm::kMisplacedPage: return "misplaced page";
    case Harm::kOldPage: return "old page (a lost write)";
    case Harm::kTruncated: return "truncated data.mdb";
    case Harm::kLostData: return "lost data.mdb";
    case Harm::kFlippedInLog: return "flipped bit in the log";
    case Harm::kZeroedInLog: return "zeroed sector of the log";
    case Harm::kTruncatedLog: return "truncated segment";
    case Harm::kLostSegment: return "lost segment";
    case Harm::kLostList: return "lost list of segments";
    case Harm::kLostLog: return "lost log";
    case Harm::kLostLockFiles: return "lost lock files";
    case Harm::kOldState: return "lost last commit of data.mdb";
    case Harm::kOldData: return "data.mdb of an earlier time";
    case Harm::kOldLog: return "log of an earlier time";
    case Harm::kSwappedLog: return "swapped segments";
  }
  return "";
}

std::string Inflict(Harm harm, const fs::path& directory, const fs::path& sample, Random& random) {
  const fs::path data = directory / "data.mdb";
  switch (harm) {
    case Harm::kTruncated: {
      const uint64_t left = Below(random, fs::file_size(data));
      fs::resize_file(data, left);
      return At(left);
    }
    case Harm::kLostData: fs::remove(data); return "the file";
    case Harm::kFlippedInLog:
    case Harm::kZeroedInLog:
    case Harm::kTruncatedLog:
    case Harm::kLostSegment: return HarmLog(harm, RandomSegment(directory, random), random);
    case Harm::kLostList: fs::remove(directory / "log" / "list"); return "the file";
    case Harm::kLostLog: fs::remove_all(directory / "log"); return "the directory";
    case Harm::kLostLockFiles:
      fs::remove(directory / "widerow.lock");
      fs::remove(directory / "lock.mdb");
      return "the files";
    case Harm::kOldData:
      fs::copy_file(OlderFile(sample), data, fs::copy_options::overwrite_existing);
      return "the file";
    case Harm::kOldLog:
      fs::remove_all(directory / "log");
      fs::copy(OlderLog(sample), directory / "log", fs::copy_options::recursive);
      return "the directory";
    case Harm::kSwappedLog: return SwapSegments(directory, random);
    default: return HarmData(harm, data, OlderFile(sample), random);
  }
}

}  // namespace widerow::damage
