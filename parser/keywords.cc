#include "parser/keywords.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "parser/antlr.h"

namespace widerow {
namespace {

struct KeywordTable {
  std::vector<std::string> by_type;  // The keyword of each token type; empty for other tokens.
  std::vector<bool> unreserved;      // For each token type: true if the keyword is not reserved.
  std::set<std::string> reserved;    // The reserved words, in upper case.

  KeywordTable() {
    CqlParser parser(nullptr);
    const antlr4::dfa::Vocabulary& vocabulary = parser.getVocabulary();
    const antlr4::atn::ATN& atn = parser.getATN();
    const antlr4::misc::IntervalSet& names = atn.nextTokens(atn.ruleToStartState[CqlParser::RuleUnreservedKeyword]);
    by_type.resize(atn.maxTokenType + 1);
    unreserved.resize(atn.maxTokenType + 1);
    for (size_t type = 1; type <= atn.maxTokenType; ++type) {
      const std::string name = vocabulary.getSymbolicName(type);
      if (!name.starts_with("K_")) continue;
      unreserved[type] = names.contains(type);
      for (const std::string& word : Words(name)) {
        if (by_type[type].empty()) by_type[type] = word;
        if (!unreserved[type]) reserved.insert(word);
      }
    }
    reserved.insert({"TRUE", "FALSE"});
  }

  // Returns the keywords that a token stands for. Usually this is the token's name without K_; kOthers has the
  // exceptions.
  static std::vector<std::string> Words(const std::string& token_name) {
    static const std::map<std::string, std::vector<std::string>> kOthers = {
        {"K_COLUMNFAMILY", {"TABLE", "COLUMNFAMILY"}},
        {"K_TABLES", {"TABLES", "COLUMNFAMILIES"}},
        {"K_POSITIVE_NAN", {"NAN"}},
        {"K_POSITIVE_INFINITY", {"INFINITY"}}};
    const auto other = kOthers.find(token_name);
    return other != kOthers.end() ? other->second : std::vector<std::string>{token_name.substr(2)};
  }
};

const KeywordTable& Table() {
  static const KeywordTable table;
  return table;
}

}  // namespace

std::optional<std::string> KeywordOf(size_t token_type) {
  const KeywordTable& table = Table();
  if (token_type >= table.by_type.size() || table.by_type[token_type].empty()) return std::nullopt;
  return table.by_type[token_type];
}

bool IsUnreserved(size_t token_type) {
  const KeywordTable& table = Table();
  return token_type < table.unreserved.size() && table.unreserved[token_type];
}

bool IsReservedWord(std::string_view word) {
  std::string upper(word);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return Table().reserved.contains(upper);
}

}  // namespace widerow
