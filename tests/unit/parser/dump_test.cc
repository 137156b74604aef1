// tests/data/parser/ast.txt has statements and their syntax trees as text, with the range of each node. WR_REWRITE=1 in
// the environment stores the actual trees.
#include <fstream>

#include "parser/parse.h"
#include "parser/print.h"
#include "tests/unit/parser/test_files.h"

namespace widerow {
namespace {

TEST(DumpAst, GoldenTrees) {
  const std::string path = DataPath("ast.txt");
  const std::string file = ReadFile(path);
  std::string rewritten;
  size_t count = 0;
  for (size_t at = file.find("ast\n"); at != std::string::npos; at = file.find("ast\n", at + 1)) {
    const size_t dashes = file.find("\n----\n", at);
    const size_t end = std::min(file.find("\n\n", dashes), file.size());
    const std::string text = file.substr(at + 4, dashes - at - 4);
    const std::string expected = Trimmed(file.substr(dashes + 6, end - dashes - 6));
    const Result<Statement> statement = Parse(text);
    ASSERT_TRUE(statement.ok()) << text;
    const std::string actual = DumpAst(*statement);
    rewritten += "ast\n" + text + "\n----\n" + actual + "\n\n";
    if (!RewriteGoldenFiles()) { EXPECT_EQ(actual, expected); }
    ++count;
    at = end;
    if (at >= file.size()) break;
  }
  EXPECT_GE(count, 10u);
  if (RewriteGoldenFiles()) std::ofstream(path, std::ios::binary) << Trimmed(rewritten) << "\n";
}

}  // namespace
}  // namespace widerow
