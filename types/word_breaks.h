// Divides a text into words. The rules are those of Unicode Standard Annex 29 as Apache Cassandra's SASI
// StandardAnalyzer has them, with Unicode 6.3: a word is a run of letters and digits, and each Chinese character and
// each hiragana character is a word by itself. Signs and characters that Unicode 6.3 does not have are in no word.
#pragma once

#include <functional>
#include <string_view>

namespace widerow {

// Calls `visit` for each word of `text`, in the order of the text. Stops when `visit` returns false. Safe on any
// thread.
void ForEachWord(std::u16string_view text, const std::function<bool(std::u16string_view word)>& visit);

}  // namespace widerow
