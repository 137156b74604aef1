// The options for logging single statements: slow statements, and audits that say who ran which statements.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/log.h"

namespace widerow {

// The kinds of events that can be audited. The names are Cassandra's.
enum class AuditCategory : uint8_t {
  kAuth,   // Logins, and statements that were refused because of missing permissions.
  kDdl,    // Schema changes and TRUNCATE.
  kDcl,    // Statements about roles and permissions.
  kDml,    // INSERT, UPDATE, DELETE, batches.
  kQuery,  // SELECT, heat maps.
  kOther,  // USE, DESCRIBE, ADVISE, and EXPLAIN without ANALYZE.
  kError,  // All statements that failed.
};

// Returns "auth", "ddl", ….
const char* AuditCategoryName(AuditCategory category);

class AuditCategories {
 public:
  // Reads names with commas between them, or "all". nullopt if one of them is not known.
  static std::optional<AuditCategories> Named(std::string_view names);

  void Add(AuditCategory category) { bits_ |= Bit(category); }
  bool Has(AuditCategory category) const { return (bits_ & Bit(category)) != 0; }
  bool any() const { return bits_ != 0; }

 private:
  static uint32_t Bit(AuditCategory category) { return uint32_t{1} << static_cast<uint32_t>(category); }

  uint32_t bits_ = 0;
};

struct WatchOptions {
  std::chrono::milliseconds slow_from{0};  // Statements that take this long are logged; 0: none.
  AuditCategories audit;
  bool literals = false;  // True: the log shows the constants of statements, unless a statement has a password.
  LogFunction log;        // Receives slow statements, and statements that fail by a fault of the server.
  LogFunction audit_log;
};

}  // namespace widerow
