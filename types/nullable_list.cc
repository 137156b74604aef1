#include "types/nullable_list.h"

#include "types/value_bytes.h"

namespace widerow {

Result<std::vector<ValueView>> SplitNullableList(const Type& type, ByteView bytes) {
  const auto cut_off = [] { return InvalidError("Not enough bytes to read a list"); };
  if (bytes.size() < 4) return cut_off();
  const auto count = ReadBigEndian<int32_t>(bytes.data());
  bytes.remove_prefix(4);
  if (count < 0 || static_cast<size_t>(count) > bytes.size() / 4) return cut_off();
  std::vector<ValueView> elements(static_cast<size_t>(count));
  for (ValueView& element : elements) {
    if (bytes.size() < 4) return cut_off();
    const auto size = ReadBigEndian<int32_t>(bytes.data());
    bytes.remove_prefix(4);
    if (size < 0) continue;
    if (static_cast<size_t>(size) > bytes.size()) return cut_off();
    element = bytes.substr(0, static_cast<size_t>(size));
    bytes.remove_prefix(static_cast<size_t>(size));
    WR_RETURN_IF_ERROR(ValidateValue(*type.arguments[0], *element));
  }
  if (!bytes.empty()) return InvalidError("Unexpected extraneous bytes after list value");
  return elements;
}

}  // namespace widerow
