// CQL's keywords, read off the grammar itself so that no second list can drift from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace widerow {

// "FROM" for the token type of K_FROM, "TABLE" for K_COLUMNFAMILY; absent for tokens that are no keywords.
std::optional<std::string> KeywordOf(size_t token_type);
// May this keyword also be a plain name?
bool IsUnreserved(size_t token_type);
// True for words that as a name need double quotes: reserved keywords, true and false. `word` in any case.
bool IsReservedWord(std::string_view word);

}  // namespace widerow
