// Hash tables whose keys are byte strings. They are searched with a ByteView. Elements move when the table grows, so do
// not use a pointer to an element after the next insertion.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/hash/hash.h>

#include <functional>

#include "base/bytes.h"

namespace widerow {

// Abseil's hash function, for tables that are searched by std::string_view. (The system's Abseil has a string_view type
// of its own and does not accept the standard one.) The hash differs from process to process, so that clients cannot
// choose keys that collide.
struct BytesHash {
  using is_transparent = void;
  size_t operator()(ByteView bytes) const {
    return absl::Hash<absl::string_view>()(absl::string_view(bytes.data(), bytes.size()));
  }
};

template <typename T>
using BytesMap = absl::flat_hash_map<Bytes, T, BytesHash, std::equal_to<>>;
using BytesSet = absl::flat_hash_set<Bytes, BytesHash, std::equal_to<>>;
// Tables that borrow the bytes of their keys.
template <typename T>
using ByteViewMap = absl::flat_hash_map<ByteView, T, BytesHash, std::equal_to<>>;
using ByteViewSet = absl::flat_hash_set<ByteView, BytesHash, std::equal_to<>>;

}  // namespace widerow
