#include "types/stop_words.h"

#include <algorithm>
#include <map>

namespace widerow {
namespace {

struct List {
  std::string_view language, text;
};
// The build writes this file: one list per file of types/stop_words.
constexpr List kLists[] = {
#include "stop_word_lists.inc"
};

// A line that begins with # is a comment, any other line is a word.
StopWords Read(std::string_view text) {
  StopWords words;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty() && line.front() != '#') words.insert(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return words;
}

}  // namespace

const StopWords* StopWordsOf(std::string_view language) {
  static const std::map<std::string_view, StopWords> lists = [] {
    std::map<std::string_view, StopWords> made;
    for (const List& list : kLists) made.emplace(list.language, Read(list.text));
    return made;
  }();
  const auto found = lists.find(language);
  return found == lists.end() ? nullptr : &found->second;
}

}  // namespace widerow
