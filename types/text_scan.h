// Splits the text of a collection, tuple or UDT without knowing the types inside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace widerow {

// Splits "[a, b]", "{a, b}" or "(a, b)" into a and b; `open` is the first bracket. With `pairs`, splits "{k: v, k: v}"
// into k, v, k, v. Spaces around a part are removed. A comma inside brackets or quotes does not end a part. False if
// the text has another form.
bool SplitText(std::string_view text, char open, bool pairs, std::vector<std::string_view>& parts);

// Turns 'it''s' into it's. False if `text` is not one quoted text.
bool UnquoteText(std::string_view text, std::string& unquoted);

}  // namespace widerow
