// Listening sockets, and conversions of addresses: to the bytes of CQL's type inet, and from and to text.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "exec/rows/outcome.h"

namespace widerow {

// Makes the acceptor listen and returns the actual endpoint. `listen` is an IP address or "localhost"; port 0 takes any
// free port. kServerError if `listen` is no address, if the port is in use, or if the system refuses.
Result<boost::asio::ip::tcp::endpoint> ListenOn(const std::string& listen, uint16_t port,
                                                boost::asio::ip::tcp::acceptor& acceptor);
// Parses "HOST:PORT" or "[V6]:PORT"; a host name is looked up once. kServerError if the text has another form or the
// name is unknown.
Result<boost::asio::ip::tcp::endpoint> ResolveAdvertised(const std::string& advertise);
// Returns the text of an endpoint, such as "127.0.0.1:9042". An IPv6 address is in brackets.
std::string HostPort(const boost::asio::ip::tcp::endpoint& endpoint);
// Returns the addresses of the server and the client of a connected socket. If `advertised` is set, it replaces the
// server's address.
std::shared_ptr<const ConnectionFacts> FactsOf(const boost::asio::ip::tcp::socket& socket,
                                               const std::optional<boost::asio::ip::tcp::endpoint>& advertised);

}  // namespace widerow
