// Damage to the files of a data directory.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace widerow::damage {

using Random = std::mt19937_64;

enum class Harm {
  kFlippedBit,     // Of data.mdb.
  kFlippedInHead,  // In the first 64 bytes of a page of data.mdb.
  kFlippedInMeta,  // In the records of data.mdb's state, at its beginning.
  kGarbage,        // 1 to 512 bytes of data.mdb.
  kZeroedSector,   // 512 bytes of data.mdb.
  kZeroedPage,     // 4,096 bytes of data.mdb.
  kGarbagePage,    // The same.
  kMisplacedPage,  // A page of data.mdb has the content of another one.
  kOldPage,        // A page of data.mdb has its content of an earlier time, as if the disk had lost a write.
  kTruncated,      // data.mdb loses its end.
  kLostData,       // data.mdb is removed.
  kFlippedInLog,   // One bit of a segment of the log.
  kZeroedInLog,    // 512 bytes of a segment.
  kTruncatedLog,   // A segment loses its end.
  kLostSegment,    // A segment is removed.
  kLostList,       // The log's list of segments is removed.
  kLostLog,        // The log's directory is removed.
  kLostLockFiles,  // widerow.lock and lock.mdb are removed.
};
inline constexpr int kHarmsToPages = 9;  // The first ones.
inline constexpr int kHarms = 18;
const char* NameOf(Harm harm);

// Damages the directory. `older`: its data.mdb of an earlier time. Returns where, for messages.
std::string Inflict(Harm harm, const std::filesystem::path& directory, const std::filesystem::path& older,
                    Random& random);

}  // namespace widerow::damage
