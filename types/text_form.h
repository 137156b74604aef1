// Values as people write and read them: CSV cells, the shell's tables, CQL literals.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// A string constant of CQL ('2013-01-01', 192.168.0.1, …) or a CSV cell as a value of `type`. Accepts for every
// scalar what Cassandra's fromString accepts; for collections, tuples and UDTs what FormatText prints.
// kInvalid with Cassandra's sentence.
Result<Bytes> ParseText(const Type& type, std::string_view text);

// For people: text unquoted at the top level, quoted inside collections; timestamps as
// 2013-01-01 05:00:00.000000+0000 as cqlsh prints them; blobs 0x…; floats and doubles with the shortest text that
// reads back to the same value.
std::string FormatText(const Type& type, ByteView bytes);

// As a CQL term that gives this value back when parsed: 'it''s', 0x00ff, {1: 'a'}, NaN, ….
std::string FormatLiteral(const Type& type, ByteView bytes);

}  // namespace widerow
