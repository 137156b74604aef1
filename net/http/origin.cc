#include "net/http/origin.h"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace widerow {

namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

bool IsPort(std::string_view text) {
  return text.size() <= 5 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Returns "::1" for "[::1]:80" and "a.b" for "a.b:80"; empty if the text is malformed.
std::string HostName(std::string_view host) {
  if (!host.empty() && host.front() == '[') {
    const size_t end = host.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view after = host.substr(end + 1);
    if (!after.empty() && (after.front() != ':' || !IsPort(after.substr(1)))) return {};
    return std::string(host.substr(1, end - 1));
  }
  const size_t colon = host.find(':');
  if (colon != std::string_view::npos && !IsPort(host.substr(colon + 1))) return {};
  return Lower(host.substr(0, colon));
}

bool IsIpLiteral(const std::string& name) {
  char scratch[16];
  return inet_pton(AF_INET, name.c_str(), scratch) == 1 || inet_pton(AF_INET6, name.c_str(), scratch) == 1;
}

// Returns the machine's name as `hostname` prints it. No other site on the Internet has it.
const std::string& MachineName() {
  static const std::string name = [] {
    char text[256] = {};
    return gethostname(text, sizeof text - 1) == 0 ? Lower(text) : std::string();
  }();
  return name;
}

std::string WithoutDefaultPort(std::string_view host, std::string_view port) {
  std::string lower = Lower(host);
  if (lower.size() > port.size() && lower.ends_with(port)) lower.resize(lower.size() - port.size());
  return lower;
}

}  // namespace

bool IsHost(std::string_view host) {
  static constexpr std::string_view kMarks = "-._~%!$&'()*+,;=";
  const std::string name = HostName(host);
  if (host.starts_with('[')) return name.find(':') != std::string::npos && IsIpLiteral(name);
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  });
}

bool IsOwnHost(std::string_view host, std::string_view listen) {
  std::string name = HostName(host);
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) return false;
  return name == "localhost" || name.ends_with(".localhost") || name == Lower(listen) || IsIpLiteral(name) ||
         name == MachineName();
}

bool IsOwnOrigin(std::string_view origin, std::string_view host, bool secure) {
  if (host.empty()) return false;
  const std::string lower = Lower(origin);
  if (secure && !lower.starts_with("https://")) return false;
  for (const auto& [scheme, port] : {std::pair("http://", ":80"), std::pair("https://", ":443")}) {
    if (lower.starts_with(scheme)) {
      return WithoutDefaultPort(std::string_view(lower).substr(std::string_view(scheme).size()), port) ==
             WithoutDefaultPort(host, port);
    }
  }
  return false;
}

}  // namespace widerow
