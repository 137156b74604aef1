// Reduces words to their stems with Snowball's algorithms: "running" and "runs" become "run".
#pragma once

#include <string>
#include <string_view>

namespace widerow {

// True if `algorithm` is one of libstemmer's, such as "english", "german" or "porter".
bool IsStemmer(std::string_view algorithm);

// Replaces `word` by its stem. `algorithm` must be one for which IsStemmer is true. Safe on any thread.
void Stem(const std::string& algorithm, std::string& word);

// Like Stem, but, as in Cassandra, a word stays unchanged if the algorithm ends early. Only the Turkish algorithm ends
// early: for words that end in -lar or -ler, and for words whose stem is "ad" or "soyad".
void StemAsCassandra(const std::string& algorithm, std::string& word);

}  // namespace widerow
