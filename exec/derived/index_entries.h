// The stored form of an index: a table with one row per indexed value and base row, in an order that suits reads.
//   partition key = the value's order encoding (types/order_codec.h); for a map's entries, key and then value
//   clustering    = the base row's stored key without the storage id: position, partition key, kind, clustering
//                   (storage/format/key_codec.h)
// The entries of one value are in the order of the base table's rows, and the entries of a range of values are
// adjacent. An entry may be outdated (for example because its base row has expired), so every reader of an entry checks
// the base row.
//
// In an index of words with text lengths (planner/analyzed.h), each text has one more entry: its term is
// IndexTerms::OfLengths, and the column after the key has the number of words, as an unsigned vint. Texts without words
// have no entries.
//
// In an index on vectors (types/similarity.h), all entries have the same term. So the entries are in the order of the
// base table's rows. The columns after the key contain the code of the vector (types/vector_code.h).
#pragma once

#include "exec/derived/derivation.h"
#include "storage/mutation.h"

namespace widerow {

// The term of all entries of an index on vectors.
inline constexpr ByteView kVectorTerm = "v";

// Returns the derivation of the index on `table`.
DerivationPtr MakeIndexDerivation(const TablePtr& table, const IndexSchema& index);

// Returns the value of a column in a row; null if the row has none, or if the value has expired.
Result<Value> LiveValueOf(const ColumnSchema& column, const BaseRow& row, int64_t now_seconds);

// Returns the clustering of a base row's entry; the value does not affect it.
Bytes EntryClustering(const TableSchema& base, ByteView partition_key, bool is_static, ByteView clustering);

struct EntryPlace {
  Bytes partition_key;
  bool is_static = false;
  Bytes clustering;
};
// Reverses EntryClustering. False if `entry` is malformed.
bool TakeEntryPlace(ByteView entry, EntryPlace& place);

// Returns the range of the entries of one base partition.
ClusteringRange EntriesOfPartition(const TableSchema& base, ByteView partition_key);

}  // namespace widerow
