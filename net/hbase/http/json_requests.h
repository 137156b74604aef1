// The JSON bodies of POST /v1/hbase/TABLE: {"scan": {…}} or {"batch": […]}.
#pragma once

#include "net/hbase/http/json_cells.h"
#include "net/hbase/store/scanner.h"

namespace widerow::hbase {

struct JsonScan {
  std::unique_ptr<ScanSpec> spec;
  size_t limit = 0;  // The most rows.
};

struct JsonRequest {
  BytesForm form = BytesForm::kText;
  std::optional<JsonScan> scan;
  std::vector<Mutation> batch;
};

// Fails with the name of a field that is unknown or has a wrong value.
Result<JsonRequest> ParseJsonRequest(std::string_view body);

}  // namespace widerow::hbase
