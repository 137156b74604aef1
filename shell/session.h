// The database that the shell works on: in this process, or a server over HTTP. Both answer with the engine's Outcome
// and values in the native protocol's bytes, so printing, export and import are the same for both.
//
// One thread at a time uses a Session; Connect() makes another one for another thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exec/rows/outcome.h"
#include "shell/shell.h"
#include "types/schema.h"

namespace widerow {

class BulkInsert;
class Engine;

struct SessionRequest {
  std::string text;
  RequestParameters parameters;      // Values are given by position only.
  std::vector<TypePtr> value_types;  // One per value.
};

class Session {
 public:
  virtual ~Session() = default;
  // Runs a statement. Errors of the database have ranges into request.text; kServerError if the server cannot be
  // reached.
  virtual Result<Outcome> Execute(const SessionRequest& request) = 0;
  // Returns the current schema. A server's schema is at most two seconds old and has all changes that this session
  // made.
  virtual Result<SchemaPtr> Schema() = 0;
  virtual Result<std::unique_ptr<Session>> Connect() = 0;
  // True if a text that is repeated with other values is planned only once, and if values can be unset.
  virtual bool prepares() const = 0;
  // Opens a bulk load, which bypasses the commit log, for an INSERT with markers. Null if the session has no bulk loads
  // (a server), or if the table has a unique index. The session must outlive the bulk load.
  virtual Result<std::unique_ptr<BulkInsert>> OpenBulk(const std::string& insert, size_t lanes) = 0;
  // Returns "data directory data" or "127.0.0.1:8042".
  virtual std::string place() const = 0;
};

// `engine` must outlive the session.
std::unique_ptr<Session> MakeLocalSession(Engine& engine, std::string place);
// Opens (or creates) a data directory in this process. `roles`: statements about roles are allowed.
Result<std::unique_ptr<Session>> OpenLocalSession(const std::string& directory, LanguageOptions language = {},
                                                  bool roles = false);
struct Credentials {
  std::string user, password;  // Both empty: no login.
};
// `address`: HOST:PORT, [IPV6]:PORT or HOST (port 8042). Fails if no server answers, or if it refuses the credentials.
Result<std::unique_ptr<Session>> OpenHttpSession(const std::string& address, const Credentials& credentials = {},
                                                 const ClientTls& tls = {});
class ShellHttpClient;  // shell/http_connection.h
// Connects to a server without asking it anything.
Result<ShellHttpClient> OpenHttpClient(const std::string& address, const Credentials& credentials,
                                       const ClientTls& tls);
// Reads the body of an answer that is an error.
Error ReadHttpError(const std::string& body);

}  // namespace widerow
