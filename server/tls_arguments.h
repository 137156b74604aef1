// Declares and checks the options about TLS: those of `widerow serve`, and those of the commands that connect to a
// server.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "server/serve.h"
#include "shell/shell.h"

namespace CLI {
class App;
}

namespace widerow {

// The texts of those TLS options whose fields in ServeOptions have other types.
struct TlsArguments {
  std::string mode, port, clients, min;
};

// False if the text is not a number from 0 to 65535.
bool ParsePort(const std::string& text, uint16_t& port);

void DeclareServeTls(CLI::App& serve, TlsArguments& arguments, TlsOptions& options);
// Sets the fields of ServeOptions that follow from these texts. kInvalid names the option that is wrong.
Status CheckServeTls(const TlsArguments& arguments, ServeOptions& options);

void DeclareClientTls(CLI::App& command, ClientTls& tls);
// `on_directory`: the command works on a data directory, not on a server. `see_help` says where the options are
// described.
Status CheckClientTls(const ClientTls& tls, bool on_directory, const std::string& see_help);

}  // namespace widerow
