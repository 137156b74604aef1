// CQL's keywords. They are read from the grammar, so there is no second list.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace widerow {

// Returns "FROM" for the token type K_FROM, "TABLE" for K_COLUMNFAMILY; absent for tokens that are not keywords.
std::optional<std::string> KeywordOf(size_t token_type);
// True if the keyword can also be a plain name.
bool IsUnreserved(size_t token_type);
// True for words that need double quotes as a name: reserved keywords, true and false. `word` in any case.
bool IsReservedWord(std::string_view word);

}  // namespace widerow
