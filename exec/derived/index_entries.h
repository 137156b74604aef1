// The stored form of an index: a table with one row an indexed value and base row, in an order that serves reads.
//   partition key = the value's order encoding (types/order_codec.h); of a map's entries key and value, one after the other
//   clustering    = the base row's stored key behind the storage id: position, partition key, kind, clustering (storage/format/key_codec.h)
// So the entries of one value are in the order of the base table's rows, and those of a range of values lie together. Entries may be
// out of date (their base row has expired, say): whoever finds one reads the base row and looks again.
#pragma once

#include "exec/derived/derivation.h"
#include "storage/mutation.h"

namespace widerow {

DerivationPtr MakeIndexDerivation(const TablePtr& table, const IndexSchema& index);

// The place of a base row in the entries of a value.
Bytes EntryClustering(const TableSchema& base, ByteView partition_key, bool is_static, ByteView clustering);

struct EntryPlace {
  Bytes partition_key;
  bool is_static = false;
  Bytes clustering;
};
// Its inverse. False if `entry` is malformed.
bool TakeEntryPlace(ByteView entry, EntryPlace& place);

// The entries of one base partition.
ClusteringRange EntriesOfPartition(const TableSchema& base, ByteView partition_key);

}  // namespace widerow
