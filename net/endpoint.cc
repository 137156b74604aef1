#include "net/endpoint.h"

#include <boost/asio/io_context.hpp>
#include <charconv>

namespace widerow {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

Bytes InetBytes(const asio::ip::address& address) {
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    return Bytes(bytes.begin(), bytes.end());
  }
  // A socket that listens for both families reports IPv4 clients as mapped IPv6 addresses.
  if (address.to_v6().is_v4_mapped()) return InetBytes(asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()));
  const auto bytes = address.to_v6().to_bytes();
  return Bytes(bytes.begin(), bytes.end());
}

}  // namespace

Result<tcp::endpoint> ListenOn(const std::string& listen, uint16_t port, tcp::acceptor& acceptor) {
  boost::system::error_code code;
  const asio::ip::address address = asio::ip::make_address(listen == "localhost" ? "127.0.0.1" : listen, code);
  if (code) {
    return ServerError("\"" + listen + "\" is not an address to listen on",
                       "give an IP address such as 127.0.0.1, 0.0.0.0 or ::1");
  }
  const tcp::endpoint wanted(address, port);
  acceptor.open(wanted.protocol(), code);
  if (!code) acceptor.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code) acceptor.bind(wanted, code);
  if (!code) acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code == asio::error::address_in_use) {
    return ServerError("port " + std::to_string(port) + " on " + listen + " is in use",
                       "take another port, or 0 for any free one");
  }
  if (code) {
    return ServerError("cannot listen on " + listen + " port " + std::to_string(port) + ": " + code.message());
  }
  return acceptor.local_endpoint(code);
}

Result<tcp::endpoint> ResolveAdvertised(const std::string& advertise) {
  const size_t colon = advertise.rfind(':');
  std::string host = advertise.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  uint16_t port = 0;
  const char* const end = advertise.data() + advertise.size();
  const auto parsed = colon == std::string::npos ? std::from_chars_result{end, std::errc::invalid_argument}
                                                 : std::from_chars(advertise.data() + colon + 1, end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port == 0 || host.empty()) {
    return ServerError("--advertise needs HOST:PORT, not \"" + advertise + "\"",
                       "for example --advertise 10.0.0.5:9042");
  }
  asio::io_context io;
  boost::system::error_code code;
  const auto found = tcp::resolver(io).resolve(host, std::to_string(port), code);
  if (code || found.empty()) {
    return ServerError("cannot find the address of \"" + host + "\" to advertise: " + code.message());
  }
  return found.begin()->endpoint();
}

std::string HostPort(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(endpoint.port());
}

std::shared_ptr<const ConnectionFacts> FactsOf(const tcp::socket& socket,
                                               const std::optional<tcp::endpoint>& advertised) {
  boost::system::error_code ignored;
  const tcp::endpoint local = advertised ? *advertised : socket.local_endpoint(ignored);
  const tcp::endpoint client = socket.remote_endpoint(ignored);
  return std::make_shared<const ConnectionFacts>(ConnectionFacts{.local_address = InetBytes(local.address()),
                                                                 .local_port = local.port(),
                                                                 .client_address = InetBytes(client.address()),
                                                                 .client_port = client.port()});
}

}  // namespace widerow
