// The encoding of map<text, text> values.
#pragma once

#include "net/hbase/store/htable.h"

namespace widerow::hbase {

Bytes EncodeTextMap(const Attributes& attributes);
// Returns the entries before the first malformed one.
Attributes DecodeTextMap(ByteView bytes);

}  // namespace widerow::hbase
