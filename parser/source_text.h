// A statement's text in the form that ANTLR needs: checked UTF-8, with a map from code point indexes to byte offsets.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace widerow {

class SourceText {
 public:
  // Borrows `text`. kSyntaxError at the first byte that is not UTF-8.
  static Result<SourceText> Make(std::string_view text);

  std::string_view text() const { return text_; }
  // Returns the byte offset of the code point `index`; the text's size for any index past the end.
  uint32_t ByteOffset(size_t index) const;

 private:
  std::string_view text_;
  std::vector<uint32_t> offsets_;  // Empty for plain ASCII, where index and offset are equal.
};

// Returns the length of the UTF-8 sequence at the front of `text`; 0 if it is malformed (overlong forms and surrogates
// too).
size_t Utf8SequenceLength(std::string_view text);

}  // namespace widerow
