#include "parser/source_text.h"

#include <algorithm>

namespace widerow {

size_t Utf8SequenceLength(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Refuses overlong forms, surrogates, and code points beyond U+10FFFF.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return 0;
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

Result<SourceText> SourceText::Make(std::string_view text) {
  SourceText source;
  source.text_ = text;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return source;
  source.offsets_.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t length = Utf8SequenceLength(text.substr(at));
    const auto offset = static_cast<uint32_t>(at);
    if (length == 0) {
      return Error{.code = ErrorCode::kSyntaxError,
                   .message = "Cannot decode string as UTF8",
                   .range = SourceRange{offset, offset + 1},
                   .hint = "the statement's text must be UTF-8"};
    }
    source.offsets_.push_back(offset);
    at += length;
  }
  return source;
}

uint32_t SourceText::ByteOffset(size_t index) const {
  if (offsets_.empty()) return static_cast<uint32_t>(std::min(index, text_.size()));
  return index < offsets_.size() ? offsets_[index] : static_cast<uint32_t>(text_.size());
}

}  // namespace widerow
