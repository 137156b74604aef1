// A finding of ADVISE: one fault of a design, with figures and with statements that would fix it.
#pragma once

#include <string>
#include <vector>

namespace widerow::advise {

// A design that publications recommend gets no finding above kInfo (docs/measurements/advise-designs.md).
enum class Severity { kInfo, kWarning, kCritical };
const char* SeverityName(Severity severity);  // "info", "warning", "critical".

// The basis of a finding. kDeclared: the schema or the text of a statement. kMeasured: counts of rows, of writes or
// of statements. kSuspected: only the name of a column, or too little data. A suspected finding has the severity kInfo,
// and its evidence says what would prove it.
enum class Confidence { kDeclared, kMeasured, kSuspected };
const char* ConfidenceName(Confidence confidence);  // "declared", "measured", "suspected".

struct Finding {
  std::string code;  // Stable: "tail-hotspot", "few-values", …; docs/operate/advise.md lists all codes.
  Severity severity = Severity::kInfo;
  Confidence confidence = Confidence::kMeasured;
  std::string keyspace, table;
  std::vector<std::string> columns;
  std::string evidence;  // What was observed, with figures.
  std::string why;       // Why it is a fault.
  std::string fix;  // CQL statements, each with a semicolon, that can be run unchanged; empty if no statement helps.
};
using Findings = std::vector<Finding>;

}  // namespace widerow::advise
