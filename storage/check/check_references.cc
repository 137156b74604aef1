#include "storage/check/check_references.h"

#include "base/text.h"
#include "storage/format/key_codec.h"
#include "storage/large/pieces.h"
#include "storage/memtable/row_parts.h"

namespace widerow {
namespace {

// Returns how many bytes of the object can be read before the first missing or damaged piece.
uint64_t BytesOf(lmdb::TxnRef txn, ByteView partition_prefix, const LargeReference& reference,
                 const PieceSizes& logged) {
  Bytes prefix;
  AppendPiecePrefix(partition_prefix, reference.object, prefix);
  const auto in_log = logged.find(reference.object);
  uint64_t bytes = 0;
  for (uint64_t number = 0; bytes < reference.bytes; ++number) {
    const Result<std::optional<ByteView>> piece = ReadPiece(txn, prefix, number);
    if (!piece.ok()) return bytes;
    if (piece->has_value()) {
      bytes += (*piece)->size();
    } else if (in_log != logged.end() && in_log->second.contains(number)) {
      bytes += in_log->second.at(number);
    } else {
      return bytes;
    }
  }
  return bytes;
}

}  // namespace

void CheckReferences(lmdb::TxnRef txn, const Memtable& memtable, const LiveTables& tables, const PieceSizes& logged,
                     CheckReport& report) {
  for (const Memtable::Node* node = memtable.first(); node != nullptr; node = node->next()) {
    const ByteView key = node->key();
    const size_t prefix_size = PartitionPrefixSize(key);
    const TableColumns* columns = FindLive(tables, key.substr(0, prefix_size));
    const Memtable::Version* version = node->VersionAt(~uint64_t{0});
    RowFragment row;
    if (columns == nullptr || version == nullptr || version->tombstones() != nullptr ||
        !WholeRow(*columns, *version, row)) {
      continue;
    }
    for (const Cell& cell : row.cells) {
      LargeReference reference;
      if (!cell.large || !DecodeLargeReference(cell.value, reference)) continue;
      const uint64_t bytes = BytesOf(txn, key.substr(0, prefix_size), reference, logged);
      if (bytes == reference.bytes) continue;
      report.Add(StrCat(columns->table()->keyspace, ".", columns->table()->name, ", key 0x", ToHex(key)),
                 StrCat("the large value of a write in the commit log has ", bytes, " bytes in pieces instead of ",
                        reference.bytes),
                 Bytes(key), true);
    }
  }
}

}  // namespace widerow
