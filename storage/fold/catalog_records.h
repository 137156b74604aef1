// Keys and parts of the records of the meta database, for catalog_load.cc and catalog_store.cc.
#pragma once

#include <concepts>
#include <optional>

#include "storage/fold/catalog_store.h"

namespace widerow::catalog {

// The first byte of a key of the meta database. The byte is stored, so never change a letter. Each comment says what
// follows the byte in the key. A number in parentheses is a size in bytes.
enum class MetaKind : char {
  kFormatVersion = 'F',
  kSchemaVersion = 'V',
  kKeyspace = 'K',  // name
  kTable = 'T',     // keyspace, 00, name
  kRole = 'A',      // name
  kNextStorageId = 'N',
  kLastTimestamp = 'M',
  kNextChildId = 'C',
  kDatabaseId = 'I',
  kLogId = 'J',
  kCounters = 'S',           // storage id (4), partition id (4)
  kRetired = 'R',            // storage id (4)
  kRetiredExtent = 'X',      // storage id (4), hash of the bounds (8)
  kEarliestPurgeable = 'G',  // storage id (4)
  kPendingDeletion = 'D',    // sequence (8)
  kFoldedThrough = 'L',
  kNewestTombstone = 'Z',  // storage id (4)
  kLooseObject = 'U',      // object (8)
  kNote = 'H',             // The note's key. ReadMeta leaves notes out.
};

inline Bytes KeyOf(MetaKind kind, ByteView rest = {}) { return Bytes(1, static_cast<char>(kind)) + Bytes(rest); }

template <std::integral T>
Bytes Fixed(T value) {
  Bytes out;
  AppendBigEndian(out, value);
  return out;
}

// Takes a number from the beginning of `in`. False if `in` is too short.
template <std::integral T>
bool TakeFixed(ByteView& in, T& value) {
  if (in.size() < sizeof(T)) return false;
  value = ReadBigEndian<T>(in.data());
  in.remove_prefix(sizeof(T));
  return true;
}

// Returns the record of a retired extent, without a checksum. It is the length of `begin` as a varint, `begin`, and
// `end`.
Bytes ExtentRecord(const KeyExtent& extent);
// nullopt if the record is damaged.
std::optional<KeyExtent> TakeExtent(ByteView key_rest, ByteView record);

}  // namespace widerow::catalog
