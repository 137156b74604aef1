// Makes the errors for texts that are not CQL: the first line is Cassandra's, and the hint has the tokens that are
// allowed at the place of the error. Internal to parser/.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "parser/antlr.h"
#include "parser/dialect.h"
#include "parser/expected.h"
#include "parser/source_text.h"

namespace widerow {

// Returns "line 1:7 no viable alternative at input 'x' (SELECT [x]...)": `reported` is named, `marked` is in brackets.
std::string NoViableMessage(const SourceText& source, antlr4::CommonTokenStream& tokens, antlr4::Token& reported,
                            antlr4::Token& marked);

// An error strategy that stops ANTLR at the first error, does not repair the input, and keeps the error as an Error.
class FirstError : public antlr4::DefaultErrorStrategy {
 public:
  // `refused` has the indexes of the tokens whose keyword the dialect does not have. Borrows all arguments.
  FirstError(const SourceText& source, antlr4::CommonTokenStream& tokens, Dialect dialect,
             const std::set<size_t>& refused)
      : source_(source), tokens_(tokens), dialect_(dialect), refused_(refused) {}

  // Always throws antlr4::ParseCancellationException, after setting error().
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& fault) override;
  // ANTLR calls sync() before a loop or an optional part of the grammar. ANTLR's own sync() skips tokens that do not
  // fit. This one remembers the first state, since the last matched token, in which the next token did not fit. When an
  // error is found, the parser has already passed optional parts. The list of allowed tokens must also have the tokens
  // of these parts.
  void sync(antlr4::Parser* parser) override;
  void reportMatch(antlr4::Parser* parser) override;
  const Error& error() const { return error_; }

 protected:
  antlr4::Token* singleTokenDeletion(antlr4::Parser*) override { return nullptr; }
  bool singleTokenInsertion(antlr4::Parser*) override { return false; }

 private:
  std::string Sentence(antlr4::Parser* parser, const antlr4::RecognitionException& fault, bool looked_ahead,
                       const antlr4::misc::IntervalSet& expected, const std::vector<ParserPlace>& places);

  const SourceText& source_;
  antlr4::CommonTokenStream& tokens_;
  const Dialect dialect_;
  const std::set<size_t>& refused_;
  antlr4::atn::ATNState* earliest_ = nullptr;  // The first state after the last match where the token did not fit.
  antlr4::RuleContext* earliest_context_ = nullptr;
  Error error_;
};

}  // namespace widerow
