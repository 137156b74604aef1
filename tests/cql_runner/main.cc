// cql_runner [--rewrite | --shown | --snapshot] FILE.cql…: runs test scripts in this process and compares the answers
// with the expected ones. With --rewrite, it stores the actual answers in the files. With --shown, it compares only
// `query` blocks without a page size; the rows of SELECTs then come one by one, as in the embedded API, and warnings do
// not count. With --snapshot, it compares only `query` blocks, and each SELECT runs on a snapshot of its own. The exit
// status is 1 if an answer differs.
// docs/internals/test-scripts.md describes the format.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>

#include "tests/cql_runner/session.h"

namespace widerow::cql_runner {
namespace {

std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Returns the answer of a block in a fixed order if the block is unordered: the header, the sorted rows, the warnings.
std::string Normalized(const Block& block, const std::string& answer) {
  if (!block.unordered) return answer;
  std::vector<std::string> lines = LinesOf(answer);
  const auto warnings = std::stable_partition(lines.begin(), lines.end(),
                                              [](const std::string& line) { return !line.starts_with("warning: "); });
  if (lines.begin() != warnings) std::sort(lines.begin() + 1, warnings);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

void PrintDifference(const Script& script, const Block& block, const std::string& actual) {
  std::cout << script.path << ":" << block.line << ": the answer differs\n";
  for (const std::string& line : LinesOf(block.statements)) std::cout << "    " << line << "\n";
  std::cout << "  expected\n";
  for (const std::string& line : LinesOf(block.expected)) std::cout << "  - " << line << "\n";
  std::cout << "  actual\n";
  for (const std::string& line : LinesOf(actual)) std::cout << "  + " << line << "\n";
}

// Returns the answer without warnings.
std::string WithoutWarnings(const std::string& answer) {
  std::string text;
  for (const std::string& line : LinesOf(answer)) text += line.starts_with("warning: ") ? "" : line + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

enum class Mode : uint8_t { kCompare, kRewrite, kShown, kSnapshot };

struct Counts {
  size_t blocks = 0, differences = 0;
};

// Runs a script and counts its compared blocks. Returns false if the script could not be run at all.
bool RunScript(const std::string& path, Mode mode, Counts& counts) {
  const Result<Script> script = ReadScript(path);
  if (!script.ok()) {
    std::cout << script.error().message << "\n";
    return false;
  }
  const Result<std::unique_ptr<Session>> session = Session::Open(script->language, script->engine);
  if (!session.ok()) {
    std::cout << path << ": " << session.error().message << "\n";
    return false;
  }
  std::vector<std::optional<std::string>> answers(script->blocks.size());
  for (size_t i = 0; i < script->blocks.size(); ++i) {
    const Block& block = script->blocks[i];
    const bool query = block.kind == BlockKind::kQuery;
    const bool shown = mode == Mode::kShown && query && block.page_rows == 0;
    const bool on_snapshot = mode == Mode::kSnapshot && query;
    std::string actual = shown         ? (*session)->ShownAnswer(block)
                         : on_snapshot ? (*session)->SnapshotAnswer(block)
                                       : (*session)->Answer(block);
    if ((mode == Mode::kShown && !shown) || (mode == Mode::kSnapshot && !on_snapshot)) continue;
    ++counts.blocks;
    std::string expected = block.expected;
    if (shown) {
      actual = WithoutWarnings(actual);
      expected = WithoutWarnings(expected);
    }
    if (Normalized(block, actual) == Normalized(block, expected)) continue;
    ++counts.differences;
    const bool has_answer = block.answer_begin != 0;
    if (mode == Mode::kRewrite && has_answer)
      answers[i] = actual;
    else
      PrintDifference(*script, block, actual);
  }
  if (mode == Mode::kRewrite) std::ofstream(path, std::ios::binary) << WithAnswers(*script, answers);
  return true;
}

int Usage() {
  std::cerr << "usage: cql_runner [--rewrite | --shown | --snapshot] FILE.cql…\n";
  return 2;
}

int Main(int argc, char** argv) {
  Mode mode = Mode::kCompare;
  bool all_ran = true;
  Counts counts;
  size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--")) {
      if (argument != "--rewrite" && argument != "--shown" && argument != "--snapshot") return Usage();
      mode = argument == "--rewrite" ? Mode::kRewrite : argument == "--shown" ? Mode::kShown : Mode::kSnapshot;
      continue;
    }
    ++files;
    all_ran = RunScript(argv[i], mode, counts) && all_ran;
  }
  if (files == 0) return Usage();
  std::cout << files << " files, " << counts.blocks << " blocks, " << counts.differences
            << (mode == Mode::kRewrite ? " rewritten\n" : " different\n");
  return all_ran && (mode == Mode::kRewrite || counts.differences == 0) ? 0 : 1;
}

}  // namespace
}  // namespace widerow::cql_runner

int main(int argc, char** argv) { return widerow::cql_runner::Main(argc, argv); }
