// The shell's side of TLS: which servers it trusts, and the certificate that it shows.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <string>

#include "base/result.h"
#include "shell/shell.h"

namespace widerow {

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>;

// Reads the files that `tls` names. If one of them cannot be used, returns kInvalid, and the message names the file.
Result<std::shared_ptr<boost::asio::ssl::context>> MakeClientContext(const ClientTls& tls);
// Shakes hands with the server that `stream` is connected to. Its certificate must come from a trusted authority and be
// valid for `host`. Returns why the handshake failed; empty if it succeeded.
std::string ShakeHands(TlsStream& stream, const std::string& host);

}  // namespace widerow
