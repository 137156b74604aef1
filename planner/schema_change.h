// One change of the schema, as drivers are told of it.
#pragma once

#include <cstdint>
#include <string>

namespace widerow {

// The fields of a schema change event: native protocol v4 section 4.2.5.5.
struct SchemaChange {
  enum class Kind : uint8_t { kCreated, kUpdated, kDropped };
  enum class Target : uint8_t { kKeyspace, kTable, kType, kFunction, kAggregate };
  Kind kind = Kind::kCreated;
  Target target = Target::kKeyspace;
  std::string keyspace, name;  // name empty for keyspaces.
};

}  // namespace widerow
