// Values in the form that people write and read: CSV cells, the shell's tables, CQL literals.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Converts a string constant of CQL ('2013-01-01', 192.168.0.1, …) or a CSV cell to a value of `type`. For scalars it
// accepts what Cassandra's fromString accepts; for collections, tuples and UDTs what FormatText prints. For any other
// text, the error is kInvalid, with Cassandra's sentence.
Result<Bytes> ParseText(const Type& type, std::string_view text);

// Converts a string constant of CQL to a tuple, as Cassandra does: '1:a' is (1, 'a'). A colon or @ inside a field is
// written \: or \@, and a field @ is null. Fields may be left out at the end. A field that is a collection, a vector or
// a blob is written as hex digits. The error is kInvalid, with Cassandra's sentence. `type` is a tuple or a
// user-defined type.
Result<Bytes> ParseTupleString(const Type& type, std::string_view text);

// Returns a text for people. Text is unquoted at the top level and quoted inside collections. Timestamps are printed as
// cqlsh prints them (2013-01-01 05:00:00.000000+0000), blobs as 0x…, floats and doubles in the shortest text that reads
// back as the same value. A value that is not valid for its type is printed as its bytes, 0x….
std::string FormatText(const Type& type, ByteView bytes);

// Returns a CQL term that parses to this value: 'it''s', 0x00ff, {1: 'a'}, NaN, …. A scalar without an exact text is
// blob_as_varint(0x0001), for example.
std::string FormatLiteral(const Type& type, ByteView bytes);

// True if the text of a scalar value that is not empty is read back as the same bytes. False, for example, for a varint
// with superfluous bytes, for a text that is not UTF-8 and, as in Java, for an IPv6 address that contains an IPv4
// address.
bool HasExactText(const Type& type, ByteView bytes);

}  // namespace widerow
