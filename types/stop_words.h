// Stop words: words such as "the" that occur in most texts of a language, so that an index can leave them out. The
// lists are those of Apache Cassandra (types/stop_words).
#pragma once

#include <string_view>
#include <unordered_set>

namespace widerow {

using StopWords = std::unordered_set<std::string_view>;

// Returns the stop words of a language such as "en"; nullptr if there is no list. Valid for the life of the program.
const StopWords* StopWordsOf(std::string_view language);

}  // namespace widerow
