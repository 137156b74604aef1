// Values in the requests and answers of a server's HTTP port. SELECT JSON and INSERT JSON define the form of these
// values. In this form, some values cannot be read back: an empty value of a number or boolean is "", and so is a
// duration of zero. In texts, bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <string_view>

#include "base/result.h"
#include "types/type.h"

namespace widerow {

// Reads a value of an answer. It accepts values that INSERT JSON refuses: lists with nulls, as TTL(l) has, and the
// empty values. `json` must be checked (net/text/json_slice.h).
Result<Value> ReadAnsweredValue(const Type& type, std::string_view json);

// True if a server reads the same value from the JSON that AppendJson makes of it.
bool IsKeptByJson(const Type& type, ByteView bytes);

}  // namespace widerow
