// Sockets and their addresses: listening, and addresses as text, as CQL's inet has them, and as options give them.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "exec/outcome.h"

namespace widerow {

// Makes the acceptor listen and gives where: `listen` is an IP address or "localhost"; port 0 takes any free one. kServerError:
// no address, a port in use, or what the system says.
Result<boost::asio::ip::tcp::endpoint> ListenOn(const std::string& listen, uint16_t port,
                                                boost::asio::ip::tcp::acceptor& acceptor);
// "HOST:PORT", "[V6]:PORT"; a name is looked up once. kServerError if it is no such thing or the name is unknown.
Result<boost::asio::ip::tcp::endpoint> ResolveAdvertised(const std::string& advertise);
std::string HostPort(const boost::asio::ip::tcp::endpoint& endpoint);
// Both ends of a connected socket; `advertised` stands in for ours.
std::shared_ptr<const ConnectionFacts> FactsOf(const boost::asio::ip::tcp::socket& socket,
                                               const std::optional<boost::asio::ip::tcp::endpoint>& advertised);

}  // namespace widerow
