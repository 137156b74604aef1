// CQL types as immutable shared values. A Type knows its shape, not how values look: bytes, text, order and JSON
// have a file each beside this one. Values travel everywhere as the native protocol's bytes (v4 section 6); a null
// is an absent optional. Thread-safe: a Type never changes after it is made.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace widerow {

enum class TypeKind : uint8_t {
  // The numbers are stored in catalogs: append, never renumber.
  kAscii = 1,
  kBigint = 2,
  kBlob = 3,
  kBoolean = 4,
  kCounter = 5,
  kDate = 6,
  kDecimal = 7,
  kDouble = 8,
  kDuration = 9,
  kFloat = 10,
  kInet = 11,
  kInt = 12,
  kSmallint = 13,
  kText = 14,  // varchar is the same type.
  kTime = 15,
  kTimestamp = 16,
  kTimeuuid = 17,
  kTinyint = 18,
  kUuid = 19,
  kVarint = 20,
  kList = 32,
  kSet = 33,
  kMap = 34,
  kTuple = 35,
  kUdt = 36,
  kVector = 37,
};

struct Type;
using TypePtr = std::shared_ptr<const Type>;

struct Type {
  TypeKind kind = TypeKind::kBlob;
  bool frozen = false;                  // Collections and UDTs; tuples and vectors are always frozen.
  std::vector<TypePtr> arguments;       // list, set, vector: 1; map: 2; tuple and UDT: one a field.
  std::string keyspace, name;           // UDT only.
  std::vector<std::string> field_names;  // UDT only, as many as arguments.
  uint32_t dimension = 0;               // vector only, ≥ 1.
  std::optional<uint32_t> bytes_max;    // varbinary(n) and longblob: blob to drivers, length checked on write.

  bool is_collection() const { return kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kMap; }
  // Stored as one cell per element or field, each with its own timestamp.
  bool is_multi_cell() const { return (is_collection() || kind == TypeKind::kUdt) && !frozen; }
};

using Value = std::optional<Bytes>;      // Owned; nullopt = null.
using ValueView = std::optional<ByteView>;  // Borrowed.

// The shared Type of a scalar kind. WR_CHECKs that `kind` is one.
const TypePtr& ScalarType(TypeKind kind);
TypePtr ListType(TypePtr element, bool frozen = false);
TypePtr SetType(TypePtr element, bool frozen = false);
TypePtr MapType(TypePtr key, TypePtr value, bool frozen = false);
TypePtr TupleType(std::vector<TypePtr> fields);
TypePtr VectorType(TypePtr element, uint32_t dimension);
// The same type, frozen (or not) at the top; inner types are untouched.
TypePtr WithFrozen(const TypePtr& type, bool frozen);

// "map<text, frozen<list<int>>>": as Cassandra's schema tables print it. UDT: its name, quoted where needed.
std::string TypeText(const Type& type);
// Same shape and, for a UDT, same keyspace, name and fields. `frozen` counts at every level; bytes_max does not.
bool SameType(const Type& a, const Type& b);
// kText from "text" and "varchar", …; nullopt for anything that is not a scalar's name. Case-insensitive.
std::optional<TypeKind> ScalarKindFromName(std::string_view name);
// Bytes a non-null value of a fixed-size type has; 0 for a variable size.
size_t FixedSize(TypeKind kind);
// `name` as CQL prints it: quoted if it is not a plain lower-case identifier or is reserved.
std::string QuoteIdentifier(std::string_view name);

}  // namespace widerow
