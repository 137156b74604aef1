// Resolves written types with the checks of Cassandra's CQL3Type.Raw. These look at the written form (is it frozen, is
// it a collection?) before any name is looked up. TypeResolver has one function per kind of type, and Resolve() calls
// the right one.
#include "planner/terms/resolve_type.h"

#include <limits>

#include "base/limits.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/terms/class_type.h"
#include "planner/terms/raw_type.h"

namespace widerow {

RawKind KindOf(const TypeName& type) {
  if (type.is_custom_class) return RawKind::kCustom;
  if (type.name.keyspace || type.name.name.quoted) return RawKind::kUdt;
  const std::string& name = type.name.name.text;
  if (type.arguments.empty() && !ScalarKindFromName(name) && name != "varbinary" && name != "longblob") {
    return RawKind::kUdt;  // Without arguments, even `list` is taken for the name of a UDT.
  }
  if (name == "frozen") return RawKind::kFrozen;
  if (name == "list" || name == "set" || name == "map") return RawKind::kCollection;
  if (name == "tuple") return RawKind::kTuple;
  if (name == "vector") return RawKind::kVector;
  if (name == "varbinary" || name == "longblob" || ScalarKindFromName(name)) return RawKind::kScalar;
  return RawKind::kUdt;
}

bool IsScalar(const TypeName& type, TypeKind kind) {
  return KindOf(type) == RawKind::kScalar && ScalarKindFromName(type.name.name.text) == kind;
}

std::string QualifiedTypeText(const TypeName& type, const std::string& keyspace) {
  // Cassandra prints frozen<…> around each UDT and collection that is inside frozen<…> or inside a tuple. It never
  // prints it around a tuple or a vector.
  const auto text = [&](const auto& self, const TypeName& part, bool frozen) -> std::string {
    const RawKind kind = KindOf(part);
    if (kind == RawKind::kFrozen && part.arguments.size() == 1) return self(self, part.arguments[0], true);
    if (kind == RawKind::kCustom) return ClassText(part);
    if (kind == RawKind::kScalar) return Print(part);
    const bool has_frozen_form = kind == RawKind::kUdt || kind == RawKind::kCollection;
    const bool frozen_inside = kind == RawKind::kTuple || (kind == RawKind::kCollection && frozen);
    std::string out = part.name.name.text;
    if (kind == RawKind::kUdt) out = (part.name.keyspace ? part.name.keyspace->text : keyspace) + "." + out;
    for (size_t i = 0; i < part.arguments.size(); ++i) {
      out += (i == 0 ? "<" : ", ") + self(self, part.arguments[i], frozen_inside);
    }
    if (part.number) out += StrCat(", ", *part.number);
    if (!part.arguments.empty()) out += ">";
    return has_frozen_form && frozen ? "frozen<" + out + ">" : out;
  };
  return text(text, type, false);
}

namespace {

class TypeResolver {
 public:
  TypeResolver(const SchemaSnapshot& schema, const std::string& keyspace) : schema_(schema), keyspace_(keyspace) {}

  // Resolves a type. `frozen` is true inside frozen<…> and inside a tuple, whose contents are all frozen.
  Result<TypePtr> Resolve(const TypeName& type, bool frozen) const {
    switch (KindOf(type)) {
      case RawKind::kFrozen: return Frozen(type);
      case RawKind::kCollection: return Collection(type, frozen);
      case RawKind::kTuple: return Tuple(type);
      case RawKind::kVector: return Vector(type);
      case RawKind::kScalar: return Scalar(type);
      case RawKind::kCustom: return Custom(type, frozen);
      case RawKind::kUdt: return Udt(type, frozen);
    }
    return InvalidAt(type.range, "Unknown type " + Print(type));
  }

 private:
  static Status CheckArguments(const TypeName& type, size_t count) {
    if (type.arguments.size() == count) return OkStatus();
    return InvalidAt(type.range, type.name.name.text + " takes " + std::to_string(count) +
                                     (count == 1 ? " type" : " types") + " (got " +
                                     std::to_string(type.arguments.size()) + ")");
  }

  Result<TypePtr> Custom(const TypeName& type, bool frozen) const {
    WR_ASSIGN_OR_RETURN(TypePtr resolved, ResolveClass(type, schema_));
    return frozen ? WithFrozen(resolved, true) : std::move(resolved);
  }

  Result<TypePtr> Frozen(const TypeName& type) const {
    WR_RETURN_IF_ERROR(CheckArguments(type, 1));
    return Resolve(type.arguments[0], true);
  }

  static Status CheckInner(const TypeName& type, const TypeName& inner, bool frozen) {
    const RawKind kind = KindOf(inner);
    if (!frozen && kind == RawKind::kCollection) {
      return InvalidAt(inner.range, "Non-frozen collections are not allowed inside collections: " + Print(type),
                       "write frozen<" + Print(inner) + ">");
    }
    if (!frozen && kind == RawKind::kUdt) {
      return InvalidAt(inner.range, "Non-frozen UDTs are not allowed inside collections: " + Print(type),
                       "write frozen<" + Print(inner) + ">");
    }
    if (IsScalar(inner, TypeKind::kCounter)) {
      const std::string text = frozen ? "frozen<" + Print(type) + ">" : Print(type);
      return InvalidAt(inner.range, "Counters are not allowed inside collections: " + text);
    }
    return OkStatus();
  }

  // Resolves an element of a collection. An element that is a quoted class, such as 'ListType(…)', is frozen although
  // it is written without frozen<>.
  Result<TypePtr> Element(const TypeName& type, bool frozen) const {
    const bool is_class = KindOf(type) == RawKind::kCustom;
    WR_ASSIGN_OR_RETURN(TypePtr element, Resolve(type, frozen || is_class));
    if (!is_class || element->kind != TypeKind::kCounter) return element;
    return InvalidAt(type.range, "Counters are not allowed inside collections: " + ClassText(type));
  }

  Result<TypePtr> Collection(const TypeName& type, bool frozen) const {
    const std::string& name = type.name.name.text;
    WR_RETURN_IF_ERROR(CheckArguments(type, name == "map" ? 2 : 1));
    // As in Cassandra, the type of a map's values is checked before that of its keys.
    for (auto inner = type.arguments.rbegin(); inner != type.arguments.rend(); ++inner) {
      WR_RETURN_IF_ERROR(CheckInner(type, *inner, frozen));
    }
    const TypeName& first = type.arguments[0];
    if (IsScalar(first, TypeKind::kDuration) && name != "list") {
      const char* const rule =
          name == "set" ? "Durations are not allowed inside sets: " : "Durations are not allowed as map keys: ";
      return InvalidAt(first.range, rule + Print(type));
    }
    WR_ASSIGN_OR_RETURN(TypePtr element, Element(first, frozen));
    if (name == "list") return ListType(std::move(element), frozen);
    if (name == "set") return SetType(std::move(element), frozen);
    WR_ASSIGN_OR_RETURN(TypePtr value, Element(type.arguments[1], frozen));
    return MapType(std::move(element), std::move(value), frozen);
  }

  Result<TypePtr> Tuple(const TypeName& type) const {
    std::vector<TypePtr> fields;
    for (const TypeName& field : type.arguments) {
      if (IsScalar(field, TypeKind::kCounter)) {
        return InvalidAt(field.range, "Counters are not allowed inside tuples");
      }
      WR_ASSIGN_OR_RETURN(fields.emplace_back(), Resolve(field, true));
    }
    return TupleType(std::move(fields));
  }

  Result<TypePtr> Vector(const TypeName& type) const {
    WR_RETURN_IF_ERROR(CheckArguments(type, 1));
    const uint64_t dimension = type.number.value_or(0);
    if (dimension == 0) return InvalidAt(type.range, "vectors may only have positive dimensions; given 0");
    if (dimension > std::numeric_limits<int32_t>::max()) {
      return InvalidAt(type.range,
                       "vectors may only have up to 2147483647 dimensions; given " + std::to_string(dimension));
    }
    if (IsScalar(type.arguments[0], TypeKind::kCounter)) {
      return InvalidAt(type.range, "Counters are not allowed inside vectors");
    }
    // The element is not marked as frozen, because Cassandra prints vector<list<int>, 3> as it was written.
    WR_ASSIGN_OR_RETURN(TypePtr element, Resolve(type.arguments[0], false));
    return VectorType(std::move(element), static_cast<uint32_t>(dimension));
  }

  static Result<TypePtr> Scalar(const TypeName& type) {
    const std::string& name = type.name.name.text;
    WR_RETURN_IF_ERROR(CheckArguments(type, 0));
    if (name != "varbinary" && name != "longblob") return ScalarType(*ScalarKindFromName(name));
    Type blob = *ScalarType(TypeKind::kBlob);
    blob.bytes_max = limits::kLongBlobBytesMax;
    if (name == "varbinary") {
      const uint64_t length = type.number.value_or(0);
      if (length == 0 || length > limits::kLongBlobBytesMax) {
        return InvalidAt(type.range, "varbinary takes a length of 1 to 536870912 bytes", "varbinary(1024)");
      }
      blob.bytes_max = static_cast<uint32_t>(length);
    }
    return TypePtr(std::make_shared<const Type>(std::move(blob)));
  }

  Result<TypePtr> Udt(const TypeName& type, bool frozen) const {
    const std::string& owner = type.name.keyspace ? type.name.keyspace->text : keyspace_;
    if (owner != keyspace_ && !keyspace_.empty()) {
      return InvalidAt(type.range, "Statement on keyspace " + keyspace_ + " cannot refer to a user type in keyspace " +
                                       owner + "; user types can only be used in the keyspace they are defined in");
    }
    const KeyspaceSchema* const keyspace = schema_.FindKeyspace(owner);
    if (keyspace != nullptr) {
      const auto found = keyspace->types.find(type.name.name.text);
      if (found != keyspace->types.end()) return WithFrozen(found->second, frozen);
    }
    return InvalidAt(type.range, "Unknown type " + owner + (owner.empty() ? "" : ".") + type.name.name.text);
  }

  const SchemaSnapshot& schema_;
  const std::string& keyspace_;
};

}  // namespace

Result<TypePtr> ResolveType(const TypeName& name, const SchemaSnapshot& schema, const std::string& keyspace) {
  return TypeResolver(schema, keyspace).Resolve(name, false);
}

}  // namespace widerow
