#include "server/config.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <thread>

namespace widerow {

int DefaultIoThreads() { return static_cast<int>(std::max(2u, std::thread::hardware_concurrency() / 2)); }

bool IsLoopback(const std::string& listen) {
  if (listen == "localhost") return true;
  unsigned char v4[4] = {};
  if (inet_pton(AF_INET, listen.c_str(), v4) == 1) return v4[0] == 127;
  unsigned char v6[16] = {}, one[16] = {};
  one[15] = 1;
  return inet_pton(AF_INET6, listen.c_str(), v6) == 1 && std::memcmp(v6, one, sizeof one) == 0;
}

}  // namespace widerow
