// What ADVISE answers with: one finding a mistake of a design, with figures and with statements that would mend it.
#pragma once

#include <string>
#include <vector>

namespace widerow::advise {

// A design that its authors recommend gets nothing above kInfo (docs/measurements/advise-designs.md lists thirty of them).
enum class Severity { kInfo, kWarning, kCritical };
const char* SeverityName(Severity severity);  // "info", "warning", "critical"

struct Finding {
  std::string code;  // Stable: "tail-hotspot", "few-values", …; docs/operate/advise.md has them all.
  Severity severity = Severity::kInfo;
  std::string keyspace, table;
  std::vector<std::string> columns;
  std::string evidence;  // What was seen, with figures.
  std::string why;       // What comes of it.
  std::string fix;       // CQL statements, each ended by a semicolon, that run as they stand; empty if no statement mends it.
};
using Findings = std::vector<Finding>;

}  // namespace widerow::advise
