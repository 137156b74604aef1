#include "types/word_breaks.h"

#include <unicode/rbbi.h>
#include <unicode/utext.h>

#include <memory>

#include "base/check.h"

namespace widerow {
namespace {

// Rules of ICU's RuleBasedBreakIterator. A rule matches the longest possible piece of text, and the pieces of rules
// with {100} are words. The sets have the contents that they had in Unicode 6.3: Age=6.3 selects the characters that
// existed, and the listed single characters are those whose properties changed later. tests/data/words/RecordWords.java
// compares the sets with Cassandra's for every character.
constexpr char16_t kRules[] =
    uR"(
!!quoted_literals_only;
$ALetter = [[[\p{Word_Break=ALetter}\u1885\u1886] & \p{Age=6.3}] - [\u02C2-\u02C5\u02D2-\u02D7\u02DE\u02DF
  \u02E5-\u02EB\u02ED\u02EF-\u02FF\u055A-\u055C\u055E\u058A\u1CF2\u1CF3\uA708-\uA716\uA720\uA721\uA789\uA78A
  \U0001F130-\U0001F149\U0001F150-\U0001F169\U0001F170-\U0001F189]];
$Extend = [[[\p{Word_Break=Extend}\p{Word_Break=ZWJ}\u1CF2\u1CF3\u19B0-\u19C0\u19C8\u19C9] & \p{Age=6.3}]
  - [\u1885\u1886]];
$Format = [\p{Word_Break=Format} & \p{Age=6.3}];
$Numeric = [[\p{Word_Break=Numeric} [\p{Block=HalfAndFullForms} & \p{Decimal_Number}]] & \p{Age=6.3}];
$Katakana = [\p{Word_Break=Katakana} & \p{Age=6.3}];
$Hebrew = [\p{Word_Break=Hebrew_Letter} & \p{Age=6.3}];
$Han = [\p{Script=Han} & \p{Age=6.3}];
$Hiragana = [\p{Script=Hiragana} & \p{Age=6.3}];
$Complex = [\p{Line_Break=Complex_Context} & \p{Age=6.3}];
$Join = [[\p{Word_Break=ExtendNumLet} & \p{Age=6.3}] - [\u202F]];
$MidLetter = [[[\p{Word_Break=MidLetter}\u02D7] & \p{Age=6.3}] - [\u055F]];
$MidNum = [\p{Word_Break=MidNum} & \p{Age=6.3}];
$MidNumLet = [\p{Word_Break=MidNumLet} & \p{Age=6.3}];
$SingleQuote = [\p{Word_Break=Single_Quote}];
$DoubleQuote = [\p{Word_Break=Double_Quote}];

$X = [$Format $Extend]*;
$LetterX = [$Hebrew $ALetter] $X;
$HebrewX = $Hebrew $X;
$NumericX = $Numeric $X;
$KatakanaX = $Katakana $X;
$JoinX = $Join $X;
$BetweenLettersX = [$MidLetter $MidNumLet $SingleQuote] $X;
$BetweenDigitsX = [$MidNum $MidNumLet $SingleQuote] $X;
$Number = $NumericX (($JoinX* | $BetweenDigitsX) $NumericX)*;
$Letters = $LetterX (($JoinX* | $BetweenLettersX) $LetterX)*;
$HebrewQuoted = $HebrewX ($SingleQuote $X | $DoubleQuote $X $HebrewX);
$Part = $KatakanaX ($JoinX* $KatakanaX)* | ($HebrewQuoted | $Number | $Letters)+;

$JoinX* $Part ($JoinX+ $Part)* $JoinX* {100};
$Complex+ {100};
$Han $X {100};
$Hiragana $X {100};
.;
)";

// Returns the thread's own iterator: several threads must not use the same one. Reading the rules is slow, so each
// thread copies an iterator that was made once.
icu::BreakIterator& ThreadIterator() {
  static const icu::RuleBasedBreakIterator made = [] {
    UErrorCode status = U_ZERO_ERROR;
    UParseError place;
    icu::RuleBasedBreakIterator iterator(icu::UnicodeString(kRules), place, status);
    WR_CHECK(U_SUCCESS(status));
    return iterator;
  }();
  thread_local const std::unique_ptr<icu::BreakIterator> own(made.clone());
  return *own;
}

}  // namespace

void ForEachWord(std::u16string_view text, const std::function<bool(std::u16string_view word)>& visit) {
  icu::BreakIterator& iterator = ThreadIterator();
  UErrorCode status = U_ZERO_ERROR;
  UText view = UTEXT_INITIALIZER;
  utext_openUChars(&view, text.data(), static_cast<int64_t>(text.size()), &status);
  WR_CHECK(U_SUCCESS(status));
  iterator.setText(&view, status);
  WR_CHECK(U_SUCCESS(status));
  int32_t begin = iterator.first();
  for (int32_t end = iterator.next(); end != icu::BreakIterator::DONE; begin = end, end = iterator.next()) {
    if (iterator.getRuleStatus() == 0) continue;
    if (!visit(text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)))) break;
  }
  utext_close(&view);
}

}  // namespace widerow
