// A test script: CQL and the answers it must give, in one file (docs/internals/test-scripts.md). This header knows the
// file format alone; session.h runs the blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/engine/engine_options.h"
#include "parser/dialect.h"

namespace widerow::cql_runner {

// The pages that a query block reads: all; the first one, whose state is kept; those after the kept state.
enum class Pages : uint8_t { kAll, kFirst, kAfterFirst };

enum class BlockKind : uint8_t { kExec, kQuery, kError, kAst, kPlan, kReopen, kClock, kLogin };

// One block: a directive line, statements, `----`, and the expected answer.
struct Block {
  BlockKind kind = BlockKind::kExec;
  bool unordered = false;      // query: rows are compared as a set.
  uint32_t page_rows = 0;      // query page=N, error page=N.
  bool shows_pages = false;    // query pages: a line after each page that has a state.
  Pages pages = Pages::kAll;   // query first, query after.
  int64_t clock_micros = 0;    // clock N.
  std::string role, password;  // login ROLE PASSWORD.
  std::string statements;      // Without the final line break.
  std::string expected;        // The expected lines; empty for clock, login and reopen.
  size_t line = 0;             // The directive's line, from 1.
  // The place of `expected` in the file's text, with its separator lines.
  size_t answer_begin = 0, answer_end = 0;
};

struct Script {
  std::string path, text;
  // From the lines of the header: `# profile: cassandra-5`, `# warnings: off`, `# guardrails: warn value_bytes=10`, `#
  // capacity: READS WRITES` and `# auth: on`.
  LanguageOptions language;
  EngineOptions engine;
  std::vector<Block> blocks;
};

// Parses a script. Errors name file and line.
Result<Script> ReadScript(const std::string& path);
// Returns the file's text with `answers[i]` in place of block i's answer; an absent answer leaves it unchanged.
std::string WithAnswers(const Script& script, const std::vector<std::optional<std::string>>& answers);

}  // namespace widerow::cql_runner
