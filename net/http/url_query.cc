#include "net/http/url_query.h"

#include "base/bytes.h"

namespace widerow {

bool DecodeUrl(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    Bytes byte;
    if (text[i] == '%') {
      if (i + 2 >= text.size() || !FromHex(text.substr(i + 1, 2), byte)) return false;
      out += byte;
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return true;
}

std::optional<std::map<std::string, std::string>> ParseUrlQuery(std::string_view query) {
  std::map<std::string, std::string> out;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    const size_t equals = part.find('=');
    std::string name, value;
    if (equals == std::string_view::npos || !DecodeUrl(part.substr(0, equals), name) || !DecodeUrl(part.substr(equals + 1), value)) {
      return std::nullopt;
    }
    if (!out.emplace(std::move(name), std::move(value)).second) return std::nullopt;
  }
  return out;
}

}  // namespace widerow
