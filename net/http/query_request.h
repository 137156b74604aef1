// The checked body of POST /v1/query, and its parameters as bind values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes_map.h"
#include "base/result.h"
#include "base/uuid.h"
#include "exec/rows/outcome.h"
#include "net/http/result_format.h"

namespace widerow {

inline constexpr uint32_t kHttpPageRowsMax = 100'000;

// A parsed request. `params` borrows from the body.
struct QueryRequest {
  std::string query, keyspace;
  bool has_params = false;
  std::vector<std::string_view> params;  // JSON texts of the values.
  BytesMap<size_t> named;                // If the parameters are named: maps each name to its index in `params`.
  uint32_t page_rows = 0;                // 0: all rows.
  Bytes page_state;
  std::optional<Uuid> snapshot;  // The id that POST /v1/snapshots returned.
  std::optional<ResultFormat> format;
};

// Parses the body. kInvalid names the field and says what was expected.
Result<QueryRequest> ParseQueryRequest(std::string_view body);

// Converts the parameters to the types of the markers, in marker order. kInvalid names the parameter.
Result<std::vector<BoundValue>> BindJsonParameters(const QueryRequest& request, const std::vector<MarkerSpec>& markers);

}  // namespace widerow
