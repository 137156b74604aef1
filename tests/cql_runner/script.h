// A test script: CQL and the answers that it must give, in one file (docs/internals/test-scripts.md). This header reads
// and writes the file format. session.h runs the blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/engine/engine_options.h"
#include "parser/dialect.h"

namespace widerow::cql_runner {

// The pages that a query block reads: all of them; only the first page, whose paging state is kept; or the pages after
// the kept state.
enum class Pages : uint8_t { kAll, kFirst, kAfterFirst };

enum class BlockKind : uint8_t { kExec, kQuery, kError, kAst, kPlan, kReopen, kClock, kLogin };

// A block has a directive line, statements, `----`, and the expected answer.
struct Block {
  BlockKind kind = BlockKind::kExec;
  bool unordered = false;      // For `query`: rows are compared as a set.
  uint32_t page_rows = 0;      // For `query page=N` and `error page=N`.
  bool shows_pages = false;    // For `query pages`: the answer shows where each page ends.
  Pages pages = Pages::kAll;   // For `query first` and `query after`.
  int64_t clock_micros = 0;    // For `clock N`.
  std::string role, password;  // For `login ROLE PASSWORD`.
  std::string statements;      // Without the final line break.
  std::string expected;        // Empty for `clock`, `login` and `reopen`.
  size_t line = 0;             // The number of the directive's line, from 1.
  // The place of `expected` and its separator lines in the text of the file.
  size_t answer_begin = 0, answer_end = 0;
};

struct Script {
  std::string path, text;
  // The options that the header of the script sets, by lines such as `# profile: cassandra-5`, `# warnings: off`,
  // `# guardrails: warn value_bytes=10`, `# capacity: READS WRITES` and `# auth: on`.
  LanguageOptions language;
  EngineOptions engine;
  std::vector<Block> blocks;
};

// Reads and parses a script. Errors name the file and the line.
Result<Script> ReadScript(const std::string& path);
// Returns the text of the file with `answers[i]` as the expected answer of block i. Where `answers[i]` is absent, the
// block keeps its answer.
std::string WithAnswers(const Script& script, const std::vector<std::optional<std::string>>& answers);

}  // namespace widerow::cql_runner
