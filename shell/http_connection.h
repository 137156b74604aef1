// One keep-alive HTTP/1.1 connection to a server, with or without TLS. Blocking; one thread at a time. A signal
// (Ctrl-C) ends a wait with an error; the connection is then closed, and the next request opens a new one.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "shell/shell.h"

namespace widerow {

struct HttpAnswer {
  unsigned status = 0;
  std::string body;
};

class ShellHttpClient {
 public:
  // `authorization` is sent with every request; empty: none.
  static Result<ShellHttpClient> Open(const std::string& host, const std::string& port,
                                      const std::string& authorization, const ClientTls& tls);
  ShellHttpClient(ShellHttpClient&&) noexcept;
  ShellHttpClient& operator=(ShellHttpClient&&) noexcept;
  ~ShellHttpClient();

  // Sets the header Authorization of all later requests.
  void SetAuthorization(std::string authorization);
  Result<HttpAnswer> Get(const std::string& target);
  Result<HttpAnswer> Delete(const std::string& target);
  Result<HttpAnswer> PostJson(const std::string& target, std::string body);

 private:
  struct State;
  explicit ShellHttpClient(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace widerow
