#include "advise/columns.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/uuid.h"
#include "types/value_bytes.h"

namespace widerow::advise {

namespace {

const FunctionCall* CallOf(const Term* term) {
  return term == nullptr ? nullptr : std::get_if<FunctionCall>(&term->node);
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }

void AddSources(const Term& term, std::vector<std::string>& out) {
  const auto all = [&](const std::vector<Term>& terms) {
    for (const Term& inner : terms) AddSources(inner, out);
  };
  if (const auto* column = std::get_if<ColumnRef>(&term.node)) {
    if (std::find(out.begin(), out.end(), column->name.text) == out.end()) out.push_back(column->name.text);
  } else if (const auto* call = std::get_if<FunctionCall>(&term.node)) {
    all(call->arguments);
  } else if (const auto* cast = std::get_if<CastTerm>(&term.node)) {
    all(cast->operand);
  } else if (const auto* arithmetic = std::get_if<Arithmetic>(&term.node)) {
    all(arithmetic->operands);
  } else if (const auto* tuple = std::get_if<TupleTerm>(&term.node)) {
    all(tuple->elements);
  }
}

}  // namespace

bool IsTime(TypeKind kind) {
  return kind == TypeKind::kTimestamp || kind == TypeKind::kDate || kind == TypeKind::kTimeuuid;
}

bool IsInteger(TypeKind kind) {
  return kind == TypeKind::kTinyint || kind == TypeKind::kSmallint || kind == TypeKind::kInt ||
         kind == TypeKind::kBigint || kind == TypeKind::kVarint;
}

bool IsText(TypeKind kind) { return kind == TypeKind::kText || kind == TypeKind::kAscii; }

bool HasWord(std::string_view name, std::initializer_list<std::string_view> words) {
  std::string word;
  const auto matches = [&] { return std::find(words.begin(), words.end(), word) != words.end(); };
  for (size_t i = 0; i < name.size(); ++i) {
    const bool new_word = !IsLetter(name[i]) || (i > 0 && IsUpper(name[i]) && !IsUpper(name[i - 1]));
    if (new_word) {
      if (matches()) return true;
      word.clear();
    }
    if (IsLetter(name[i])) word += Lower(name[i]);
  }
  return matches();
}

std::string FunctionOf(const Term* derivation) {
  const FunctionCall* const call = CallOf(derivation);
  if (call == nullptr) return "";
  std::string name = call->name.name.text;
  std::transform(name.begin(), name.end(), name.begin(), Lower);
  return name;
}

std::optional<int64_t> NumberArgument(const Term* derivation, size_t index) {
  const FunctionCall* const call = CallOf(derivation);
  if (call == nullptr || index >= call->arguments.size()) return std::nullopt;
  const auto* literal = std::get_if<Literal>(&call->arguments[index].node);
  if (literal == nullptr || literal->kind != Literal::Kind::kInteger || literal->text.size() > 18) return std::nullopt;
  return std::stoll(literal->text);
}

std::vector<std::string> SourcesOf(const Term& term) {
  std::vector<std::string> out;
  AddSources(term, out);
  return out;
}

bool Scatters(const Term* derivation) {
  const std::string function = FunctionOf(derivation);
  if (function == "md5" || function == "hash_prefix" || function == "reverse" || function == "bucket" ||
      function == "random") {
    return true;
  }
  if (function == "substr" || function == "substring" || function == "splice") {
    const auto& arguments = CallOf(derivation)->arguments;
    const size_t first = function == "splice" ? 1 : 0;  // splice(connector, a, b, …)
    return arguments.size() > first && Scatters(&arguments[first]);
  }
  return false;
}

bool IsTimeWindow(const TableFacts& table, uint32_t column) {
  const Term* const derivation = table.derivation(column);
  if (derivation == nullptr) return IsTime(table.column(column).type->kind);
  return !Scatters(derivation) && std::ranges::any_of(SourcesOf(*derivation), [&](const std::string& source) {
    const ColumnSchema* const found = table.table->Find(source);
    return found != nullptr && IsTime(found->type->kind);
  });
}

bool IsIdentifier(const ColumnSchema& column) {
  const TypeKind kind = column.type->kind;
  if (kind == TypeKind::kUuid || kind == TypeKind::kTimeuuid) return true;
  if (!IsText(kind) && !IsInteger(kind)) return false;
  return column.name.ends_with("id") || HasWord(column.name, {"id", "uuid", "guid", "no", "nr", "number", "ref",
                                                              "serial", "email", "login", "username"});
}

bool IsCodeName(std::string_view name) {
  return HasWord(name, {"phone", "telephone", "tel",  "mobile", "fax",  "msisdn",   "imei",    "isbn",   "ean",
                        "gtin",  "barcode",   "iban", "zip",    "plz",  "postcode", "zipcode", "postal", "code",
                        "sku",   "plate",     "url",  "uri",    "path", "address",  "ip"});
}

bool IsBucketName(std::string_view name) { return HasWord(name, {"bucket", "salt", "shard", "slot"}); }

std::optional<int64_t> MicrosOf(const Type& type, ByteView value) {
  constexpr int64_t kDaySeconds = 86'400;
  if (type.kind == TypeKind::kTimestamp && value.size() == 8) return DecodeInteger(value) * 1'000;
  if (type.kind == TypeKind::kDate && value.size() == 4) {
    return (static_cast<int64_t>(ReadBigEndian<uint32_t>(value.data())) - (int64_t{1} << 31)) * kDaySeconds * 1'000'000;
  }
  if (type.kind == TypeKind::kTimeuuid && value.size() == 16) {
    const uint64_t time = Uuid::FromBytes(value).timestamp_100ns();
    return (static_cast<int64_t>(time) - static_cast<int64_t>(kUuidEpochOffset100ns)) / 10;
  }
  return std::nullopt;
}

std::optional<uint32_t> ClusteringTime(const TableFacts& table) {
  for (uint32_t i = 0; i < table.table->clustering_size; ++i) {
    const uint32_t column = table.table->partition_key_size + i;
    if (IsTime(table.column(column).type->kind)) return column;
  }
  return std::nullopt;
}

std::vector<uint32_t> PartitionKeyColumns(const TableFacts& table) {
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) columns.push_back(i);
  return columns;
}

std::optional<uint32_t> IndexOf(const TableSchema& table, std::string_view name) {
  for (uint32_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace widerow::advise
