// Lists whose elements may be null. No column holds such a list. WRITETIME and TTL of a collection or a user-defined
// type return one.
#pragma once

#include <vector>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Returns the elements, nulls included. kInvalid if `bytes` is not a list of well-formed elements.
Result<std::vector<ValueView>> SplitNullableList(const Type& type, ByteView bytes);

}  // namespace widerow
