// Values as parameters of requests to a server's HTTP port, in the form of INSERT JSON. In this form, some values
// cannot be sent: an empty value of a number or boolean would be "", which is read as null, false or an error; a value
// without an exact text would become another one (HasExactText in types/text_form.h).
#pragma once

#include "types/type.h"

namespace widerow {

// True if a server reads the same value from the JSON that AppendJson makes of it.
bool IsKeptByJson(const Type& type, ByteView bytes);

}  // namespace widerow
