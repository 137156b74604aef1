// reverse, substr and zero_pad for text keys. Text is counted in code points, blobs in bytes.
#include <algorithm>

#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

constexpr int64_t kPadWidthMax = 1'000;

bool IsContinuation(char c) { return (c & 0xC0) == 0x80; }

// Reverses the order of the code points. The bytes within a code point keep their order.
Bytes ReverseText(std::string_view text) {
  Bytes out(text.rbegin(), text.rend());
  for (size_t begin = 0; begin < out.size();) {
    size_t end = begin;
    while (end < out.size() && IsContinuation(out[end])) ++end;
    if (end < out.size()) ++end;
    std::reverse(out.begin() + static_cast<ptrdiff_t>(begin), out.begin() + static_cast<ptrdiff_t>(end));
    begin = end;
  }
  return out;
}

Result<Function> MakeReverse(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 1) return WrongArgumentCount("reverse", 1, arguments.size());
  const TypePtr type = arguments[0].type == nullptr ? ScalarType(TypeKind::kText) : arguments[0].type;
  const bool number = IsInteger(type->kind) || type->kind == TypeKind::kVarint;
  if (!number && type->kind != TypeKind::kText && type->kind != TypeKind::kBlob) {
    return InvalidError(
        "Type error: " + arguments[0].text + " cannot be passed as argument 0 of function system.reverse of type text",
        "reverse takes text, blobs and integers");
  }
  const bool blob = type->kind == TypeKind::kBlob;
  return Function{.name = "reverse",
                  .parameters = {type},
                  .returns = ScalarType(blob ? TypeKind::kBlob : TypeKind::kText),
                  .body = [type, blob](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
                    if (blob) return Value(Bytes(values[0]->rbegin(), values[0]->rend()));
                    return Value(ReverseText(KeyText(*type, *values[0])));
                  }};
}

// Returns the byte offset of the code point (in a blob: of the byte) with the number `index`, counted from 0. Returns
// the end if `text` has fewer.
size_t OffsetOf(std::string_view text, bool blob, size_t index) {
  if (blob) return std::min(index, text.size());
  size_t at = 0;
  for (; at < text.size() && index > 0; --index) {
    ++at;
    while (at < text.size() && IsContinuation(text[at])) ++at;
  }
  return at;
}

Result<Value> Substr(bool blob, std::span<const ValueView> values) {
  const std::string_view text = *values[0];
  const int64_t position = IntegerArgument(values[1]).value_or(1);
  const int64_t length = values.size() > 2 ? IntegerArgument(values[2]).value_or(0) : INT32_MAX;
  if (length < 0) return InvalidError("substr takes a length of 0 or more (got " + std::to_string(length) + ")");
  // `position` counts from 1, and 0 counts as 1. So both substr(x, 0, 4) and substring(x, 1, 4) return the first four
  // characters.
  int64_t first = position > 0 ? position - 1 : position;
  if (first < 0) {
    const auto is_start = [&](char c) { return blob || !IsContinuation(c); };
    first += static_cast<int64_t>(std::count_if(text.begin(), text.end(), is_start));
    if (first < 0) return Value(Bytes());
  }
  std::string_view rest = text.substr(OffsetOf(text, blob, static_cast<size_t>(first)));
  return Value(Bytes(rest.substr(0, OffsetOf(rest, blob, static_cast<size_t>(length)))));
}

Factory MakeSubstr(const std::string& name) {
  return [name](std::span<const FunctionArgument> arguments) -> Result<Function> {
    if (arguments.size() != 2 && arguments.size() != 3) {
      return InvalidError("Invalid number of arguments in call to function system." + name + ": 2 or 3 required but " +
                              std::to_string(arguments.size()) + " provided",
                          name + "(text, first from 1[, length])");
    }
    const bool blob = arguments[0].type != nullptr && arguments[0].type->kind == TypeKind::kBlob;
    const TypePtr type = ScalarType(blob ? TypeKind::kBlob : TypeKind::kText);
    std::vector<TypePtr> parameters{type, ScalarType(TypeKind::kInt)};
    if (arguments.size() == 3) parameters.push_back(ScalarType(TypeKind::kInt));
    return Function{
        .name = name,
        .parameters = std::move(parameters),
        .returns = type,
        .body = [blob](const FunctionContext&, std::span<const ValueView> values) { return Substr(blob, values); }};
  };
}

Result<Function> MakeZeroPad(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 2) return WrongArgumentCount("zero_pad", 2, arguments.size());
  const TypePtr type = arguments[0].type == nullptr ? ScalarType(TypeKind::kBigint) : arguments[0].type;
  if (!IsInteger(type->kind) && type->kind != TypeKind::kVarint) {
    return InvalidError("Type error: " + arguments[0].text +
                            " cannot be passed as argument 0 of function system.zero_pad of type bigint",
                        "zero_pad takes integers");
  }
  const auto body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    std::string digits = KeyText(*type, *values[0]);
    const int64_t width = IntegerArgument(values[1]).value_or(0);
    if (width < 1 || width > kPadWidthMax) {
      return InvalidError("zero_pad takes a width of 1 to 1000 (got " + std::to_string(width) + ")");
    }
    if (digits[0] == '-') {
      return InvalidError("zero_pad: " + digits + " is negative, and padded negative numbers do not sort as numbers");
    }
    const auto padded = static_cast<size_t>(width);
    if (digits.size() > padded) {
      return InvalidError("zero_pad: " + digits + " is wider than " + std::to_string(width) + " digits",
                          "a wider number would not sort behind the padded ones: pad to at least " +
                              std::to_string(digits.size()) + " digits");
    }
    digits.insert(0, padded - digits.size(), '0');
    return Value(std::move(digits));
  };
  return Function{.name = "zero_pad",
                  .parameters = {type, ScalarType(TypeKind::kInt)},
                  .returns = ScalarType(TypeKind::kText),
                  .body = body};
}

}  // namespace

void AddText(FamilyMap& families) {
  families["reverse"].make = MakeReverse;
  families["substr"].make = MakeSubstr("substr");
  families["substring"].make = MakeSubstr("substring");
  families["zero_pad"].make = MakeZeroPad;
}

}  // namespace widerow::functions
