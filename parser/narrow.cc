#include "parser/narrow.h"

namespace widerow {

bool IsExtensionWord(size_t type) {
  switch (type) {
    case CqlLexer::K_ADVISE:
    case CqlLexer::K_ALWAYS:
    case CqlLexer::K_ANALYZE:
    case CqlLexer::K_AT:
    case CqlLexer::K_BM25:
    case CqlLexer::K_COLUMNS:
    case CqlLexer::K_EXPLAIN:
    case CqlLexer::K_GENERATED:
    case CqlLexer::K_GLOBAL:
    case CqlLexer::K_HASH:
    case CqlLexer::K_LESS:
    case CqlLexer::K_LOCAL:
    case CqlLexer::K_MAXVALUE:
    case CqlLexer::K_MERGE:
    case CqlLexer::K_PARTITIONS:
    case CqlLexer::K_RANGE:
    case CqlLexer::K_REORGANIZE:
    case CqlLexer::K_SORTING:
    case CqlLexer::K_SPLIT:
    case CqlLexer::K_STATEMENT:
    case CqlLexer::K_SUPERUSERS:
    case CqlLexer::K_TABLEGROUP:
    case CqlLexer::K_THAN:
    case CqlLexer::K_UNIQUE:
    case CqlLexer::K_VIEWS: return true;
    default: return false;  // NOLINT: all other tokens
  }
}

namespace {

// True if Cassandra's grammar expects the word TABLE after this token, not a table's name.
bool IntroducesTable(size_t previous) {
  switch (previous) {
    case CqlLexer::K_CREATE:
    case CqlLexer::K_ALTER:
    case CqlLexer::K_DROP:
    case CqlLexer::K_TRUNCATE:
    case CqlLexer::K_DESCRIBE:
    case CqlLexer::K_DESC:
    case CqlLexer::K_ON: return true;
    default: return false;  // NOLINT: all other tokens
  }
}

// Returns the type that Cassandra's lexer and grammar would give to `token` between these neighbors.
size_t Cassandra5Type(const antlr4::Token& token, size_t previous, size_t next) {
  const size_t type = token.getType();
  const auto keep_if = [&](bool keep) { return keep ? type : static_cast<size_t>(CqlLexer::REFUSED); };
  switch (type) {
    case CqlLexer::IDENT: return keep_if(token.getText().find('$') == std::string::npos);
    // If BETWEEN were a name in (c) BETWEEN (2), the parser would take (c) for a type hint and the rest for a call.
    case CqlLexer::K_BETWEEN:
      return previous == CqlLexer::RPAREN && next == CqlLexer::LPAREN ? CqlLexer::REFUSED : CqlLexer::IDENT;
    case CqlLexer::K_ALLOW: return keep_if(previous != CqlLexer::K_FILTERING);
    case CqlLexer::K_OR: return keep_if(previous == CqlLexer::K_CREATE);
    case CqlLexer::K_NOT:
      return keep_if(previous == CqlLexer::K_IS || (previous == CqlLexer::K_IF && next == CqlLexer::K_EXISTS));
    case CqlLexer::K_COLUMNFAMILY: return keep_if(IntroducesTable(previous));
    case CqlLexer::K_TRUNCATE: return keep_if(previous == antlr4::Token::INVALID_TYPE);
    case CqlLexer::K_PARTITION: return previous == CqlLexer::K_PER ? type : static_cast<size_t>(CqlLexer::IDENT);
    default: return IsExtensionWord(type) ? static_cast<size_t>(CqlLexer::IDENT) : type;  // NOLINT: all other tokens
  }
}

}  // namespace

std::set<size_t> NarrowTokens(antlr4::CommonTokenStream& tokens, Dialect dialect) {
  std::set<size_t> changed;
  if (dialect == Dialect::kWiderow) return changed;
  std::vector<antlr4::CommonToken*> visible;
  for (antlr4::Token* token : tokens.getTokens()) {
    auto* common = dynamic_cast<antlr4::CommonToken*>(token);
    if (common && common->getChannel() == antlr4::Token::DEFAULT_CHANNEL) visible.push_back(common);
  }
  size_t previous = antlr4::Token::INVALID_TYPE;
  for (size_t i = 0; i < visible.size(); ++i) {
    const size_t next = i + 1 < visible.size() ? visible[i + 1]->getType() : antlr4::Token::EOF;
    const size_t type = Cassandra5Type(*visible[i], previous, next);
    previous = visible[i]->getType();
    if (type == previous) continue;
    visible[i]->setType(type);
    changed.insert(visible[i]->getTokenIndex());
  }
  return changed;
}

void NarrowExpected(antlr4::misc::IntervalSet& expected, Dialect dialect) {
  if (dialect == Dialect::kWiderow) return;
  for (const ptrdiff_t type : expected.toList()) {
    if (type > 0 && IsExtensionWord(static_cast<size_t>(type))) expected.remove(static_cast<size_t>(type));
  }
  if (!expected.contains(static_cast<size_t>(CqlLexer::K_REPLACE)))
    expected.remove(static_cast<size_t>(CqlLexer::K_OR));
  // In Cassandra, a condition cannot begin with NOT.
  if (expected.contains(static_cast<size_t>(CqlLexer::IDENT))) expected.remove(static_cast<size_t>(CqlLexer::K_NOT));
}

std::string NoExtensionsHint(Dialect dialect) {
  return "profile " + std::string(DialectName(dialect)) + " refuses what only Widerow has";
}

}  // namespace widerow
