// Reads an operator's certificate, key and authorities into a context of OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/tls/tls_options.h"

struct ssl_ctx_st;

namespace widerow {

// OpenSSL counts the references to a context. A session keeps the context with which it was begun.
struct TlsFiles {
  std::shared_ptr<ssl_ctx_st> context;
  int64_t certificate_ends = 0;       // When the server's certificate expires, in seconds of Unix time.
  std::vector<std::string> warnings;  // Each warning is a sentence for the operator.
};

// kServerError names the file, what is wrong with it and what would be right. `now_seconds` is Unix time.
Result<TlsFiles> ReadTlsFiles(const TlsOptions& options, int64_t now_seconds);

}  // namespace widerow
