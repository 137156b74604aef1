#include "parser/dialect.h"

namespace widerow {

std::string_view DialectName(Dialect dialect) {
  switch (dialect) {
    case Dialect::kWiderow: return "widerow";
    case Dialect::kCassandra5: return "cassandra-5";
  }
  return "";
}

std::optional<Dialect> DialectFromName(std::string_view name) {
  for (const Dialect dialect : {Dialect::kWiderow, Dialect::kCassandra5}) {
    if (DialectName(dialect) == name) return dialect;
  }
  return std::nullopt;
}

std::string NoSuchDialect(std::string_view name) {
  return "must be widerow or cassandra-5, not \"" + std::string(name) + "\"";
}

}  // namespace widerow
