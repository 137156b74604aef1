// The body of POST /v1/query, checked field by field, and its parameters as bind values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/uuid.h"
#include "exec/outcome.h"
#include "net/http/result_format.h"

namespace widerow {

inline constexpr uint32_t kHttpPageRowsMax = 100'000;

// Parameters borrow from the body.
struct QueryRequest {
  std::string query, keyspace;
  bool has_params = false;
  std::vector<std::string_view> params;  // Raw JSON values.
  std::vector<std::string> names;        // One a parameter if they are named, else empty.
  uint32_t page_rows = 0;                // 0: all rows.
  Bytes page_state;
  std::optional<Uuid> snapshot;          // Of POST /v1/snapshots.
  std::optional<ResultFormat> format;
};

// kInvalid names the field and what was expected.
Result<QueryRequest> ParseQueryRequest(std::string_view body);

// The parameters in marker order, each as its marker's type. kInvalid names the parameter.
Result<std::vector<BoundValue>> BindJsonParameters(const QueryRequest& request, const std::vector<MarkerSpec>& markers);

}  // namespace widerow
