// tests/data/parser/errors.txt has malformed statements and the whole texts of their errors:
//
//   error
//   SELEC * FROM t
//   ----
//   SyntaxError line 1:0 …
//   hint: …
//
// With WR_REWRITE=1 in the environment, the test stores the actual texts.
#include <fstream>

#include "parser/error_text.h"
#include "parser/parse.h"
#include "tests/unit/parser/test_files.h"

namespace widerow {
namespace {

struct Block {
  // `before` has the comments and blank lines before the block.
  std::string before, statement, expected;
};

std::vector<Block> ReadBlocks(const std::string& path) {
  std::vector<Block> blocks;
  const std::string file = ReadFile(path);
  for (size_t at = 0; at < file.size();) {
    const size_t begin = file.find("error\n", at);
    if (begin == std::string::npos) break;
    const size_t dashes = file.find("\n----\n", begin);
    const size_t next = file.find("\n\n", dashes);
    const size_t end = next == std::string::npos ? file.size() : next + 2;
    blocks.push_back({file.substr(at, begin - at), file.substr(begin + 6, dashes - begin - 6),
                      Trimmed(file.substr(dashes + 6, end - dashes - 6))});
    at = end;
  }
  return blocks;
}

TEST(Errors, GoldenMessages) {
  const std::string path = DataPath("errors.txt");
  const std::vector<Block> blocks = ReadBlocks(path);
  EXPECT_GE(blocks.size(), 100u);
  std::string rewritten;
  for (const Block& block : blocks) {
    const Result<Statement> statement = Parse(block.statement);
    ASSERT_FALSE(statement.ok()) << block.statement;
    const std::string actual = Trimmed(std::string(ErrorCodeName(statement.error().code)) + " " +
                                       FullErrorText(statement.error(), block.statement));
    rewritten += block.before + "error\n" + block.statement + "\n----\n" + actual + "\n\n";
    if (!RewriteGoldenFiles()) { EXPECT_EQ(actual, block.expected) << block.statement; }
  }
  if (RewriteGoldenFiles()) std::ofstream(path, std::ios::binary) << Trimmed(rewritten) << "\n";
}

}  // namespace
}  // namespace widerow
