// mask_null, mask_default, mask_replace, mask_inner, mask_outer and mask_hash, which hide values. Each Make… function
// checks its arguments and makes the overload for the type of the first one. Inner and outer masks share Mask(); they
// differ in which characters they hide.
#include <openssl/evp.h>

#include <array>
#include <memory>

#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

// The timeuuid that mask_default shows: the smallest one of 1970-01-01 00:00.
constexpr char kLeastTimeuuid[] = "\x13\x81\x40\x00\x1d\xd2\x11\xb2\x80\x80\x80\x80\x80\x80\x80\x80";

// Returns the value that mask_default shows for `type`.
Bytes DefaultOf(const Type& type) {
  switch (type.kind) {
    case TypeKind::kText:
    case TypeKind::kAscii: return "****";
    case TypeKind::kBlob: return {};
    case TypeKind::kDate: return EncodeInteger(type.kind, int64_t{1} << 31);
    case TypeKind::kInet: return Bytes(4, '\0');
    case TypeKind::kDecimal: return Bytes(5, '\0');
    case TypeKind::kVarint:
    case TypeKind::kBoolean: return Bytes(1, '\0');
    case TypeKind::kDuration: return Bytes(3, '\0');
    case TypeKind::kUuid: return Bytes(16, '\0');
    case TypeKind::kTimeuuid: return {kLeastTimeuuid, 16};
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap: return Bytes(4, '\0');
    case TypeKind::kTuple:
    case TypeKind::kUdt: {
      std::vector<Bytes> fields;
      for (const TypePtr& field : type.arguments) fields.push_back(DefaultOf(*field));
      return JoinTuple({fields.begin(), fields.end()});
    }
    case TypeKind::kVector: {
      const Bytes element = DefaultOf(*type.arguments[0]);
      return JoinCollection(type, std::vector<ValueView>(type.dimension, ByteView(element)));
    }
    default: return Bytes(FixedSize(type.kind), '\0');
  }
}

Error WrongCount(const std::string& name, const char* arguments) {
  return InvalidError("Invalid number of arguments for function system." + name + "(" + arguments + ")");
}

Result<Function> MakeNull(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 1) return WrongCount("mask_null", "any");
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "mask_null(any)");
  return Function{.name = "mask_null",
                  .parameters = {arguments[0].type},
                  .returns = arguments[0].type,
                  .body = [](const FunctionContext&, std::span<const ValueView>) -> Result<Value> { return Value(); }};
}

Result<Function> MakeDefault(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 1) return WrongCount("mask_default", "any");
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "mask_default(any)");
  const Bytes shown = DefaultOf(*arguments[0].type);
  return Function{
      .name = "mask_default",
      .parameters = {arguments[0].type},
      .returns = arguments[0].type,
      .null_in_null_out = false,
      .body = [shown](const FunctionContext&, std::span<const ValueView>) { return Result<Value>(Value(shown)); }};
}

Result<Function> MakeReplace(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 2) return WrongCount("mask_replace", "any, [any]");
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "mask_replace(any, [any])");
  const auto body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    return values[1] ? Value(Bytes(*values[1])) : Value();
  };
  return Function{.name = "mask_replace",
                  .parameters = {arguments[0].type, arguments[0].type},
                  .returns = arguments[0].type,
                  .null_in_null_out = false,
                  .takes_empty = true,
                  .body = body};
}

// --- mask_inner, mask_outer -----------------------------------------------------------------------------------------

// Returns `text` with `padding` in place of each character that is_masked chooses by its place in the text. Places are
// counted from 0, as in Java: a character above U+FFFF takes two.
template <typename IsMasked>
std::string Mask(ByteView text, std::string_view padding, const IsMasked& is_masked) {
  std::string out;
  int64_t place = 0;
  for (size_t at = 0; at < text.size();) {
    const auto first = static_cast<uint8_t>(text[at]);
    const size_t size = std::min<size_t>(first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, text.size() - at);
    const int places = size == 4 ? 2 : 1;
    if (is_masked(place) || is_masked(place + places - 1)) {
      for (int i = 0; i < places; ++i) out += padding;
    } else {
      out += text.substr(at, size);
    }
    place += places;
    at += size;
  }
  return out;
}

int64_t PlacesOf(ByteView text) {
  int64_t places = 0;
  for (const char c : text) {
    if ((static_cast<uint8_t>(c) & 0xC0) != 0x80) places += static_cast<uint8_t>(c) >= 0xF0 ? 2 : 1;
  }
  return places;
}

Value MaskPart(bool inner, std::span<const ValueView> values, std::string_view padding) {
  const int64_t begin = values[1] ? DecodeInteger(*values[1]) : 0;
  const int64_t end = PlacesOf(*values[0]) - 1 - (values[2] ? DecodeInteger(*values[2]) : 0);
  return Mask(*values[0], padding, [&](int64_t place) { return (place >= begin && place <= end) == inner; });
}

Factory MakePart(const std::string& name, bool inner) {
  return [name, inner](std::span<const FunctionArgument> arguments) -> Result<Function> {
    static constexpr const char* kArguments = "[text|varchar|ascii], int, int, [text]";
    if (arguments.size() != 3 && arguments.size() != 4) return WrongCount(name, kArguments);
    const TypePtr& type = arguments[0].type;
    if (type == nullptr) return CannotInfer(arguments[0], name + "(" + kArguments + ")");
    if (type->kind != TypeKind::kText && type->kind != TypeKind::kAscii) {
      return InvalidError("Function system." + name +
                          " requires an argument of type [text|varchar|ascii], but found argument " +
                          arguments[0].text + " of type " + TypeText(*type));
    }
    const auto body = [name, inner](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
      if (!values[0]) return Value();
      const ByteView padding = values.size() > 3 && values[3] ? *values[3] : ByteView("*");
      if (PlacesOf(padding) != 1) {
        return InvalidError("The padding argument for function system." + name + " should be single-character, but '" +
                            std::string(padding) + "' has " + std::to_string(PlacesOf(padding)) + " characters.");
      }
      return MaskPart(inner, values, padding);
    };
    Function function{.name = name,
                      .parameters = {type, ScalarType(TypeKind::kInt), ScalarType(TypeKind::kInt)},
                      .returns = type,
                      .null_in_null_out = false,
                      .body = body};
    if (arguments.size() == 4) function.parameters.push_back(ScalarType(TypeKind::kText));
    return function;
  };
}

// --- mask_hash ------------------------------------------------------------------------------------------------------

Result<Bytes> Hash(ByteView bytes, const std::string& algorithm) {
  const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> method(EVP_MD_fetch(nullptr, algorithm.c_str(), nullptr),
                                                               EVP_MD_free);
  if (method == nullptr)
    return InvalidError("Hash algorithm not found: " + algorithm, "SHA-256, SHA-512 and MD5 are some that there are");
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, method.get(), nullptr) != 1) {
    return ServerError("The hash " + algorithm + " failed");
  }
  return Bytes(reinterpret_cast<const char*>(digest.data()), size);
}

Result<Function> MakeHash(std::span<const FunctionArgument> arguments) {
  if (arguments.empty() || arguments.size() > 2) return WrongCount("mask_hash", "any, [text]");
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "mask_hash(any, [text])");
  const auto body = [](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    if (!values[0]) return Value();
    const std::string algorithm = values.size() > 1 && values[1] ? std::string(*values[1]) : "SHA-256";
    WR_ASSIGN_OR_RETURN(Bytes hash, Hash(*values[0], algorithm));
    return Value(std::move(hash));
  };
  Function function{.name = "mask_hash",
                    .parameters = {arguments[0].type},
                    .returns = ScalarType(TypeKind::kBlob),
                    .null_in_null_out = false,
                    .takes_empty = true,
                    .body = body};
  if (arguments.size() == 2) function.parameters.push_back(ScalarType(TypeKind::kText));
  return function;
}

}  // namespace

void AddMasks(FamilyMap& families) {
  families["mask_null"].make = MakeNull;
  families["mask_default"].make = MakeDefault;
  families["mask_replace"].make = MakeReplace;
  families["mask_inner"].make = MakePart("mask_inner", true);
  families["mask_outer"].make = MakePart("mask_outer", false);
  families["mask_hash"].make = MakeHash;
  for (const char* name : {"mask_null", "mask_default", "mask_replace", "mask_inner", "mask_outer", "mask_hash"}) {
    families[name].ascii_literals = true;
  }
}

}  // namespace widerow::functions
