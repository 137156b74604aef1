#include "parser/error_text.h"

#include <algorithm>
#include <vector>

#include "parser/source_text.h"

namespace widerow {
namespace {

constexpr size_t kColumnsMax = 120;

struct Line {
  size_t begin = 0, end = 0;  // The line break is not included.
};
Line LineAt(std::string_view text, size_t offset) {
  const size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  Line line{before == std::string_view::npos ? 0 : before + 1, std::min(text.find('\n', offset), text.size())};
  if (line.end > line.begin && text[line.end - 1] == '\r') --line.end;
  return line;
}

// Returns the code points of the text, each as a string. Tabs and control characters become blanks, so that the carets
// are below the right column.
std::vector<std::string> CodePoints(std::string_view text) {
  std::vector<std::string> points;
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const bool printable = length > 1 || (length == 1 && static_cast<uint8_t>(text[0]) >= 0x20 && text[0] != 0x7F);
    points.emplace_back(printable ? text.substr(0, length) : length == 0 ? "?" : " ");
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return points;
}

std::string CaretLines(std::string_view text, SourceRange range) {
  const size_t begin = std::min<size_t>(range.begin, text.size());
  const Line line = LineAt(text, begin);
  const std::vector<std::string> points = CodePoints(text.substr(line.begin, line.end - line.begin));
  const size_t column = CodePoints(text.substr(line.begin, begin - line.begin)).size();
  const size_t end = std::clamp<size_t>(range.end, begin, std::max(line.end, begin));
  size_t carets = std::max<size_t>(1, CodePoints(text.substr(begin, end - begin)).size());

  size_t first = 0, last = points.size();
  if (points.size() > kColumnsMax) {
    first = column > kColumnsMax / 2 ? std::min(column - kColumnsMax / 2, points.size() - kColumnsMax) : 0;
    last = std::min(points.size(), first + kColumnsMax);
    carets = std::max<size_t>(1, std::min(carets, last - std::min(column, last)));
  }
  std::string shown = first > 0 ? "..." : "";
  std::string marks(shown.size() + column - first, ' ');
  for (size_t i = first; i < last; ++i) shown += points[i];
  if (last < points.size()) shown += "...";
  return shown + "\n" + marks + std::string(carets, '^');
}

}  // namespace

LineColumn LocateOffset(std::string_view statement, uint32_t offset) {
  const std::string_view before = statement.substr(0, std::min<size_t>(offset, statement.size()));
  LineColumn place;
  place.line += static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  for (size_t at = line_begin; at < before.size();) {
    at += std::max<size_t>(1, Utf8SequenceLength(before.substr(at)));
    ++place.column;
  }
  return place;
}

std::string FullErrorText(const Error& error, std::string_view statement) {
  std::string text = error.message;
  if (!error.hint.empty()) {
    text += "\nhint: " + error.hint;
    if (error.range) {
      const LineColumn place = LocateOffset(statement, error.range->begin);
      text += " (" + std::to_string(place.line) + ":" + std::to_string(place.column + 1) + ")";
    }
  }
  if (error.range) text += "\n" + CaretLines(statement, *error.range);
  return text;
}

}  // namespace widerow
