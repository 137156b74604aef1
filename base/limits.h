// Hard bounds: what no option changes. Numbers an operator can turn live in server/config.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace widerow::limits {

// Cassandra's bound on a whole serialized partition key, and on a whole clustering.
inline constexpr size_t kKeyBytesMax = 65'535;
// Debian's LMDB is built with 511-byte keys.
inline constexpr size_t kLmdbKeyBytesMax = 511;
// A statement's text; longer ones are refused before they are parsed.
inline constexpr size_t kStatementBytesMax = 16u << 20;
// Words and symbols in one statement: its syntax tree takes up to a kilobyte for each.
inline constexpr size_t kStatementTokensMax = 500'000;
// How deep terms, types and filters may nest in one statement.
inline constexpr size_t kNestingMax = 100;
// Largest TTL, 20 years in seconds, as in Cassandra.
inline constexpr int64_t kTtlSecondsMax = 630'720'000;
// Cursors that one SELECT may hold open: products of IN lists.
inline constexpr size_t kFanOutMax = 1'024;
inline constexpr uint64_t kPartitionsMax = 8'192;  // That a table may declare.
// One page of results; also what an unpaged SELECT may return in all (Cassandra's largest frame).
inline constexpr size_t kPageBytesMax = 256u << 20;
inline constexpr size_t kPageBytesSoft = 16u << 20;  // A page ends early when it has grown to this size.
inline constexpr size_t kIdentifierBytesMax = 222;  // Cassandra 5: keyspace and table names.

}  // namespace widerow::limits
