// The kinds of damage to the files of a data directory, and a function that does the damage.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace widerow::damage {

using Random = std::mt19937_64;

enum class Harm {
  kFlippedBit,     // One bit of data.mdb is flipped.
  kFlippedInHead,  // One bit in the first 64 bytes of a page of data.mdb is flipped.
  kFlippedInMeta,  // One bit of LMDB's meta pages, the first two pages of data.mdb, is flipped.
  kGarbage,        // 1 to 512 bytes of data.mdb become random bytes.
  kZeroedSector,   // 512 bytes of data.mdb become zeros.
  kZeroedPage,     // 4,096 bytes of data.mdb become zeros.
  kGarbagePage,    // 4,096 bytes of data.mdb become random bytes.
  kMisplacedPage,  // A page of data.mdb has the content of another one.
  kOldPage,        // A page of data.mdb has its content of an earlier time, as if the disk had lost a write.
  kTruncated,      // data.mdb is cut off at some length.
  kLostData,       // data.mdb is removed.
  kFlippedInLog,   // One bit of a file of the commit log is flipped.
  kZeroedInLog,    // 512 bytes of a file of the commit log become zeros.
  kTruncatedLog,   // A file of the commit log is cut off at some length.
  kLostSegment,    // A file of the commit log is removed.
  kLostList,       // The list of the log's files is removed.
  kLostLog,        // The directory of the commit log is removed.
  kLostLockFiles,  // widerow.lock and lock.mdb are removed.
  kOldState,       // LMDB's meta page of the newest commit is replaced by an older one, so this commit is lost.
  kOldData,        // data.mdb is replaced by the whole file of an earlier time.
  kOldLog,         // The commit log is replaced by the whole log of an earlier time.
  kSwappedLog,     // Two files of the commit log have exchanged their names.
};
inline constexpr int kHarmsToPages = 9;  // The first 9 values of Harm damage pages of data.mdb.
inline constexpr int kHarms = 22;
const char* NameOf(Harm harm);

// Damages the directory, a copy of `sample`. OlderFile(sample) and OlderLog(sample) are its files at an earlier time.
// Returns the damaged place for messages.
std::string Inflict(Harm harm, const std::filesystem::path& directory, const std::filesystem::path& sample,
                    Random& random);

}  // namespace widerow::damage
