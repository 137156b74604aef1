#include "net/http/basic_credentials.h"

#include <strings.h>

#include <algorithm>

#include "net/text/base64url.h"

namespace widerow {

namespace {

constexpr std::string_view kScheme = "Basic ";

Error NotLoggedIn(std::string message) {
  return {.code = ErrorCode::kBadCredentials,
          .message = std::move(message),
          .hint = "send a role's name and password as HTTP Basic authentication, for example curl -u NAME"};
}

// Replaces each character of `from` by the one at the same place in `to`. Base64 and base64url differ in two
// characters.
std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  for (size_t i = 0; i < from.size(); ++i) std::replace(out.begin(), out.end(), from[i], to[i]);
  return out;
}

}  // namespace

Result<LoginRequest> ReadBasicCredentials(std::string_view header) {
  if (header.empty()) return NotLoggedIn("You have not logged in");
  if (header.size() < kScheme.size() || strncasecmp(header.data(), kScheme.data(), kScheme.size()) != 0) {
    return NotLoggedIn("The only authentication here is Basic");
  }
  header.remove_prefix(kScheme.size());
  while (header.starts_with(' ')) header.remove_prefix(1);
  Bytes both;
  const bool decoded = DecodeBase64Url(Replaced(header, "+/", "-_"), both);
  const size_t colon = both.find(':');
  if (!decoded || colon == Bytes::npos) return NotLoggedIn("The Authorization header is not NAME:PASSWORD in base64");
  if (colon == 0) return NotLoggedIn("Authentication ID must not be null");
  if (colon + 1 == both.size()) return NotLoggedIn("Password must not be null");
  return LoginRequest{.role = both.substr(0, colon), .password = both.substr(colon + 1), .address = {}};
}

std::string WriteBasicCredentials(const std::string& role, const std::string& password) {
  std::string text = Replaced(EncodeBase64Url(role + ':' + password), "-_", "+/");
  while (text.size() % 4 != 0) text += '=';
  return std::string(kScheme) + text;
}

}  // namespace widerow
