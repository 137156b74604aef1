// Writes rows as JSON, NDJSON or CSV, page by page into a string (docs/reference/http.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/prepared/prepared_description.h"

namespace widerow {

enum class ResultFormat : uint8_t { kJson, kNdjson, kCsv };

const char* ContentTypeOf(ResultFormat format);
// Chooses a format by an Accept header, the highest q first. An empty header means JSON. nullopt if the header names no
// supported type.
std::optional<ResultFormat> ChooseFormat(std::string_view accept);
// Accepts "json", "ndjson" and "csv".
std::optional<ResultFormat> FormatFromName(std::string_view name);

// Writes one result: call Begin, then Page for each page, then End.
class ResultWriter {
 public:
  ResultWriter(ResultFormat format, ResultColumnsPtr columns) : format_(format), columns_(std::move(columns)) {}
  void Begin(std::string& out) const;
  // Fails if a later page has other columns than the ones that Begin has named.
  Status CheckColumns(const RowsPage& page) const { return CheckSameColumns(columns_, page.columns); }
  void Page(const RowsPage& page, std::string& out);
  // Ends the result. `page_state` (base64url) and `warnings` are written in JSON only; the other formats send them as
  // headers.
  void End(std::string_view page_state, const std::vector<std::string>& warnings, std::string& out) const;

 private:
  void Row(const std::vector<ValueView>& row, std::string& out);

  const ResultFormat format_;
  const ResultColumnsPtr columns_;
  std::vector<std::string> keys_;  // NDJSON: `"name":` of each column.
  std::vector<ValueView> row_;
  bool first_row_ = true;
};

// Appends ["…",…].
void AppendJsonStrings(const std::vector<std::string>& strings, std::string& out);

}  // namespace widerow
