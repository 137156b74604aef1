// Prints results for people and programs. A printer takes the pages of one result in order.
//
//  table              expanded            json (an object a line)   csv (RFC 4180, but LF)
//   id | name         @ Row 1             {"id":1,"name":"ann"}      id,name
//  ----+------        ------+-----                                   1,ann
//    1 | ann           id   | 1
//                      name | ann
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exec/rows/outcome.h"

namespace widerow {

enum class OutputFormat : uint8_t { kTable, kExpanded, kJson, kCsv };
std::optional<OutputFormat> OutputFormatFromName(std::string_view name);
const char* OutputFormatName(OutputFormat format);

class ResultPrinter {
 public:
  virtual ~ResultPrinter() = default;
  // The first page may have no rows; it has the columns.
  virtual void Page(const RowsPage& page) = 0;
  // Called after the last page; prints the row count if the format has one.
  virtual void End() = 0;
};

struct PrinterOptions {
  OutputFormat format = OutputFormat::kTable;
  bool color = false;
};
std::unique_ptr<ResultPrinter> MakePrinter(const PrinterOptions& options, std::ostream& out);

// Appends a value as CSV, for the format csv and for COPY TO. Null is written as `null_text` without quotes. A value
// whose text is equal to `null_text` is quoted. An empty value is written as kEmptyValueField if an empty field would
// be null.
void AppendCsvValue(const Type& type, const ValueView& value, std::string_view null_text,
                    const struct CsvFormat& format, std::string& out);

}  // namespace widerow
