// The figures that rules compare with. docs/operate/advise.md gives their sources.
#pragma once

#include <cstdint>

namespace widerow::advise {

// Fewer rows say nothing about the distribution.
inline constexpr uint64_t kRowsToJudge = 1'000;

inline constexpr uint64_t kPartitionBytesWarn = 100'000'000;
inline constexpr uint64_t kPartitionBytesCritical = 10'000'000'000;
inline constexpr uint64_t kPartitionRowsWarn = 100'000;
inline constexpr uint64_t kMapEntryBytesMax = 100'000'000'000;  // For KEY and HASH partitions.

inline constexpr uint64_t kRowBytesWarn = 1'000'000;
inline constexpr uint64_t kValueBytesWarn = 1'000'000;
inline constexpr uint64_t kKeyBytesRecommended = 1'024;
inline constexpr uint64_t kElementsWarn = 200;
inline constexpr uint64_t kColumnsWarn = 50;
inline constexpr uint32_t kKeyColumnsRecommended = 3;
inline constexpr uint32_t kKeyColumnsWarn = 6;

inline constexpr uint64_t kFewKeys = 64;  // A table with at most this number of partition keys has few.
inline constexpr double kVeryFewKeys = 10;
inline constexpr uint64_t kRowsToCount = 10'000;     // Rows that show the number of values of any key.
inline constexpr uint64_t kRowsOfEnumeration = 200;  // Of a key whose name is that of an enumeration.
inline constexpr double kRowsPerFewKey = 100;        // Fewer rows per key on average are no problem.
inline constexpr double kSkewedShare = 0.10;         // Share of all rows under one key.
inline constexpr double kSkewedShareCritical = 0.25;
inline constexpr double kSkewedTimesMean = 2.5;
inline constexpr double kGiantTimesMean = 50;  // One of many keys is this many times larger than the mean.
inline constexpr uint64_t kGiantRows = 10'000;

inline constexpr double kTailShare = 0.8;  // Share of the newest tenth of rows in the last tenth of the key range.
inline constexpr int64_t kImportMicros = 7'200'000'000;  // Rows written within two hours count as an import.
inline constexpr size_t kFewEnds = 4;          // Values before a time in the key: as many places take all writes.
inline constexpr double kSlowRowsPerDay = 20;  // Fewer rows a day make no place hot.
inline constexpr double kSlowRowsOfDay = 100;  // Likewise for the rows of one date in a table in key order.

inline constexpr double kSequentialShare = 0.5;                 // Share of writes beyond all earlier keys.
inline constexpr double kHotWrites = 1'000, kHotReads = 3'000;  // Operations a second on one partition.

inline constexpr uint64_t kCommonPrefixBytes = 3;
inline constexpr uint32_t kPartitionsMax = 997;
inline constexpr uint32_t kPartitionsMin = 23;

inline constexpr uint64_t kCallsToJudge = 10;
inline constexpr uint64_t kSmallTableRows = 500;  // A scan of fewer rows does no harm.
inline constexpr uint64_t kPartitionsNamedWarn = 20;
inline constexpr double kExaminedPerReturned = 10;

}  // namespace widerow::advise
