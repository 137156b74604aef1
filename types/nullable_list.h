// Lists whose elements may be null. No column has such a value: they are what WRITETIME and TTL of a collection or a user-defined
// type give.
#pragma once

#include <vector>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// The elements, nulls among them. kInvalid if `bytes` is not a list of well-formed elements.
Result<std::vector<ValueView>> SplitNullableList(const Type& type, ByteView bytes);

}  // namespace widerow
