// What the shell talks to: a database in this process, or a server over HTTP. Both answer in the engine's own Outcome,
// with values in the native protocol's bytes, so that everything above prints, exports and imports the same way.
//
// A Session belongs to one thread at a time; Connect() gives another one for another thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "exec/outcome.h"
#include "types/schema.h"

namespace widerow {

class BulkInsert;
class Engine;

struct SessionRequest {
  std::string text;
  RequestParameters parameters;      // By position only.
  std::vector<TypePtr> value_types;  // One a value.
};

class Session {
 public:
  virtual ~Session() = default;
  // Errors of the database, ranges into request.text; kServerError when the server cannot be reached.
  virtual Result<Outcome> Execute(const SessionRequest& request) = 0;
  // The schema as it is now (a server's at most two seconds old, unless this session changed it).
  virtual Result<SchemaPtr> Schema() = 0;
  virtual Result<std::unique_ptr<Session>> Connect() = 0;
  // A text that comes again with other values is parsed and planned once, and values may be unset.
  virtual bool prepares() const = 0;
  // Rows of an INSERT (with markers) past the commit log, for a database in this process that is to take many; null if there
  // is no such way. The session outlives it.
  virtual Result<std::unique_ptr<BulkInsert>> OpenBulk(const std::string& insert, size_t lanes) = 0;
  // "data directory data" or "127.0.0.1:8042".
  virtual std::string place() const = 0;
};

// `engine` outlives the session.
std::unique_ptr<Session> MakeLocalSession(Engine& engine, std::string place);
// Opens (or creates) a data directory in this process. `roles`: statements about them are run, too.
Result<std::unique_ptr<Session>> OpenLocalSession(const std::string& directory, LanguageOptions language = {}, bool roles = false);
struct Credentials {
  std::string user, password;  // Both empty: nobody logs in.
};
// `address`: HOST:PORT, [IPV6]:PORT or HOST (port 8042). Fails if nobody answers there, or wants other credentials.
Result<std::unique_ptr<Session>> OpenHttpSession(const std::string& address, const Credentials& credentials = {});

}  // namespace widerow
