// The encoding of map<text, text> values.
#pragma once

#include "net/hbase/store/htable.h"

namespace widerow::hbase {

Bytes EncodeTextMap(const Attributes& attributes);
// Returns the entries of the map. If an entry is malformed, returns the entries before it.
Attributes DecodeTextMap(ByteView bytes);

}  // namespace widerow::hbase
