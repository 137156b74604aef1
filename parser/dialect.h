// Which language a database speaks: Widerow's own, which is CQL with the extensions of docs/reference/extensions.md, or exactly that
// of another database, whose refusals it then repeats. Chosen once, when the database is opened (`--profile`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace widerow {

enum class Dialect : uint8_t { kWiderow, kCassandra5 };

struct LanguageOptions {
  Dialect dialect = Dialect::kWiderow;
  bool extension_warnings = true;  // Whether statements that go beyond CQL get a warning.
};

// "widerow", "cassandra-5".
std::string_view DialectName(Dialect dialect);
std::optional<Dialect> DialectFromName(std::string_view name);
// "must be widerow or cassandra-5, not \"x\"": what to say where DialectFromName knows no such name.
std::string NoSuchDialect(std::string_view name);

}  // namespace widerow
