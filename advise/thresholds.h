// The figures that rules compare with. docs/operate/advise.md gives their sources.
#pragma once

#include <cstdint>

namespace widerow::advise {

// With fewer rows, most rules say nothing about the distribution of the rows.
inline constexpr uint64_t kRowsToJudge = 1'000;

inline constexpr uint64_t kPartitionBytesWarn = 100'000'000;
inline constexpr uint64_t kPartitionBytesCritical = 10'000'000'000;
inline constexpr uint64_t kPartitionRowsWarn = 100'000;
inline constexpr uint64_t kMapEntryBytesMax = 100'000'000'000;  // The largest size of a KEY or HASH partition.

inline constexpr uint64_t kRowBytesWarn = 1'000'000;
inline constexpr uint64_t kValueBytesWarn = 1'000'000;
inline constexpr uint64_t kKeyBytesRecommended = 1'024;
inline constexpr uint64_t kElementsWarn = 200;
inline constexpr uint64_t kColumnsWarn = 50;
inline constexpr uint32_t kKeyColumnsRecommended = 3;
inline constexpr uint32_t kKeyColumnsWarn = 6;

inline constexpr uint64_t kFewKeys = 64;             // A table with at most this number of partition keys has few keys.
inline constexpr double kVeryFewKeys = 10;           // At most this many keys can be judged below kRowsToCount rows.
inline constexpr uint64_t kRowsToCount = 10'000;     // With this number of rows, any key can be judged.
inline constexpr uint64_t kRowsOfEnumeration = 200;  // Enough rows to judge a key with a name like "status".
inline constexpr double kRowsPerFewKey = 100;        // With fewer rows per key on average, few keys are no fault.
inline constexpr double kSkewedShare = 0.10;         // If one key has this share of all rows, the keys are skewed.
inline constexpr double kSkewedShareCritical = 0.25;
inline constexpr double kSkewedTimesMean = 2.5;
inline constexpr double kGiantTimesMean = 50;  // A key with this many times the mean number of rows is skewed too.
inline constexpr uint64_t kGiantRows = 10'000;

inline constexpr double kTailShare = 0.8;  // Writes go to one end if this share of the newest tenth of rows is there.
inline constexpr int64_t kImportMicros = 7'200'000'000;  // Rows written within two hours count as an import.
inline constexpr size_t kFewEnds = 4;          // Writes that go to at most this many places in the keys are a fault.
inline constexpr double kSlowRowsPerDay = 20;  // A table with fewer new rows a day has no hot spot.
inline constexpr double kSlowRowsOfDay = 100;  // In a table in key order, a date with fewer rows is no hot spot.

// Writes are sequential if this share of them goes beyond all earlier keys.
inline constexpr double kSequentialShare = 0.5;
inline constexpr double kHotWrites = 1'000, kHotReads = 3'000;  // Operations a second on a hot partition.

inline constexpr uint64_t kCommonPrefixBytes = 3;
inline constexpr uint32_t kPartitionsMax = 997;
inline constexpr uint32_t kPartitionsMin = 23;

inline constexpr uint64_t kCallsToJudge = 10;
inline constexpr uint64_t kSmallTableRows = 500;  // A scan of fewer rows does no harm.
inline constexpr uint64_t kPartitionsNamedWarn = 20;
inline constexpr double kExaminedPerReturned = 10;

}  // namespace widerow::advise
