// A statement's text as ANTLR wants it: checked UTF-8, and the way back from its code point indexes to byte offsets.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace widerow {

class SourceText {
 public:
  // kSyntaxError at the first byte that is not UTF-8. Borrows `text`.
  static Result<SourceText> Make(std::string_view text);

  std::string_view text() const { return text_; }
  // Byte offset of the code point `index`; the text's size for every index past the end.
  uint32_t ByteOffset(size_t index) const;

 private:
  std::string_view text_;
  std::vector<uint32_t> offsets_;  // Empty for plain ASCII, where index and offset are the same.
};

// Length of the UTF-8 sequence at the front of `text`, 0 if there is none (overlong forms and surrogates included).
size_t Utf8SequenceLength(std::string_view text);

}  // namespace widerow
