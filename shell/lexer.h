// Words, names, strings and punctuation of a command line: enough to find the parts of a shell command and the place of
// the cursor. It never fails and knows no grammar; CQL itself is parsed by parser/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace widerow {

struct ShellToken {
  enum class Kind : uint8_t {
    kWord,          // SELECT, id, v2, …, as written.
    kQuotedName,    // "Id": without its quotes.
    kString,        // 'it''s' or $$…$$: without its quotes.
    kNumber,        // 12, -0x1f, 1.5e3: as written.
    kPunctuation,   // One character.
    kUnterminated,  // A string or quoted name that is not closed: the text after the opening quote.
  };
  Kind kind = Kind::kWord;
  std::string text;
  uint32_t begin = 0, end = 0;  // Byte range in the text, quotes included.
};

// Returns the tokens of `text`, without blanks and comments (-- … , // … , /* … */).
std::vector<ShellToken> LexShell(std::string_view text);

// True if `token` is the keyword `upper`, in any case.
bool IsWord(const ShellToken& token, std::string_view upper);
bool IsPunctuation(const ShellToken& token, char c);
// Returns a name as CQL reads it: quoted names unchanged, others in lower case.
std::string NameOf(const ShellToken& token);
std::string ToUpper(std::string_view text);
std::string ToLower(std::string_view text);

}  // namespace widerow
