#include "net/hbase/filter/filter_language.h"

#include <charconv>
#include <map>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/filter/make_filters.h"
#include "net/hbase/filter/parse_filter.h"

namespace widerow::hbase {

namespace {

struct Argument {
  bool quoted = false;
  Bytes text;
};
using Arguments = std::vector<Argument>;

Error BadArguments(std::string_view filter, std::string_view wanted) {
  return MakeJavaError(kIllegalArgument, StrCat(filter, " takes ", wanted));
}

bool IsNumber(const Argument& argument, int64_t& number) {
  const Bytes& text = argument.text;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return !argument.quoted && parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}
bool IsTrue(const Argument& argument) { return argument.text == "true"; }

Result<CompareOp> OperatorOf(const Argument& argument) {
  static const std::map<std::string_view, CompareOp> operators = {
      {"<", CompareOp::kLess},      {"<=", CompareOp::kLessOrEqual},    {"=", CompareOp::kEqual},
      {"!=", CompareOp::kNotEqual}, {">=", CompareOp::kGreaterOrEqual}, {">", CompareOp::kGreater}};
  const auto found = operators.find(argument.text);
  if (found == operators.end() || argument.quoted) {
    return MakeJavaError(kIllegalArgument, StrCat("\"", argument.text, "\" is no operator: < <= = != >= >"));
  }
  return found->second;
}

// Makes a comparator from 'binary:…', 'binaryprefix:…', 'regexstring:…' or 'substring:…'.
Result<ComparatorPtr> ComparatorOf(const Argument& argument) {
  const size_t colon = argument.text.find(':');
  const Bytes kind = argument.text.substr(0, colon);
  const Bytes value = colon == Bytes::npos ? Bytes() : argument.text.substr(colon + 1);
  if (kind == "binary") return MakeBinaryComparator(value);
  if (kind == "binaryprefix") return MakeBinaryPrefixComparator(value);
  if (kind == "substring") return MakeSubstringComparator(value);
  if (kind == "regexstring") return MakeRegexComparator(value, 32, "UTF-8");
  return MakeJavaError(kIllegalArgument, StrCat("\"", kind,
                                                "\" is no comparator: binary, binaryprefix, regexstring, "
                                                "substring"));
}

using Make = Result<FilterPtr> (*)(const Arguments&);

template <FilterPtr (*Made)(Bytes)>
Result<FilterPtr> OfText(const Arguments& given) {
  if (given.size() != 1 || !given[0].quoted) return BadArguments("this filter", "one string");
  return Made(given[0].text);
}

template <FilterPtr (*Made)(CompareOp, ComparatorPtr)>
Result<FilterPtr> OfComparison(const Arguments& given) {
  if (given.size() != 2) return BadArguments("this filter", "an operator and a comparator");
  WR_ASSIGN_OR_RETURN(const CompareOp op, OperatorOf(given[0]));
  WR_ASSIGN_OR_RETURN(ComparatorPtr comparator, ComparatorOf(given[1]));
  return Made(op, std::move(comparator));
}

Result<FilterPtr> Page(const Arguments& given) {
  int64_t rows = 0;
  if (given.size() != 1 || !IsNumber(given[0], rows)) return BadArguments("PageFilter", "one number");
  return MakePageFilter(rows);
}
Result<FilterPtr> ColumnCountGet(const Arguments& given) {
  int64_t columns = 0;
  if (given.size() != 1 || !IsNumber(given[0], columns)) return BadArguments("ColumnCountGetFilter", "one number");
  return MakeColumnCountGetFilter(static_cast<int32_t>(columns));
}
Result<FilterPtr> ColumnPagination(const Arguments& given) {
  int64_t limit = 0, offset = 0;
  if (given.size() != 2 || !IsNumber(given[0], limit) || !IsNumber(given[1], offset) || limit < 0 || offset < 0) {
    return BadArguments("ColumnPaginationFilter", "two numbers");
  }
  return MakeColumnPaginationFilter(static_cast<int32_t>(limit), static_cast<int32_t>(offset), std::nullopt);
}
Result<FilterPtr> FirstKeyOnly(const Arguments&) { return MakeFirstKeyOnlyFilter(); }
Result<FilterPtr> KeyOnly(const Arguments& given) { return MakeKeyOnlyFilter(!given.empty() && IsTrue(given[0])); }
Result<FilterPtr> Timestamps(const Arguments& given) {
  std::vector<int64_t> timestamps;
  for (const Argument& argument : given) {
    if (!IsNumber(argument, timestamps.emplace_back())) return BadArguments("TimestampsFilter", "numbers");
  }
  return MakeTimestampsFilter(std::move(timestamps), false);
}
Result<FilterPtr> MultipleColumnPrefix(const Arguments& given) {
  std::vector<Bytes> prefixes;
  for (const Argument& argument : given) prefixes.push_back(argument.text);
  return MakeMultipleColumnPrefixFilter(std::move(prefixes));
}
Result<FilterPtr> ColumnRangeOf(const Arguments& given) {
  if (given.size() != 4) return BadArguments("ColumnRangeFilter", "a string, a boolean, a string, a boolean");
  ColumnRange range;
  if (given[0].quoted) range.min = given[0].text;
  if (given[2].quoted) range.max = given[2].text;
  range.min_inclusive = IsTrue(given[1]);
  range.max_inclusive = IsTrue(given[3]);
  return MakeColumnRangeFilter(std::move(range));
}
Result<SingleColumn> SingleOf(const Arguments& given) {
  if (given.size() != 4 && given.size() != 6) {
    return BadArguments("SingleColumnValueFilter", "family, qualifier, operator, comparator and two booleans");
  }
  SingleColumn column;
  column.family = given[0].text;
  column.qualifier = given[1].text;
  WR_ASSIGN_OR_RETURN(column.op, OperatorOf(given[2]));
  WR_ASSIGN_OR_RETURN(column.comparator, ComparatorOf(given[3]));
  if (given.size() == 6) {
    column.filter_if_missing = IsTrue(given[4]);
    column.latest_version_only = IsTrue(given[5]);
  }
  return column;
}
Result<FilterPtr> SingleColumnValue(const Arguments& given) {
  WR_ASSIGN_OR_RETURN(SingleColumn column, SingleOf(given));
  return MakeSingleColumnValueFilter(std::move(column));
}
Result<FilterPtr> SingleColumnValueExclude(const Arguments& given) {
  WR_ASSIGN_OR_RETURN(SingleColumn column, SingleOf(given));
  return MakeSingleColumnValueExcludeFilter(std::move(column));
}

Result<Make> MakerOf(const std::string& name) {
  static const std::map<std::string_view, Make> makers = {
      {"PrefixFilter", OfText<MakePrefixFilter>},
      {"InclusiveStopFilter", OfText<MakeInclusiveStopFilter>},
      {"ColumnPrefixFilter", OfText<MakeColumnPrefixFilter>},
      {"RowFilter", OfComparison<MakeRowFilter>},
      {"FamilyFilter", OfComparison<MakeFamilyFilter>},
      {"QualifierFilter", OfComparison<MakeQualifierFilter>},
      {"ValueFilter", OfComparison<MakeValueFilter>},
      {"PageFilter", Page},
      {"ColumnCountGetFilter", ColumnCountGet},
      {"ColumnPaginationFilter", ColumnPagination},
      {"FirstKeyOnlyFilter", FirstKeyOnly},
      {"KeyOnlyFilter", KeyOnly},
      {"TimestampsFilter", Timestamps},
      {"MultipleColumnPrefixFilter", MultipleColumnPrefix},
      {"ColumnRangeFilter", ColumnRangeOf},
      {"SingleColumnValueFilter", SingleColumnValue},
      {"SingleColumnValueExcludeFilter", SingleColumnValueExclude},
  };
  const auto found = makers.find(name);
  if (found != makers.end()) return found->second;
  return MakeJavaError(kIllegalArgument, StrCat("the filter ", name, " is not supported in the filter language"));
}

class LanguageParser {
 public:
  explicit LanguageParser(std::string_view text) : text_(text) {}

  Result<FilterPtr> Parse() {
    WR_ASSIGN_OR_RETURN(FilterPtr filter, Either());
    if (!AtEnd()) return Unexpected();
    return filter;
  }

 private:
  Result<FilterPtr> Either() { return List("OR", &LanguageParser::Both, MakeOrList); }
  Result<FilterPtr> Both() { return List("AND", &LanguageParser::One, MakeAndList); }
  Result<FilterPtr> List(std::string_view word, Result<FilterPtr> (LanguageParser::*next)(),
                         FilterPtr (*make)(std::vector<FilterPtr>)) {
    std::vector<FilterPtr> filters;
    do {
      WR_ASSIGN_OR_RETURN(FilterPtr filter, (this->*next)());
      filters.push_back(std::move(filter));
    } while (TakeWord(word));
    return filters.size() == 1 ? std::move(filters[0]) : make(std::move(filters));
  }
  Result<FilterPtr> One();
  Result<Arguments> TakeArguments();
  Result<Argument> TakeArgument();

  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool AtEnd() {
    SkipSpace();
    return at_ == text_.size();
  }
  bool Take(char c) {
    if (AtEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view PeekWord() {
    SkipSpace();
    size_t end = at_;
    while (end < text_.size() && std::string_view(" (),'").find(text_[end]) == std::string_view::npos) ++end;
    return text_.substr(at_, end - at_);
  }
  bool TakeWord(std::string_view word) {
    if (PeekWord() != word) return false;
    at_ += word.size();
    return true;
  }
  Error Unexpected() const {
    return MakeJavaError(kIllegalArgument, StrCat("syntax error in the filter at \"", text_.substr(at_), "\""));
  }

  const std::string_view text_;
  size_t at_ = 0, depth_ = 0, count_ = 0;
};

Result<FilterPtr> LanguageParser::One() {
  if (++depth_ > kFilterDepthMax || ++count_ > kFiltersMax) {
    return MakeJavaError(kIllegalArgument, "the filter has too many parts");
  }
  const auto parse = [&]() -> Result<FilterPtr> {
    if (TakeWord("SKIP")) {
      WR_ASSIGN_OR_RETURN(FilterPtr filter, One());
      return MakeSkipFilter(std::move(filter));
    }
    if (TakeWord("WHILE")) {
      WR_ASSIGN_OR_RETURN(FilterPtr filter, One());
      return MakeWhileMatchFilter(std::move(filter));
    }
    if (Take('(')) {
      WR_ASSIGN_OR_RETURN(FilterPtr filter, Either());
      if (!Take(')')) return Unexpected();
      return filter;
    }
    const std::string name(PeekWord());
    if (name.empty()) return Unexpected();
    at_ += name.size();
    WR_ASSIGN_OR_RETURN(const Make make, MakerOf(name));
    WR_ASSIGN_OR_RETURN(const Arguments arguments, TakeArguments());
    return make(arguments);
  };
  Result<FilterPtr> filter = parse();
  --depth_;
  return filter;
}

Result<Arguments> LanguageParser::TakeArguments() {
  Arguments arguments;
  if (!Take('(')) return Unexpected();
  if (Take(')')) return arguments;
  do {
    WR_ASSIGN_OR_RETURN(Argument argument, TakeArgument());
    arguments.push_back(std::move(argument));
  } while (Take(','));
  if (!Take(')')) return Unexpected();
  return arguments;
}

Result<Argument> LanguageParser::TakeArgument() {
  Argument argument;
  if (!Take('\'')) {
    argument.text = PeekWord();
    if (argument.text.empty()) return Unexpected();
    at_ += argument.text.size();
    return argument;
  }
  argument.quoted = true;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\'') {
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '\'') break;
      ++at_;
    }
    argument.text += text_[at_];
  }
  if (at_ == text_.size()) return Unexpected();
  ++at_;
  return argument;
}

}  // namespace

Result<FilterPtr> ParseFilterText(std::string_view text) { return LanguageParser(text).Parse(); }

}  // namespace widerow::hbase
