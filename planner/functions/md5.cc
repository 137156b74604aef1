// md5(x) and hash_prefix(x, n), which scatter keys.
#include <openssl/evp.h>

#include <array>

#include "base/check.h"
#include "planner/functions/registry.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

constexpr int64_t kMd5Digits = 32;

// Returns 32 lower-case hexadecimal digits.
std::string Md5Hex(ByteView bytes) {
  // Fetched once, because a look-up by name in every call costs more than the hash.
  static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "MD5", nullptr);
  WR_CHECK(algorithm != nullptr);
  struct Context {
    EVP_MD_CTX* state = EVP_MD_CTX_new();
    ~Context() { EVP_MD_CTX_free(state); }
  };
  thread_local Context context;
  std::array<unsigned char, 16> digest;
  unsigned int size = 0;
  WR_CHECK(EVP_DigestInit_ex2(context.state, algorithm, nullptr) == 1);
  WR_CHECK(EVP_DigestUpdate(context.state, bytes.data(), bytes.size()) == 1);
  WR_CHECK(EVP_DigestFinal_ex(context.state, digest.data(), &size) == 1 && size == digest.size());
  return ToHex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// Returns the type of the argument. A bind marker without a type counts as text, because drivers bind a string to it.
TypePtr TypeOrText(const FunctionArgument& argument) {
  return argument.type == nullptr ? ScalarType(TypeKind::kText) : argument.type;
}

Result<Function> MakeMd5(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 1) return WrongArgumentCount("md5", 1, arguments.size());
  const TypePtr type = TypeOrText(arguments[0]);
  return Function{.name = "md5",
                  .parameters = {type},
                  .returns = ScalarType(TypeKind::kText),
                  .body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
                    return Value(Md5Hex(KeyText(*type, *values[0])));
                  }};
}

Result<Function> MakeHashPrefix(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 2) return WrongArgumentCount("hash_prefix", 2, arguments.size());
  const TypePtr type = TypeOrText(arguments[0]);
  return Function{
      .name = "hash_prefix",
      .parameters = {type, ScalarType(TypeKind::kInt)},
      .returns = ScalarType(TypeKind::kText),
      .body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
        const int64_t digits = IntegerArgument(values[1]).value_or(0);
        if (digits < 1 || digits > kMd5Digits) {
          return InvalidError("hash_prefix takes 1 to 32 digits of the hash (got " + std::to_string(digits) + ")");
        }
        return Value(Md5Hex(KeyText(*type, *values[0])).substr(0, static_cast<size_t>(digits)));
      }};
}

}  // namespace

void AddMd5(FamilyMap& families) {
  families["md5"].make = MakeMd5;
  families["hash_prefix"].make = MakeHashPrefix;
}

}  // namespace widerow::functions
