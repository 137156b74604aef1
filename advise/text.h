// Prints figures and names for the sentences of findings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "types/schema.h"

namespace widerow::advise {

// The comments of the following functions are examples of their results.
std::string Count(uint64_t number);                          // 1,234,567
std::string Size(uint64_t bytes);                            // 812 bytes, 3.2 kB, 120 MB, 10 GB
std::string Percent(double share);                           // 12 %, 0.42 %
std::string Span(int64_t micros);                            // 20 s, 3.5 hours, 12 days
std::string Times(double factor);                            // 3.4, 120
std::string Plural(uint64_t number, std::string_view noun);  // 1 row, 2,000 rows
// Returns a value for a sentence: text in quotes, at most 40 bytes and then "…".
std::string Shown(const Type& type, ByteView value);
std::string FullName(const TableSchema& table);  // ks.t, quoted if necessary.

}  // namespace widerow::advise
