#include "types/text_scan.h"

namespace widerow {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Returns the end of the part that begins at `begin`: the first of `stops` outside quotes and brackets, or the end of
// the text. npos if a quote or bracket is not closed.
size_t PartEnd(std::string_view text, size_t begin, std::string_view stops) {
  std::string closers;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = text.find(c, i + 1);  // A doubled quote ends one quoted text and begins the next.
      if (i == std::string_view::npos) return i;
    } else if (c == '[' || c == '{' || c == '(') {
      closers += c == '[' ? ']' : c == '{' ? '}' : ')';
    } else if (!closers.empty() && c == closers.back()) {
      closers.pop_back();
    } else if (closers.empty() && stops.find(c) != std::string_view::npos) {
      return i;
    }
  }
  return closers.empty() ? text.size() : std::string_view::npos;
}

}  // namespace

bool SplitText(std::string_view text, char open, bool pairs, std::vector<std::string_view>& parts) {
  text = Trim(text);
  const char close = open == '[' ? ']' : open == '{' ? '}' : ')';
  if (text.size() < 2 || text.front() != open || text.back() != close) return false;
  text = Trim(text.substr(1, text.size() - 2));
  parts.clear();
  if (text.empty()) return true;
  for (size_t begin = 0;;) {
    const bool is_key = pairs && parts.size() % 2 == 0;
    const size_t end = PartEnd(text, begin, is_key ? ":" : ",");
    if (end == std::string_view::npos || (is_key && end == text.size())) return false;
    const std::string_view part = Trim(text.substr(begin, end - begin));
    if (part.empty()) return false;
    parts.push_back(part);
    if (end == text.size()) return true;
    begin = end + 1;
  }
}

bool UnquoteText(std::string_view text, std::string& unquoted) {
  if (text.size() < 2 || text.front() != '\'' || text.back() != '\'') return false;
  text = text.substr(1, text.size() - 2);
  unquoted.clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'' && (++i == text.size() || text[i] != '\'')) return false;
    unquoted += text[i];
  }
  return true;
}

}  // namespace widerow
