// kScalarNames is the only list of scalar names; one shared Type exists per scalar kind. TypeText and SameType follow
// the structure of a type recursively.
#include "types/type.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"

namespace widerow {
namespace {

constexpr size_t kKindsMax = 38;

struct ScalarName {
  std::string_view name;
  TypeKind kind;
};
// Sorted by TypeKind. If a kind has several names, the first one is printed.
constexpr ScalarName kScalarNames[] = {
    {"ascii", TypeKind::kAscii},         {"bigint", TypeKind::kBigint},     {"blob", TypeKind::kBlob},
    {"boolean", TypeKind::kBoolean},     {"counter", TypeKind::kCounter},   {"date", TypeKind::kDate},
    {"decimal", TypeKind::kDecimal},     {"double", TypeKind::kDouble},     {"duration", TypeKind::kDuration},
    {"float", TypeKind::kFloat},         {"inet", TypeKind::kInet},         {"int", TypeKind::kInt},
    {"smallint", TypeKind::kSmallint},   {"text", TypeKind::kText},         {"time", TypeKind::kTime},
    {"timestamp", TypeKind::kTimestamp}, {"timeuuid", TypeKind::kTimeuuid}, {"tinyint", TypeKind::kTinyint},
    {"uuid", TypeKind::kUuid},           {"varint", TypeKind::kVarint},     {"varchar", TypeKind::kText},
};

std::array<TypePtr, kKindsMax> MakeScalars() {
  std::array<TypePtr, kKindsMax> scalars;
  for (const ScalarName& scalar : kScalarNames) {
    TypePtr& slot = scalars[static_cast<size_t>(scalar.kind)];
    if (slot == nullptr) slot = std::make_shared<const Type>(Type{.kind = scalar.kind});
  }
  return scalars;
}

TypePtr Composite(TypeKind kind, bool frozen, std::vector<TypePtr> arguments, uint32_t dimension = 0) {
  for (const TypePtr& argument : arguments) WR_CHECK(argument != nullptr);
  Type type;
  type.kind = kind;
  type.frozen = frozen;
  type.arguments = std::move(arguments);
  type.dimension = dimension;
  return std::make_shared<const Type>(std::move(type));
}

std::string_view ScalarNameOf(TypeKind kind) {
  for (const ScalarName& scalar : kScalarNames) {
    if (scalar.kind == kind) return scalar.name;
  }
  return {};
}

std::string ArgumentsText(const Type& type) {
  std::string out = "<";
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    if (i > 0) out += ", ";
    out += TypeText(*type.arguments[i]);
  }
  if (type.kind == TypeKind::kVector) out += ", " + std::to_string(type.dimension);
  return out + ">";
}

std::string ThawedText(const Type& type) {
  switch (type.kind) {
    case TypeKind::kList: return "list" + ArgumentsText(type);
    case TypeKind::kSet: return "set" + ArgumentsText(type);
    case TypeKind::kMap: return "map" + ArgumentsText(type);
    case TypeKind::kTuple: return "tuple" + ArgumentsText(type);
    case TypeKind::kVector: return "vector" + ArgumentsText(type);
    case TypeKind::kUdt: return QuoteTypeName(type.name);
    case TypeKind::kAscii:
    case TypeKind::kBigint:
    case TypeKind::kBlob:
    case TypeKind::kBoolean:
    case TypeKind::kCounter:
    case TypeKind::kDate:
    case TypeKind::kDecimal:
    case TypeKind::kDouble:
    case TypeKind::kDuration:
    case TypeKind::kFloat:
    case TypeKind::kInet:
    case TypeKind::kInt:
    case TypeKind::kSmallint:
    case TypeKind::kText:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimeuuid:
    case TypeKind::kTinyint:
    case TypeKind::kUuid:
    case TypeKind::kVarint: return std::string(ScalarNameOf(type.kind));
  }
  return {};
}

// Cassandra's reserved_keywords.txt, sorted.
constexpr std::string_view kReserved[] = {
    "add",  "allow",        "alter",  "and",          "apply",    "asc",      "authorize",   "batch",   "begin",
    "by",   "columnfamily", "create", "delete",       "desc",     "describe", "drop",        "entries", "execute",
    "from", "full",         "grant",  "if",           "in",       "index",    "infinity",    "insert",  "into",
    "is",   "keyspace",     "limit",  "materialized", "modify",   "nan",      "norecursive", "not",     "null",
    "of",   "on",           "or",     "order",        "primary",  "rename",   "revoke",      "schema",  "select",
    "set",  "table",        "to",     "token",        "truncate", "unlogged", "update",      "use",     "using",
    "view", "where",        "with"};

// Words that CQL takes for something else than a user-defined type if they are not quoted. The names of scalar types
// are in kScalarNames.
constexpr std::string_view kNotTypeNames[] = {"bitstring", "byte",         "cast",     "complex",   "count",
                                              "distinct",  "enum",         "interval", "json",      "longblob",
                                              "macaddr",   "maxwritetime", "ttl",      "varbinary", "writetime"};

bool IsReserved(std::string_view lower_case) {
  return std::binary_search(std::begin(kReserved), std::end(kReserved), lower_case);
}

bool IsPlainIdentifier(std::string_view name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

const TypePtr& ScalarType(TypeKind kind) {
  static const std::array<TypePtr, kKindsMax> scalars = MakeScalars();
  const auto index = static_cast<size_t>(kind);
  WR_CHECK(index < kKindsMax && scalars[index] != nullptr);
  return scalars[index];
}

TypePtr ListType(TypePtr element, bool frozen) { return Composite(TypeKind::kList, frozen, {std::move(element)}); }
TypePtr SetType(TypePtr element, bool frozen) { return Composite(TypeKind::kSet, frozen, {std::move(element)}); }
TypePtr MapType(TypePtr key, TypePtr value, bool frozen) {
  return Composite(TypeKind::kMap, frozen, {std::move(key), std::move(value)});
}
TypePtr TupleType(std::vector<TypePtr> fields) { return Composite(TypeKind::kTuple, true, std::move(fields)); }
TypePtr VectorType(TypePtr element, uint32_t dimension) {
  WR_CHECK(dimension > 0);
  return Composite(TypeKind::kVector, true, {std::move(element)}, dimension);
}

TypePtr WithFrozen(const TypePtr& type, bool frozen) {
  const bool can_thaw = type->is_collection() || type->kind == TypeKind::kUdt;
  if (!can_thaw || type->frozen == frozen) return type;
  Type copy = *type;
  copy.frozen = frozen;
  return std::make_shared<const Type>(std::move(copy));
}

std::string TypeText(const Type& type) {
  const bool shown_frozen =
      type.kind == TypeKind::kTuple || ((type.is_collection() || type.kind == TypeKind::kUdt) && type.frozen);
  return shown_frozen ? "frozen<" + ThawedText(type) + ">" : ThawedText(type);
}

bool SameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.dimension != b.dimension || a.arguments.size() != b.arguments.size()) return false;
  if (a.is_multi_cell() != b.is_multi_cell()) return false;
  if (a.keyspace != b.keyspace || a.name != b.name || a.field_names != b.field_names) return false;
  for (size_t i = 0; i < a.arguments.size(); ++i) {
    if (!SameType(*a.arguments[i], *b.arguments[i])) return false;
  }
  return true;
}

std::optional<TypeKind> ScalarKindFromName(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const ScalarName& scalar : kScalarNames) {
    if (scalar.name == lower) return scalar.kind;
  }
  return std::nullopt;
}

size_t FixedSize(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
    case TypeKind::kTinyint: return 1;
    case TypeKind::kSmallint: return 2;
    case TypeKind::kDate:
    case TypeKind::kFloat:
    case TypeKind::kInt: return 4;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kDouble:
    case TypeKind::kTime:
    case TypeKind::kTimestamp: return 8;
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid: return 16;
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kDecimal:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kText:
    case TypeKind::kVarint:
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kUdt:
    case TypeKind::kVector: return 0;
  }
  return 0;
}

std::string QuoteIdentifier(std::string_view name) {
  if (IsPlainIdentifier(name) && !IsReserved(name)) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string QuoteTypeName(std::string_view name) {
  const bool other_meaning = ScalarKindFromName(name) || std::find(std::begin(kNotTypeNames), std::end(kNotTypeNames),
                                                                   name) != std::end(kNotTypeNames);
  const std::string text = QuoteIdentifier(name);
  return other_meaning && text == name ? '"' + text + '"' : text;
}

}  // namespace widerow
