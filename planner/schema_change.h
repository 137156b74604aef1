#pragma once

#include <cstdint>
#include <string>

namespace widerow {

// One change of the schema: the fields of a schema change event, native protocol v4 section 4.2.5.5.
struct SchemaChange {
  enum class Kind : uint8_t { kCreated, kUpdated, kDropped };
  enum class Target : uint8_t { kKeyspace, kTable, kType, kFunction, kAggregate };
  Kind kind = Kind::kCreated;
  Target target = Target::kKeyspace;
  std::string keyspace, name;  // `name` is empty for a keyspace.
};

}  // namespace widerow
