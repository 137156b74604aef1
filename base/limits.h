// Hard limits, which no option changes. Numbers that an operator can change are in server/config.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace widerow::limits {

// Cassandra's limit for a whole serialized partition key, and for a whole clustering.
inline constexpr size_t kKeyBytesMax = 65'535;
// The longest key that Debian's LMDB build accepts.
inline constexpr size_t kLmdbKeyBytesMax = 511;
// The greatest size of a longblob.
inline constexpr uint32_t kLongBlobBytesMax = 536'870'912;
// The largest size of a statement's text. Longer texts are refused before they are parsed.
inline constexpr size_t kStatementBytesMax = 16u << 20;
// The most words and symbols in one statement. The syntax tree needs up to a kilobyte for each of them.
inline constexpr size_t kStatementTokensMax = 500'000;
// The greatest nesting depth of terms, types and filters in one statement.
inline constexpr size_t kNestingMax = 100;
// Largest TTL, 20 years in seconds, as in Cassandra.
inline constexpr int64_t kTtlSecondsMax = 630'720'000;
// The largest number of partitions that one statement may read or write because of generated key columns.
inline constexpr size_t kFanOutMax = 1'024;
// The most memory that one write may take until it is in the data file. It includes the changes that the write causes
// in indexes and views.
inline constexpr size_t kWriteMemoryMax = 512u << 20;
// The largest product of the sizes of IN lists in one statement. The product is the number of slices that the statement
// reads, or of rows that it names.
inline constexpr size_t kInProductMax = 1u << 20;
inline constexpr size_t kInBytesMax = 64u << 20;   // The most bytes of keys that IN lists in one statement select.
inline constexpr uint64_t kPartitionsMax = 8'192;  // The most partitions that a table may declare.
// The largest size of a page of results, and of the result of a SELECT without pages (Cassandra's largest frame).
inline constexpr size_t kPageBytesMax = 256u << 20;
inline constexpr size_t kPageBytesSoft = 16u << 20;  // A page ends when it has this size.
inline constexpr size_t kIdentifierBytesMax = 222;   // The longest name of a table, as in Cassandra 5.

}  // namespace widerow::limits
