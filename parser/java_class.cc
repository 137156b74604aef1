// ClassReader reads the text into a tree. FaultIn checks the arguments of a class before the class itself. As in
// Cassandra, a fault in an argument is reported as a wrong definition of the class around it.
#include "parser/java_class.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"
#include "base/text.h"

namespace widerow {
namespace {

constexpr std::string_view kMarshal = "org.apache.cassandra.db.marshal.";

class ClassReader {
 public:
  explicit ClassReader(std::string_view text) : text_(text) {}

  JavaClass Read() {
    JavaClass result{.name = Word(), .arguments = {}, .field = {}};
    SkipBlanks();
    if (Take(':')) {
      JavaClass typed = Read();
      typed.field = std::move(result.name);
      return typed;
    }
    if (result.name.starts_with(kMarshal)) result.name.erase(0, kMarshal.size());
    if (Take('(')) result.closed = ReadArguments(result.arguments);
    return result;
  }

 private:
  static constexpr size_t kDepthMax = 100;

  // Returns false if the text ends before the closing parenthesis, nests too deeply, or has a character that begins no
  // word.
  bool ReadArguments(std::vector<JavaClass>& arguments) {
    while (true) {
      SkipBlanks(/*commas=*/true);
      if (Take(')')) return true;
      const size_t before = at_;
      if (at_ == text_.size() || depth_ == kDepthMax) break;
      ++depth_;
      arguments.push_back(Read());
      --depth_;
      if (at_ == before) break;
    }
    at_ = text_.size();
    return false;
  }

  bool At(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool Take(char c) {
    if (!At(c)) return false;
    ++at_;
    return true;
  }
  void SkipBlanks(bool commas = false) {
    while (At(' ') || At('\t') || At('\n') || (commas && At(','))) ++at_;
  }
  std::string Word() {
    SkipBlanks();
    const size_t begin = at_;
    const auto in_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::string_view("-+._&=>").find(c) != std::string_view::npos;
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
// Classes of Cassandra for which CQL has no type.
constexpr std::string_view kOthers[] = {"CompositeType", "DynamicCompositeType", "EmptyType", "LexicalUUIDType",
                                        "PartitionerDefinedOrder"};

std::string FullName(const JavaClass& parsed) {
  if (parsed.name.empty()) return std::string(kMarshal) + "BytesType";
  return (parsed.name.find('.') == std::string::npos ? std::string(kMarshal) : "") + parsed.name;
}

bool IsDimension(const std::string& digits) {
  int32_t number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failure == std::errc() && end == digits.data() + digits.size() && number > 0;
}

bool IsHex(const std::string& digits) {
  Bytes bytes;
  return FromHex(digits, bytes);
}

// True if the number of arguments is right and the arguments that are not classes (dimensions and names) are valid.
bool HasArguments(const JavaClass& parsed) {
  const std::string& name = parsed.name;
  const std::vector<JavaClass>& given = parsed.arguments;
  if (!parsed.closed) return false;
  if (name == "MapType") return given.size() == 2;
  if (name == "VectorType") return given.size() == 2 && IsDimension(given[1].name);
  if (name == "TupleType") return !given.empty();  // Cassandra accepts tuple<>, which CQL cannot write.
  if (name != "UserType") return given.size() == 1;
  return given.size() >= 2 && IsHex(given[1].name) &&
         std::all_of(given.begin() + 2, given.end(), [](const JavaClass& field) { return IsHex(field.field); });
}

// Returns the reason why the class is not valid; nullopt if it is valid.
std::optional<std::string> FaultIn(const JavaClass& parsed) {
  const std::string& name = parsed.name;
  if (name.empty() || ScalarOfClass(name) ||
      std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers)) {
    return std::nullopt;
  }
  static constexpr std::string_view kTypes[] = {"FrozenType", "ListType",  "MapType",  "ReversedType",
                                                "SetType",    "TupleType", "UserType", "VectorType"};
  if (std::find(std::begin(kTypes), std::end(kTypes), name) == std::end(kTypes)) {
    return StrCat("Unable to find abstract-type class '", FullName(parsed), "'");
  }
  bool valid = HasArguments(parsed);
  const size_t first = name == "UserType" ? 2 : 0;
  const size_t last = name == "VectorType" ? 1 : parsed.arguments.size();
  for (size_t i = first; valid && i < last; ++i) valid = !FaultIn(parsed.arguments[i]);
  if (valid) return std::nullopt;
  return StrCat("Invalid definition for comparator ", FullName(parsed), ".");
}

}  // namespace

JavaClass ParseJavaClass(std::string_view text) { return ClassReader(text).Read(); }

std::optional<TypeKind> ScalarOfClass(std::string_view name) {
  for (const ScalarClass& scalar : kScalars) {
    if (scalar.name == name) return scalar.kind;
  }
  return std::nullopt;
}

std::optional<std::string> FaultOf(const JavaClass& parsed, const std::string& text) {
  std::optional<std::string> fault = FaultIn(parsed);
  if (fault) fault->insert(0, StrCat("Error setting type ", text, ": "));
  return fault;
}

std::string FullText(const JavaClass& parsed) {
  const bool is_number = !parsed.name.empty() && parsed.name[0] >= '0' && parsed.name[0] <= '9';
  const bool is_alias = parsed.name.find("=>") != std::string::npos;
  std::string text = is_number || is_alias ? parsed.name : FullName(parsed);
  if (parsed.arguments.empty() || ScalarOfClass(parsed.name)) return text;
  for (size_t i = 0; i < parsed.arguments.size(); ++i) text += (i == 0 ? "(" : ",") + FullText(parsed.arguments[i]);
  return text + ")";
}

}  // namespace widerow
