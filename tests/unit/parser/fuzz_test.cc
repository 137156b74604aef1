// The parser gets changed and random texts. It must answer with a tree, or with an error at a position in the text.
// Each tree must print to a text that parses to an equal tree. The seeds are fixed, so a failure can be repeated.
#include <gtest/gtest.h>

#include <random>

#include "parser/error_text.h"
#include "parser/parse.h"
#include "parser/print.h"
#include "tests/unit/parser/test_files.h"

namespace widerow {
namespace {

void Check(const std::string& text) {
  SCOPED_TRACE(text);
  for (const StatementSpan& span : SplitStatements(text)) {
    ASSERT_LT(span.range.begin, span.range.end);
    ASSERT_LE(span.range.end, text.size());
  }
  const Result<Statement> statement = Parse(text);
  if (!statement.ok()) {
    const Error& error = statement.error();
    ASSERT_FALSE(error.message.empty());
    ASSERT_TRUE(error.code == ErrorCode::kSyntaxError || error.code == ErrorCode::kInvalid) << error.message;
    ASSERT_TRUE(error.range.has_value()) << error.message;
    ASSERT_LE(error.range->begin, error.range->end);
    ASSERT_LE(error.range->end, text.size());
    ASSERT_NE(FullErrorText(error, text).find('^'), std::string::npos);
    return;
  }
  const std::string printed = Print(*statement);
  const Result<Statement> again = Parse(printed);
  ASSERT_TRUE(again.ok()) << printed << "\n" << FullErrorText(again.error(), printed);
  ASSERT_TRUE(*again == *statement) << printed << "\n" << Print(*again);
  ASSERT_FALSE(DumpAst(*statement).empty());
}

std::vector<std::string> Corpus() {
  std::vector<std::string> texts;
  for (const char* file : {"select.cql", "data.cql", "schema.cql", "extensions.cql", "documents.cql"}) {
    const std::string script = ReadFile(DataPath(file));
    for (const StatementSpan& span : SplitStatements(script)) {
      texts.push_back(script.substr(span.range.begin, span.range.end - span.range.begin));
    }
  }
  return texts;
}

// Divides the text into words, numbers, strings and symbols.
std::vector<std::string> PiecesOf(const std::string& text) {
  std::vector<std::string> pieces;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (std::isalnum(static_cast<unsigned char>(text[i]))) {
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    }
    pieces.push_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

TEST(Fuzz, TokenMutations) {
  std::mt19937 random(20240807);
  const std::vector<std::string> corpus = Corpus();
  std::vector<std::string> words;
  for (const std::string& text : corpus) {
    for (std::string& piece : PiecesOf(text)) words.push_back(std::move(piece));
  }
  for (int i = 0; i < 6'000; ++i) {
    std::vector<std::string> pieces = PiecesOf(corpus[random() % corpus.size()]);
    for (int changes = 1 + random() % 3; changes > 0 && !pieces.empty(); --changes) {
      const size_t at = random() % pieces.size();
      switch (random() % 4) {
        case 0: pieces.erase(pieces.begin() + at); break;
        case 1: pieces[at] = words[random() % words.size()]; break;
        case 2: pieces.insert(pieces.begin() + at, words[random() % words.size()]); break;
        case 3: std::swap(pieces[at], pieces[random() % pieces.size()]); break;
      }
    }
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    Check(text);
    if (HasFatalFailure()) return;
  }
}

TEST(Fuzz, ByteMutations) {
  std::mt19937 random(7);
  const std::vector<std::string> corpus = Corpus();
  for (int i = 0; i < 4'000; ++i) {
    std::string text = corpus[random() % corpus.size()];
    for (int changes = 1 + random() % 4; changes > 0; --changes) {
      const size_t at = random() % (text.size() + 1);
      switch (random() % 3) {
        case 0: text.insert(at, 1, static_cast<char>(random() % 256)); break;
        case 1: text = text.substr(0, at); break;
        case 2: text.insert(at, 1, "'\"$()[]{}<>-/*.:;,?!=+% \n"[random() % 25]); break;
      }
    }
    Check(text);
    if (HasFatalFailure()) return;
  }
}

TEST(Fuzz, RandomBytesAndWords) {
  std::mt19937 random(42);
  const std::string words[] = {"SELECT", "*",   "FROM", "t",   "WHERE", "(",     ")",     ",",  "=",   "<",
                               "1",      "'x'", "-",    "AND", "OR",    "NOT",   "IN",    "a",  ".",   "[",
                               "]",      "{",   "}",    ":",   "?",     "$$",    "CAST",  "AS", "int", "..",
                               "1..",    ";",   "+",    "--",  "BEGIN", "BATCH", "APPLY", "\n"};
  for (int i = 0; i < 4'000; ++i) {
    std::string text = i % 2 ? "SELECT " : "";
    for (int length = random() % 40; length > 0; --length) {
      if (i % 4 == 0) {
        text += static_cast<char>(random() % 256);
      } else {
        text += words[random() % std::size(words)] + " ";
      }
    }
    Check(text);
    if (HasFatalFailure()) return;
    (void)ParseTypeName(text).ok();
  }
}

}  // namespace
}  // namespace widerow
