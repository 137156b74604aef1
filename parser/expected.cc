// A syntax error happens at one or more places in ANTLR's transition network (PlacesOf). ExpectedTokens collects the
// tokens that these places allow. MandatoryToken follows the network past everything optional. DescribeExpected turns
// the tokens into words and leaves out words that would only distract.
#include "parser/expected.h"

#include <algorithm>
#include <set>

#include "parser/keywords.h"

namespace widerow {
namespace {

using antlr4::atn::ATN;
using antlr4::atn::ATNState;
using antlr4::atn::Transition;
using antlr4::misc::IntervalSet;

// The number of places that are examined. More of them would not improve the message.
constexpr size_t kPlacesMax = 64;
constexpr size_t kWordsMax = 16;  // A longer list of words is not shown. The list after CREATE is short enough.

void AppendFollow(const ATN& atn, const antlr4::RuleContext* context, std::vector<ATNState*>& follow) {
  for (; context && context->parent; context = dynamic_cast<const antlr4::RuleContext*>(context->parent)) {
    if (context->invokingState >= atn.states.size()) return;
    const Transition* call = atn.states[context->invokingState]->transitions[0];
    follow.push_back(static_cast<const antlr4::atn::RuleTransition*>(call)->followState);
  }
}

// While ANTLR looks ahead, it keeps in `context` the states to which the current rule and the rules around it return.
// There can be several such stacks of states. Adds a place for each stack. Each place also gets the states to which
// `outer` and the rules around `outer` return.
void AppendPlaces(const ATN& atn, const Ref<antlr4::atn::PredictionContext>& context, const antlr4::RuleContext* outer,
                  const ParserPlace& base, std::vector<ParserPlace>& places) {
  if (places.size() >= kPlacesMax || base.follow.size() > 2000) return;
  if (!context || context->isEmpty()) {
    places.push_back(base);
    AppendFollow(atn, outer, places.back().follow);
    return;
  }
  for (size_t i = 0; i < context->size(); ++i) {
    ParserPlace place = base;
    const size_t state = context->getReturnState(i);
    if (state == antlr4::atn::PredictionContext::EMPTY_RETURN_STATE || state >= atn.states.size()) {
      AppendPlaces(atn, nullptr, outer, place, places);
      continue;
    }
    place.follow.push_back(atn.states[state]);
    AppendPlaces(atn, context->getParent(i), outer, place, places);
  }
}

bool IsOperatorOrSign(size_t type) {
  switch (type) {
    case CqlLexer::PLUS:
    case CqlLexer::MINUS:
    case CqlLexer::STAR:
    case CqlLexer::SLASH:
    case CqlLexer::PERCENT:
    case CqlLexer::DOT:
    case CqlLexer::LBRACKET:
    case CqlLexer::NEGATIVE_INTEGER:
    case CqlLexer::NEGATIVE_FLOAT:
    case CqlLexer::NEGATIVE_DURATION:
    case CqlLexer::SIGN: return true;
    default: return false;  // NOLINT: all other tokens
  }
}

bool BeginsValue(size_t type) {
  switch (type) {
    case CqlLexer::STRING_LITERAL:
    case CqlLexer::INTEGER:
    case CqlLexer::FLOAT:
    case CqlLexer::BOOLEAN:
    case CqlLexer::DURATION:
    case CqlLexer::UUID:
    case CqlLexer::HEXNUMBER:
    case CqlLexer::K_NULL:
    case CqlLexer::K_POSITIVE_NAN:
    case CqlLexer::K_POSITIVE_INFINITY:
    case CqlLexer::K_TOKEN:
    case CqlLexer::QMARK:
    case CqlLexer::COLON:
    case CqlLexer::LPAREN:
    case CqlLexer::LBRACE: return true;
    default: return IsOperatorOrSign(type);  // NOLINT: all other tokens
  }
}

std::string Describe(size_t type, const antlr4::dfa::Vocabulary& vocabulary) {
  if (const auto keyword = KeywordOf(type)) return *keyword;
  switch (type) {
    case CqlLexer::IDENT: return "a name";
    case CqlLexer::STRING_LITERAL: return "a string in single quotes";
    case CqlLexer::INTEGER: return "a whole number";
    case CqlLexer::BOOLEAN: return "true or false";
    case CqlLexer::QMARK: return "a bind marker";
    case antlr4::Token::EOF: return "the end of the statement";
    default: return vocabulary.getDisplayName(type);  // NOLINT: symbols
  }
}

// Returns the number of insertions, deletions, replacements and swaps of neighboring letters between the two words.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Returns the next state if every optional part is left out; null at a choice or a token.
ATNState* SkipOptional(ATNState* state) {
  if (state->transitions.size() == 1) {
    Transition* only = state->transitions[0];
    return only->isEpsilon() ? only->target : nullptr;
  }
  switch (state->getStateType()) {
    // The last transition leads out of a loop.
    case ATNState::STAR_LOOP_ENTRY:
    case ATNState::PLUS_LOOP_BACK: return state->transitions.back()->target;
    default: break;  // NOLINT: other states have no way out of their own
  }
  const auto* block = dynamic_cast<antlr4::atn::BlockStartState*>(state);
  ATNState* last = state->transitions.back()->target;
  return block && last == block->endState ? last : nullptr;
}

std::optional<size_t> MandatoryTokenAt(const ParserPlace& place) {
  std::vector<ATNState*> follow(place.follow.rbegin(), place.follow.rend());
  ATNState* state = place.state;
  for (size_t steps = 0; steps < 10'000 && state; ++steps) {
    if (state->getStateType() == ATNState::RULE_STOP) {
      if (follow.empty()) return std::nullopt;
      state = follow.back();
      follow.pop_back();
      continue;
    }
    Transition* only = state->transitions.size() == 1 ? state->transitions[0] : nullptr;
    if (only && only->getSerializationType() == Transition::RULE) {
      follow.push_back(static_cast<antlr4::atn::RuleTransition*>(only)->followState);
    } else if (only && only->getSerializationType() == Transition::ATOM) {
      return static_cast<size_t>(only->label().getMinElement());
    }
    state = SkipOptional(state);
  }
  return std::nullopt;
}

}  // namespace

std::vector<ParserPlace> PlacesOf(const antlr4::Parser& parser, const antlr4::RecognitionException& fault) {
  const ATN& atn = parser.getATN();
  std::vector<ParserPlace> places;
  const auto* lookahead = dynamic_cast<const antlr4::NoViableAltException*>(&fault);
  if (lookahead && lookahead->getDeadEndConfigs()) {
    for (const auto& config : lookahead->getDeadEndConfigs()->configs) {
      AppendPlaces(atn, config->context, fault.getCtx(), {config->state, {}}, places);
    }
  }
  if (places.empty() && fault.getOffendingState() < atn.states.size()) {
    places.push_back({atn.states[fault.getOffendingState()], {}});
    AppendFollow(atn, fault.getCtx(), places.back().follow);
  }
  return places;
}

std::vector<ParserPlace> PlacesFrom(const ATN& atn, ATNState* state, const antlr4::RuleContext* context) {
  std::vector<ParserPlace> places = {{state, {}}};
  AppendFollow(atn, context, places[0].follow);
  return places;
}

IntervalSet ExpectedTokens(const ATN& atn, const std::vector<ParserPlace>& places) {
  IntervalSet expected;
  for (const ParserPlace& place : places) {
    ATNState* state = place.state;
    for (size_t i = 0; i <= place.follow.size(); ++i) {
      const IntervalSet& next = atn.nextTokens(state);
      expected.addAll(next);
      if (!next.contains(antlr4::Token::EPSILON) || i == place.follow.size()) break;
      state = place.follow[i];
    }
  }
  expected.remove(antlr4::Token::EPSILON);
  return expected;
}

std::optional<size_t> MandatoryToken(const std::vector<ParserPlace>& places) {
  std::set<size_t> found;
  for (const ParserPlace& place : places) {
    const std::optional<size_t> here = MandatoryTokenAt(place);
    if (!here) return std::nullopt;
    found.insert(*here);
  }
  // After a name, ( and . may follow, because the name can be a function's or a keyspace's. They are left out if
  // something else may follow too, because the user probably did not mean them.
  if (found.size() > 1) {
    found.erase(CqlLexer::LPAREN);
    found.erase(CqlLexer::DOT);
  }
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

std::string DescribeExpected(const IntervalSet& expected, const antlr4::dfa::Vocabulary& vocabulary) {
  if (expected.contains(static_cast<size_t>(CqlLexer::K_INSERT)) &&
      expected.contains(static_cast<size_t>(CqlLexer::K_SELECT)) &&
      expected.contains(static_cast<size_t>(CqlLexer::K_TRUNCATE))) {
    return "a statement: SELECT, INSERT, UPDATE, DELETE, BEGIN BATCH, CREATE, ALTER, DROP, USE, DESCRIBE, ...";
  }
  const auto has = [&](size_t type) { return expected.contains(type); };
  const bool name = has(CqlLexer::IDENT);
  const bool value = has(CqlLexer::STRING_LITERAL) && has(CqlLexer::FLOAT);
  const bool type_name = name && has(CqlLexer::K_SET) && has(CqlLexer::STRING_LITERAL) && !value;
  const bool any_keyword = has(CqlLexer::K_KEYS) && has(CqlLexer::K_MAP);  // True if any unreserved keyword may follow.
  // Tokens that would only distract: signs that can follow any term, and tokens that begin a name or a value already
  // listed.
  const auto is_noise = [&](size_t type) {
    if (IsOperatorOrSign(type) || type == CqlLexer::QUOTED_NAME || type == CqlLexer::EMPTY_QUOTED_NAME) return true;
    if (name && (type == CqlLexer::IDENT || type == CqlLexer::K_COLUMNFAMILY || type == CqlLexer::EXPR_OPEN))
      return true;
    if (type_name && (type == CqlLexer::STRING_LITERAL || type == CqlLexer::K_SET)) return true;
    if (any_keyword && IsUnreserved(type)) return true;
    if (value && BeginsValue(type)) return true;
    if (name && type == CqlLexer::QMARK) return true;  // The grammar takes a marker as a name; the builder refuses it.
    if (has(CqlLexer::RPAREN) && (type == CqlLexer::LPAREN || type == CqlLexer::LT)) return true;
    const bool comparison = type == CqlLexer::EQ || (type >= CqlLexer::NOT_EQ && type <= CqlLexer::GE);
    if (has(CqlLexer::K_AND) && comparison) return true;
    if (has(antlr4::Token::EOF) && type == CqlLexer::SEMICOLON) return true;
    return has(CqlLexer::QMARK) && type == CqlLexer::COLON;
  };
  std::vector<std::string> words;
  if (name) words.push_back(type_name ? "a type" : "a name");
  if (value) words.push_back("a value");
  for (const ssize_t element : expected.toList()) {
    const auto type = static_cast<size_t>(element);
    if (!is_noise(type) && type != antlr4::Token::EOF) words.push_back(Describe(type, vocabulary));
  }
  if (has(antlr4::Token::EOF)) words.push_back(Describe(antlr4::Token::EOF, vocabulary));
  if (words.empty() || words.size() > kWordsMax) return "";
  std::string text = words[0];
  for (size_t i = 1; i < words.size(); ++i) text += (i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::optional<std::string> NearestKeyword(const IntervalSet& expected, std::string_view word) {
  if (word.size() > 20) return std::nullopt;
  std::string upper(word);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const ssize_t element : expected.toList()) {
    const auto keyword = KeywordOf(static_cast<size_t>(element));
    if (!keyword || keyword->size() < 3 || word.size() < 2) continue;
    const size_t distance = EditDistance(upper, *keyword);
    if (distance < best_distance) {
      best = keyword;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace widerow
