// Runs Java's regular expressions with the library ICU, whose syntax is nearly the same.
#include <unicode/regex.h>
#include <unicode/unistr.h>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/comparator.h"

namespace widerow::hbase {

namespace {

// The bound for one match, in ICU's steps of about a millisecond. A match that takes longer counts as no match.
constexpr int32_t kTimeMax = 200;

class RegexComparator final : public Comparator {
 public:
  RegexComparator(std::unique_ptr<icu::RegexPattern> pattern, bool latin1, Bytes text)
      : pattern_(std::move(pattern)), latin1_(latin1), text_(std::move(text)) {}
  int Compare(ByteView value) const override {
    const icu::UnicodeString decoded =
        latin1_ ? icu::UnicodeString(value.data(), static_cast<int32_t>(value.size()), "ISO-8859-1")
                : icu::UnicodeString::fromUTF8(icu::StringPiece(value.data(), static_cast<int32_t>(value.size())));
    UErrorCode code = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(pattern_->matcher(decoded, code));
    if (U_FAILURE(code)) return 1;
    matcher->setTimeLimit(kTimeMax, code);
    const bool found = matcher->find(code);
    return found && U_SUCCESS(code) ? 0 : 1;
  }
  ByteView value() const override { return text_; }

 private:
  const std::unique_ptr<icu::RegexPattern> pattern_;
  const bool latin1_;
  const Bytes text_;
};

uint32_t IcuFlags(int java) {
  uint32_t flags = 0;
  if ((java & 1) != 0) flags |= UREGEX_UNIX_LINES;
  if ((java & 2) != 0) flags |= UREGEX_CASE_INSENSITIVE;
  if ((java & 4) != 0) flags |= UREGEX_COMMENTS;
  if ((java & 8) != 0) flags |= UREGEX_MULTILINE;
  if ((java & 16) != 0) flags |= UREGEX_LITERAL;
  if ((java & 32) != 0) flags |= UREGEX_DOTALL;
  return flags;
}

}  // namespace

Result<ComparatorPtr> MakeRegexComparator(const Bytes& pattern, int flags, const Bytes& charset) {
  const bool latin1 = charset == "ISO-8859-1";
  if (!latin1 && charset != "UTF-8" && charset != "US-ASCII" && !charset.empty()) {
    return NotSupported(StrCat("RegexStringComparator with character set ", charset));
  }
  UErrorCode code = U_ZERO_ERROR;
  UParseError where;
  std::unique_ptr<icu::RegexPattern> compiled(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(pattern), IcuFlags(flags), where, code));
  if (U_FAILURE(code)) {
    return MakeJavaError(kDoNotRetry, StrCat("java.util.regex.PatternSyntaxException: ", u_errorName(code),
                                             " near index ", where.offset, " of ", pattern));
  }
  return ComparatorPtr(std::make_unique<RegexComparator>(std::move(compiled), latin1, pattern));
}

}  // namespace widerow::hbase
