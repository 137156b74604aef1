// The protocol is one datagram of lines NAME=value to a UNIX socket. So no library is needed for it.
#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace widerow {

ServiceManager::ServiceManager() {
  const char* const socket = std::getenv("NOTIFY_SOCKET");
  // "@name" is a UNIX socket in Linux's abstract namespace. It has no file.
  if (socket != nullptr && (socket[0] == '/' || socket[0] == '@')) socket_ = socket;
}

void ServiceManager::Send(std::string_view state, std::string_view status) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const std::string text = StrCat(state, "STATUS=", status);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  // An error is ignored, because the server does not need the service manager.
  [[maybe_unused]] const ssize_t sent =
      sendto(fd, text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), length);
  close(fd);
}

}  // namespace widerow
