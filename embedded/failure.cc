#include "embedded/failure.h"

#include <algorithm>

#include "parser/error_text.h"

namespace widerow {

Failure ToFailure(const Error& error, std::string_view statement) {
  Failure failure{.code = static_cast<uint32_t>(error.code), .message = FullErrorText(error, statement)};
  if (error.range && error.range->begin <= error.range->end && error.range->end <= statement.size()) {
    const LineColumn place = LocateOffset(statement, error.range->begin);
    failure.line = place.line;
    failure.column = place.column;
    const std::string_view text = statement.substr(error.range->begin, error.range->end - error.range->begin);
    failure.length = static_cast<uint32_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
  }
  return failure;
}

}  // namespace widerow
