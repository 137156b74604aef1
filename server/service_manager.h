// Tells systemd, or another service manager with the same protocol, in which state the server is (sd_notify(3)).
#pragma once

#include <string>
#include <string_view>

namespace widerow {

// Sends nothing if the environment variable NOTIFY_SOCKET is not set. Used by one thread.
class ServiceManager {
 public:
  ServiceManager();

  // Each of these functions sends a state and a sentence, which `systemctl status` shows.
  void Starting(std::string_view status) { Send("", status); }
  void Ready(std::string_view status) { Send("READY=1\n", status); }
  void Stopping(std::string_view status) { Send("STOPPING=1\n", status); }

 private:
  void Send(std::string_view state, std::string_view status) const;

  std::string socket_;  // Empty: nobody listens.
};

}  // namespace widerow
