#include <strings.h>

#include "parser/parse.h"
#include "parser/scanner.h"

namespace widerow {
namespace {

// Recognizes BEGIN [UNLOGGED | COUNTER] BATCH … APPLY BATCH: semicolons inside belong to the batch.
class BatchTracker {
 public:
  void Add(std::string_view word) {
    const auto is = [&](std::string_view keyword) {
      return word.size() == keyword.size() && strncasecmp(word.data(), keyword.data(), word.size()) == 0;
    };
    if (at_start_ && is("begin")) {
      opening_ = true;
    } else if (opening_ && is("batch")) {
      inside_ = true;
      opening_ = false;
    } else if (opening_ && !is("unlogged") && !is("counter")) {
      opening_ = false;
    } else if (inside_ && after_apply_ && is("batch")) {
      inside_ = false;
    }
    after_apply_ = is("apply");
    at_start_ = at_start_ && (is("explain") || is("analyze"));
  }
  bool inside() const { return inside_; }

 private:
  bool at_start_ = true;  // True while the statement has no word yet, except EXPLAIN and ANALYZE.
  bool opening_ = false, inside_ = false, after_apply_ = false;
};

}  // namespace

std::vector<StatementSpan> SplitStatements(std::string_view script) {
  std::vector<StatementSpan> spans;
  std::optional<SourceRange> range;  // The current statement; absent before its first piece.
  BatchTracker batch;
  const auto finish = [&](bool complete) {
    if (range) spans.push_back({*range, complete, batch.inside()});
    range.reset();
    batch = {};
  };
  // A byte order mark is not a statement.
  const size_t skip = script.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  Scanner scanner(script.substr(skip));
  while (std::optional<Piece> piece = scanner.Next()) {
    piece->range.begin += skip;
    piece->range.end += skip;
    // An unclosed comment counts as a piece of a statement, because it may hide the rest of a statement.
    if (piece->kind == Piece::Kind::kComment && piece->closed) continue;
    const std::string_view text = script.substr(piece->range.begin, piece->range.end - piece->range.begin);
    if (text == ";" && !batch.inside()) {
      finish(/*complete=*/true);
      continue;
    }
    if (!range) range = piece->range;
    range->end = piece->range.end;
    batch.Add(piece->kind == Piece::Kind::kWord ? text : std::string_view("'"));
  }
  finish(/*complete=*/false);
  return spans;
}

}  // namespace widerow
