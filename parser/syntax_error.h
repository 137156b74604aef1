// Syntax errors: Cassandra's first line, and a hint that says what could have stood there. Internal to parser/.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "parser/antlr.h"
#include "parser/dialect.h"
#include "parser/expected.h"
#include "parser/source_text.h"

namespace widerow {

// "line 1:7 no viable alternative at input 'x' (SELECT [x]...)": `reported` is named, `marked` stands in brackets.
std::string NoViableMessage(const SourceText& source, antlr4::CommonTokenStream& tokens, antlr4::Token& reported,
                            antlr4::Token& marked);

// Stops ANTLR at the first fault, without trying to repair the input, and keeps it as an Error.
class FirstError : public antlr4::DefaultErrorStrategy {
 public:
  // `refused`: the indexes of the tokens that the dialect has taken their meaning from. Borrows all.
  FirstError(const SourceText& source, antlr4::CommonTokenStream& tokens, Dialect dialect,
             const std::set<size_t>& refused)
      : source_(source), tokens_(tokens), dialect_(dialect), refused_(refused) {}

  // Throws antlr4::ParseCancellationException; error() then is set.
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& fault) override;
  // ANTLR's own would skip what does not fit into a loop. Remembers where the parser stood when the last token had
  // fitted: by the time that a token fits nowhere, optional clauses that could have come are already behind it.
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
  antlr4::atn::ATNState* earliest_ = nullptr;  // Since the last match.
  antlr4::RuleContext* earliest_context_ = nullptr;
  Error error_;
};

}  // namespace widerow
