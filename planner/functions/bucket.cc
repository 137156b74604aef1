// bucket(x, n): a number in [0, n), which spreads the rows of a hot key over n partitions.
#include "planner/functions/calendar.h"
#include "planner/functions/registry.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

int64_t FloorMod(int64_t value, int64_t n) {
  const int64_t rest = value % n;
  return rest < 0 ? rest + n : rest;
}

// Returns the floor modulo of a varint of any length, byte by byte. Its bytes are big-endian two's complement.
int64_t VarintFloorMod(ByteView bytes, int64_t n) {
  int64_t rest = 0, modulus = 1 % n;  // The remainder of the bytes read so far, and 256^(their number) modulo n.
  for (const char byte : bytes) {
    rest = (rest * 256 + static_cast<uint8_t>(byte)) % n;
    modulus = modulus * 256 % n;
  }
  const bool negative = !bytes.empty() && (bytes[0] & 0x80) != 0;
  return negative ? FloorMod(rest - modulus, n) : rest;
}

int64_t BucketOf(const Type& type, ByteView bytes, int64_t n) {
  if (IsInteger(type.kind)) return FloorMod(DecodeInteger(bytes), n);
  if (type.kind == TypeKind::kVarint) return VarintFloorMod(bytes, n);
  // Uses seconds: with milliseconds, timestamps of whole seconds would reach only 2 of 16 buckets.
  if (type.kind == TypeKind::kTimestamp) return FloorMod(FloorDivide(DecodeInteger(bytes), 1'000), n);
  return FloorMod(Murmur3Token(bytes), n);
}

Result<Function> MakeBucket(std::span<const FunctionArgument> arguments) {
  if (arguments.size() != 2) return WrongArgumentCount("bucket", 2, arguments.size());
  // A bare 5 has no default type here, because the bucket of the int 5 differs from that of the text 5.
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "bucket(any, int)");
  const TypePtr type = arguments[0].type;
  return Function{.name = "bucket",
                  .parameters = {type, ScalarType(TypeKind::kInt)},
                  .returns = ScalarType(TypeKind::kInt),
                  .body = [type](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
                    const int64_t n = IntegerArgument(values[1]).value_or(0);
                    if (n < 1) return InvalidError("bucket needs at least 1 bucket (got " + std::to_string(n) + ")");
                    return Value(EncodeInteger(TypeKind::kInt, BucketOf(*type, *values[0], n)));
                  }};
}

}  // namespace

void AddBucket(FamilyMap& families) { families["bucket"].make = MakeBucket; }

}  // namespace widerow::functions
