// ClassParser reads the text into a tree of ClassName, as Cassandra's TypeParser does: it stops after the outermost
// class and ignores the arguments of classes that take none. ClassResolver then turns the tree into a type.
#include "planner/terms/class_type.h"

#include <charconv>

#include "base/text.h"

namespace widerow {
namespace {

constexpr std::string_view kMarshal = "org.apache.cassandra.db.marshal.";

// A part of the text: a class with its arguments, or an argument that is no class.
struct ClassName {
  std::string name;  // Without the package of Cassandra's types.
  std::vector<ClassName> arguments;
  std::string field;  // The hex name before a colon: UserType(ks,6e616d65,6669656c64:Int32Type).
  bool closed = true;
};

class ClassParser {
 public:
  explicit ClassParser(std::string_view text) : text_(text) {}

  ClassName Parse() {
    ClassName result{Word(), {}, {}, true};
    SkipBlanks();
    if (At(':')) {
      ++at_;
      SkipBlanks();
      ClassName typed = Parse();
      typed.field = std::move(result.name);
      return typed;
    }
    if (result.name.starts_with(kMarshal)) result.name.erase(0, kMarshal.size());
    if (!At('(')) return result;
    ++at_;
    while (true) {
      SkipBlanks(/*commas=*/true);
      if (At(')')) {
        ++at_;
        return result;
      }
      const size_t before = at_;
      // Nested too deeply, or a character that begins no word.
      if (at_ == text_.size() || ++depth_ > kDepthMax) break;
      result.arguments.push_back(Parse());
      --depth_;
      if (at_ == before) break;
    }
    result.closed = false;
    at_ = text_.size();
    return result;
  }

 private:
  static constexpr size_t kDepthMax = 100;

  bool At(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void SkipBlanks(bool commas = false) {
    while (At(' ') || At('\t') || At('\n') || (commas && At(','))) ++at_;
  }
  std::string Word() {
    SkipBlanks();
    const size_t begin = at_;
    const auto in_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
             c == '.' || c == '_' || c == '&' || c == '=' || c == '>';
    };
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
};

struct ScalarClass {
  std::string_view name;
  TypeKind kind;
};
constexpr ScalarClass kScalars[] = {{"AsciiType", TypeKind::kAscii},
                                    {"BooleanType", TypeKind::kBoolean},
                                    {"BytesType", TypeKind::kBlob},
                                    {"ByteType", TypeKind::kTinyint},
                                    {"CounterColumnType", TypeKind::kCounter},
                                    {"DateType", TypeKind::kTimestamp},
                                    {"DecimalType", TypeKind::kDecimal},
                                    {"DoubleType", TypeKind::kDouble},
                                    {"DurationType", TypeKind::kDuration},
                                    {"FloatType", TypeKind::kFloat},
                                    {"InetAddressType", TypeKind::kInet},
                                    {"Int32Type", TypeKind::kInt},
                                    {"IntegerType", TypeKind::kVarint},
                                    {"LegacyTimeUUIDType", TypeKind::kTimeuuid},
                                    {"LongType", TypeKind::kBigint},
                                    {"ShortType", TypeKind::kSmallint},
                                    {"SimpleDateType", TypeKind::kDate},
                                    {"TimeType", TypeKind::kTime},
                                    {"TimestampType", TypeKind::kTimestamp},
                                    {"TimeUUIDType", TypeKind::kTimeuuid},
                                    {"UTF8Type", TypeKind::kText},
                                    {"UUIDType", TypeKind::kUuid}};

// Classes of Cassandra that are no CQL type, and what to write instead.
struct OtherClass {
  std::string_view name;
  std::string_view hint;
};
constexpr OtherClass kOthers[] = {
    {"CompositeType", "a column for each part, or frozen<tuple<…>>"},
    {"DynamicCompositeType", "a column for each part, or frozen<tuple<…>>"},
    {"EmptyType", "leave the column out: it has no values"},
    {"LexicalUUIDType", "uuid, which sorts by the version and the time of its values"},
    {"PartitionerDefinedOrder", "blob, and compare tokens"},
};

std::string FullName(const ClassName& parsed) {
  if (parsed.name.empty()) return std::string(kMarshal) + "BytesType";
  return (parsed.name.find('.') == std::string::npos ? std::string(kMarshal) : "") + parsed.name;
}

const ScalarClass* FindScalar(std::string_view name) {
  for (const ScalarClass& scalar : kScalars) {
    if (scalar.name == name) return &scalar;
  }
  return nullptr;
}

std::string TextOf(const ClassName& parsed) {
  const bool is_number = !parsed.name.empty() && parsed.name[0] >= '0' && parsed.name[0] <= '9';
  const bool is_alias = parsed.name.find("=>") != std::string::npos;
  std::string text = is_number || is_alias ? parsed.name : FullName(parsed);
  if (parsed.arguments.empty() || FindScalar(parsed.name) != nullptr) return text;
  for (size_t i = 0; i < parsed.arguments.size(); ++i) text += (i == 0 ? "(" : ",") + TextOf(parsed.arguments[i]);
  return text + ")";
}

class ClassResolver {
 public:
  ClassResolver(const TypeName& type, const SchemaSnapshot& schema) : type_(type), schema_(schema) {}

  Result<TypePtr> Resolve(const ClassName& parsed, bool frozen) const {
    const std::string& name = parsed.name;
    if (name.empty()) return ScalarType(TypeKind::kBlob);
    if (const ScalarClass* scalar = FindScalar(name)) return ScalarType(scalar->kind);
    if (name == "ReversedType" || name == "FrozenType") return Wrapped(parsed, frozen || name == "FrozenType");
    if (name == "ListType" || name == "SetType" || name == "MapType") return Collection(parsed, frozen);
    if (name == "TupleType") return Tuple(parsed);
    if (name == "VectorType") return Vector(parsed);
    if (name == "UserType") return User(parsed, frozen);
    for (const OtherClass& other : kOthers) {
      if (other.name != name) continue;
      return InvalidAt(type_.range, "Type " + ClassText(type_) + " is not supported: " + std::string(name),
                       "use " + std::string(other.hint));
    }
    return SyntaxErrorAt(type_.range, StrCat("Error setting type ", type_.name.name.text,
                                             ": Unable to find abstract-type class '", FullName(parsed), "'"));
  }

 private:
  Error BadDefinition(const ClassName& parsed) const {
    return SyntaxErrorAt(type_.range, StrCat("Error setting type ", type_.name.name.text,
                                             ": Invalid definition for comparator ", FullName(parsed), "."));
  }

  // Resolves the arguments of a class that takes `count` of them.
  Result<std::vector<TypePtr>> Arguments(const ClassName& parsed, size_t count, bool frozen) const {
    if (!parsed.closed || parsed.arguments.size() != count) return BadDefinition(parsed);
    std::vector<TypePtr> types;
    for (const ClassName& argument : parsed.arguments) {
      Result<TypePtr> type = Resolve(argument, frozen);
      if (!type.ok() && type.error().code == ErrorCode::kSyntaxError) return BadDefinition(parsed);
      if (!type.ok()) return std::move(type).error();
      types.push_back(std::move(type).value());
    }
    return types;
  }

  Result<TypePtr> Wrapped(const ClassName& parsed, bool frozen) const {
    WR_ASSIGN_OR_RETURN(const std::vector<TypePtr> inner, Arguments(parsed, 1, frozen));
    return WithFrozen(inner[0], frozen);
  }

  Result<TypePtr> Collection(const ClassName& parsed, bool frozen) const {
    const bool is_map = parsed.name == "MapType";
    WR_ASSIGN_OR_RETURN(const std::vector<TypePtr> parts, Arguments(parsed, is_map ? 2 : 1, true));
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

  Result<TypePtr> Tuple(const ClassName& parsed) const {
    if (parsed.arguments.empty()) return BadDefinition(parsed);  // No CQL type has this form.
    WR_ASSIGN_OR_RETURN(std::vector<TypePtr> fields, Arguments(parsed, parsed.arguments.size(), true));
    return TupleType(std::move(fields));
  }

  Result<TypePtr> Vector(const ClassName& parsed) const {
    if (!parsed.closed || parsed.arguments.size() != 2) return BadDefinition(parsed);
    const std::string& digits = parsed.arguments[1].name;
    int32_t dimension = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), dimension);
    if (failure != std::errc() || end != digits.data() + digits.size() || dimension <= 0) return BadDefinition(parsed);
    Result<TypePtr> element = Resolve(parsed.arguments[0], true);
    if (!element.ok()) return BadDefinition(parsed);
    return VectorType(std::move(element).value(), static_cast<uint32_t>(dimension));
  }

  // UserType(keyspace,name,field:type,…), where names are hex digits. The type must exist with these fields.
  Result<TypePtr> User(const ClassName& parsed, bool frozen) const {
    Bytes name;
    if (!parsed.closed || parsed.arguments.size() < 2 || !FromHex(parsed.arguments[1].name, name)) {
      return BadDefinition(parsed);
    }
    const std::string& owner = parsed.arguments[0].name;
    const TypePtr found = FindUser(owner, name);
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

ClassName ParseClass(const TypeName& type) { return ClassParser(type.name.name.text).Parse(); }

}  // namespace

Result<TypePtr> ResolveClass(const TypeName& type, const SchemaSnapshot& schema) {
  return ClassResolver(type, schema).Resolve(ParseClass(type), false);
}

bool IsReversedClass(const TypeName& type) { return type.is_custom_class && ParseClass(type).name == "ReversedType"; }

std::string ClassText(const TypeName& type) { return "'" + TextOf(ParseClass(type)) + "'"; }

}  // namespace widerow
