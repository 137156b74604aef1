#include "storage/format/damage.h"

namespace widerow {

std::string OfTable(std::string_view doing, const TableSchema& table) {
  return std::string(doing) + " of " + table.keyspace + "." + table.name;
}

Error DamagedRecord(const TableSchema& table, ByteView key, std::string_view what) {
  return ServerError(
      "Damaged " + std::string(what) + " in table " + table.keyspace + "." + table.name + ", key 0x" + ToHex(key) +
          ": its bytes do not match its checksum or format",
      "the disk or the file may be failing; other rows can still be read, restore this one from a backup");
}

}  // namespace widerow
