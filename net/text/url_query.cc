#include "net/text/url_query.h"

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

std::optional<std::vector<std::pair<std::string, std::string>>> ParseUrlQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.empty()) continue;
    auto& [name, value] = parameters.emplace_back();
    const size_t equals = std::min(one.find('='), one.size());
    if (!DecodeUrl(one.substr(0, equals), name)) return std::nullopt;
    if (!DecodeUrl(one.substr(std::min(equals + 1, one.size())), value)) return std::nullopt;
  }
  return parameters;
}

}  // namespace widerow
