// Taking the text of a collection, tuple or UDT apart without knowing the types inside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace widerow {

// "[a, b]", "{a, b}" or "(a, b)" by `open`; with `pairs` "{k: v, k: v}", as k, v, k, v. Parts are trimmed; brackets and
// quotes inside them stay together. False if the text has another shape.
bool SplitText(std::string_view text, char open, bool pairs, std::vector<std::string_view>& parts);

// 'it''s' -> it's. False if `text` is not one quoted text.
bool UnquoteText(std::string_view text, std::string& unquoted);

}  // namespace widerow
