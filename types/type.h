// CQL types as immutable shared values. A Type describes the shape; bytes, text, order and JSON of its values each have
// a file in this folder. In all of Widerow a value is the native protocol's bytes (v4 section 6), and null is an absent
// optional. Thread-safe: a Type never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace widerow {

enum class TypeKind : uint8_t {
  // These numbers are stored in catalogs: append, never renumber.
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
  bool frozen = false;                   // For collections and UDTs. Tuples and vectors are always frozen.
  std::vector<TypePtr> arguments;        // list, set, vector: 1; map: 2; tuple and UDT: one per field.
  std::string keyspace, name;            // UDT only.
  std::vector<std::string> field_names;  // UDT only, one per argument.
  uint32_t dimension = 0;                // vector only, ≥ 1.
  std::optional<uint32_t> bytes_max;     // varbinary(n) and longblob, which drivers see as blob; checked on write.

  bool is_collection() const { return kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kMap; }
  // True if a value is stored as one cell per element or field, each with its own timestamp.
  bool is_multi_cell() const { return (is_collection() || kind == TypeKind::kUdt) && !frozen; }
};

using Value = std::optional<Bytes>;         // Owned; nullopt = null.
using ValueView = std::optional<ByteView>;  // Borrowed.

// Returns the shared Type of a scalar kind. WR_CHECKs that `kind` is scalar.
const TypePtr& ScalarType(TypeKind kind);
TypePtr ListType(TypePtr element, bool frozen = false);
TypePtr SetType(TypePtr element, bool frozen = false);
TypePtr MapType(TypePtr key, TypePtr value, bool frozen = false);
TypePtr TupleType(std::vector<TypePtr> fields);
TypePtr VectorType(TypePtr element, uint32_t dimension);
// Returns the type as frozen or not frozen at the top level; inner types are unchanged. Tuples and vectors stay frozen.
TypePtr WithFrozen(const TypePtr& type, bool frozen);

// Returns the text that Cassandra's schema tables show, such as "map<text, frozen<list<int>>>". For a UDT it is the
// name, quoted if necessary.
std::string TypeText(const Type& type);
// True if the types have the same shape and, for UDTs, the same keyspace, name and fields. `frozen` counts at every
// level; bytes_max does not.
bool SameType(const Type& a, const Type& b);
// Returns kText for "text" and "varchar", …; nullopt for other names. Case-insensitive.
std::optional<TypeKind> ScalarKindFromName(std::string_view name);
// Returns the size of a non-null value of a fixed-size type; 0 for types of variable size.
size_t FixedSize(TypeKind kind);
// Returns `name` as CQL prints it: quoted unless it is a plain lower-case identifier that is not reserved.
std::string QuoteIdentifier(std::string_view name);
// Returns the name of a user-defined type as CQL prints it. Unlike QuoteIdentifier, it also quotes the names of native
// types, and words that are names of types only in quotes: "int", "ttl".
std::string QuoteTypeName(std::string_view name);

}  // namespace widerow
