// A dialect is a language that Widerow accepts. kWiderow is CQL with the extensions of docs/reference/extensions.md.
// Each other dialect is exactly the language of another database, including its error messages. The option `--profile`
// chooses the dialect when the database is opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace widerow {

enum class Dialect : uint8_t { kWiderow, kCassandra5 };

struct LanguageOptions {
  Dialect dialect = Dialect::kWiderow;
  bool extension_warnings = true;  // True if statements that go beyond CQL get a warning.
};

// Returns "widerow" or "cassandra-5".
std::string_view DialectName(Dialect dialect);
std::optional<Dialect> DialectFromName(std::string_view name);
// Returns "must be widerow or cassandra-5, not \"x\"", the message for a name that DialectFromName does not know.
std::string NoSuchDialect(std::string_view name);

}  // namespace widerow
