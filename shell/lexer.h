// Words, names, strings and punctuation of a command line: enough to find the parts of a shell command and to know
// where a cursor stands. It never fails and knows no grammar; CQL itself is parsed by parser/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widerow {

struct ShellToken {
  enum class Kind : uint8_t {
    kWord,          // As written: SELECT, id, v2.
    kQuotedName,    // "Id": quotes undone.
    kString,        // 'it''s' or $$…$$: quotes undone.
    kNumber,        // 12, -0x1f, 1.5e3: as written.
    kPunctuation,   // One character.
    kUnterminated,  // A string or quoted name that the text ends in: what stands behind the opening quote.
  };
  Kind kind = Kind::kWord;
  std::string text;
  uint32_t begin = 0, end = 0;  // Byte range in the text, quotes included.
};

// Comments (-- … , // … , /* … */) and blanks are dropped.
std::vector<ShellToken> LexShell(std::string_view text);

// `token` is the keyword `upper`, in any case.
bool IsWord(const ShellToken& token, std::string_view upper);
bool IsPunctuation(const ShellToken& token, char c);
// A name as CQL means it: quoted ones as they are, others in lower case.
std::string NameOf(const ShellToken& token);
std::string ToUpper(std::string_view text);
std::string ToLower(std::string_view text);

}  // namespace widerow
