// ClassResolver turns the tree of a class (parser/java_class.h) into a type.
#include "planner/terms/class_type.h"

#include <charconv>

#include "base/text.h"
#include "parser/java_class.h"

namespace widerow {
namespace {

// Returns the hint for a class that is no CQL type: what to write in its place.
std::string_view InsteadOf(std::string_view class_name) {
  if (class_name == "EmptyType") return "leave the column out: it has no values";
  if (class_name == "LexicalUUIDType") return "use uuid, which sorts by the version and the time of its values";
  if (class_name == "PartitionerDefinedOrder") return "use blob, and compare tokens";
  return "use a column for each part, or frozen<tuple<…>>";  // CompositeType, DynamicCompositeType.
}

class ClassResolver {
 public:
  ClassResolver(const TypeName& type, const SchemaSnapshot& schema) : type_(type), schema_(schema) {}

  Result<TypePtr> Resolve(const JavaClass& parsed, bool frozen) const {
    const std::string& name = parsed.name;
    if (name.empty()) return ScalarType(TypeKind::kBlob);
    if (const auto scalar = ScalarOfClass(name)) return ScalarType(*scalar);
    if (name == "ReversedType" || name == "FrozenType") return Wrapped(parsed, frozen || name == "FrozenType");
    if (name == "ListType" || name == "SetType" || name == "MapType") return Collection(parsed, frozen);
    if (name == "TupleType") return Tuple(parsed);
    if (name == "VectorType") return Vector(parsed);
    if (name == "UserType") return User(parsed, frozen);
    return InvalidAt(type_.range, "Type " + ClassText(type_) + " is not supported: " + name,
                     std::string(InsteadOf(name)));
  }

 private:
  Result<std::vector<TypePtr>> Arguments(const JavaClass& parsed, bool frozen) const {
    std::vector<TypePtr> types;
    for (const JavaClass& argument : parsed.arguments) {
      WR_ASSIGN_OR_RETURN(types.emplace_back(), Resolve(argument, frozen));
    }
    return types;
  }

  Result<TypePtr> Wrapped(const JavaClass& parsed, bool frozen) const {
    WR_ASSIGN_OR_RETURN(const std::vector<TypePtr> inner, Arguments(parsed, frozen));
    return WithFrozen(inner[0], frozen);
  }

  Result<TypePtr> Collection(const JavaClass& parsed, bool frozen) const {
    const bool is_map = parsed.name == "MapType";
    WR_ASSIGN_OR_RETURN(const std::vector<TypePtr> parts, Arguments(parsed, true));
    for (const TypePtr& part : parts) {
      if (part->kind != TypeKind::kCounter) continue;
      return InvalidAt(type_.range, "Counters are not allowed inside collections: " + ClassText(type_));
    }
    if (parts[0]->kind == TypeKind::kDuration && parsed.name != "ListType") {
      return InvalidAt(type_.range, (is_map ? "Durations are not allowed as map keys: "
                                            : "Durations are not allowed inside sets: ") +
                                        ClassText(type_));
    }
    if (is_map) return MapType(parts[0], parts[1], frozen);
    return parsed.name == "ListType" ? ListType(parts[0], frozen) : SetType(parts[0], frozen);
  }

  Result<TypePtr> Tuple(const JavaClass& parsed) const {
    WR_ASSIGN_OR_RETURN(std::vector<TypePtr> fields, Arguments(parsed, true));
    return TupleType(std::move(fields));
  }

  Result<TypePtr> Vector(const JavaClass& parsed) const {
    const std::string& digits = parsed.arguments[1].name;
    uint32_t dimension = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), dimension);
    WR_ASSIGN_OR_RETURN(TypePtr element, Resolve(parsed.arguments[0], true));
    return VectorType(std::move(element), dimension);
  }

  // Resolves UserType(keyspace,name,field:type,…), where names are hex digits. The type must exist with these fields.
  Result<TypePtr> User(const JavaClass& parsed, bool frozen) const {
    Bytes name;
    const std::string& owner = parsed.arguments[0].name;
    const TypePtr found = FromHex(parsed.arguments[1].name, name) ? FindUser(owner, name) : nullptr;
    if (found == nullptr) return InvalidAt(type_.range, StrCat("Unknown type ", owner, ".", name));
    const Type& known = *found;
    bool same = parsed.arguments.size() == known.field_names.size() + 2;
    for (size_t i = 2; same && i < parsed.arguments.size(); ++i) {
      Bytes field;
      WR_ASSIGN_OR_RETURN(const TypePtr type, Resolve(parsed.arguments[i], false));
      same = FromHex(parsed.arguments[i].field, field) && field == known.field_names[i - 2] &&
             SameType(*type, *known.arguments[i - 2]);
    }
    if (same) return WithFrozen(found, frozen);
    return InvalidAt(type_.range, StrCat("Type ", owner, ".", name, " has other fields than ", ClassText(type_)),
                     "write the name of the type: " + QuoteIdentifier(name));
  }

  TypePtr FindUser(const std::string& owner, const std::string& name) const {
    const KeyspaceSchema* const keyspace = schema_.FindKeyspace(owner);
    if (keyspace == nullptr) return nullptr;
    const auto found = keyspace->types.find(name);
    return found == keyspace->types.end() ? nullptr : found->second;
  }

  const TypeName& type_;
  const SchemaSnapshot& schema_;
};

JavaClass ParseClass(const TypeName& type) { return ParseJavaClass(type.name.name.text); }

}  // namespace

Result<TypePtr> ResolveClass(const TypeName& type, const SchemaSnapshot& schema) {
  return ClassResolver(type, schema).Resolve(ParseClass(type), false);
}

bool IsReversedClass(const TypeName& type) { return type.is_custom_class && ParseClass(type).name == "ReversedType"; }

std::string ClassText(const TypeName& type) { return "'" + FullText(ParseClass(type)) + "'"; }

}  // namespace widerow
