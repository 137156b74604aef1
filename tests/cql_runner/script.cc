#include "tests/cql_runner/script.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

namespace widerow::cql_runner {
namespace {

constexpr std::string_view kSeparator = "----";

// Reads a text line by line, and knows the number and the offset of the next line.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool AtEnd() const { return at_ >= text_.size(); }
  size_t offset() const { return at_; }
  size_t number() const { return number_; }  // The number of the line that Peek returns. Lines are numbered from 1.
  std::string_view Peek() const { return text_.substr(at_, text_.find('\n', at_) - at_); }
  std::string_view Take() {
    const std::string_view line = Peek();
    at_ = std::min(at_ + line.size() + 1, text_.size());
    ++number_;
    return line;
  }

 private:
  std::string_view text_;
  size_t at_ = 0, number_ = 1;
};

template <typename T>
bool ParseNumber(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::vector<std::string> Words(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool ParsePageRows(const std::string& word, Block& block) {
  return word.starts_with("page=") && ParseNumber(std::string_view(word).substr(5), block.page_rows) &&
         block.page_rows != 0;
}

bool ParseQueryOptions(const std::vector<std::string>& words, Block& block) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "unordered") {
      block.unordered = true;
    } else if (words[i] == "pages") {
      block.shows_pages = true;
    } else if (words[i] == "first") {
      block.pages = Pages::kFirst;
    } else if (words[i] == "after") {
      block.pages = Pages::kAfterFirst;
    } else if (!ParsePageRows(words[i], block)) {
      return false;
    }
  }
  return true;
}

bool ParseDirective(std::string_view line, Block& block) {
  const std::vector<std::string> words = Words(line);
  if (words.empty()) return false;
  if (words[0] == "query") {
    block.kind = BlockKind::kQuery;
    return ParseQueryOptions(words, block);
  }
  if (words[0] == "clock") {
    block.kind = BlockKind::kClock;
    return words.size() == 2 && ParseNumber(words[1], block.clock_micros);
  }
  if (words[0] == "login") {
    block.kind = BlockKind::kLogin;
    if (words.size() != 3) return false;
    block.role = words[1];
    block.password = words[2];
    return true;
  }
  if (words[0] == "error") {
    block.kind = BlockKind::kError;
    return words.size() == 1 || (words.size() == 2 && ParsePageRows(words[1], block));
  }
  if (words.size() != 1) return false;
  if (words[0] == "exec")
    block.kind = BlockKind::kExec;
  else if (words[0] == "ast")
    block.kind = BlockKind::kAst;
  else if (words[0] == "plan")
    block.kind = BlockKind::kPlan;
  else if (words[0] == "reopen")
    block.kind = BlockKind::kReopen;
  else
    return false;
  return true;
}

void AppendLine(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

// Takes the expected answer of a block. It ends at a blank line. But if it begins with a second separator line, it may
// contain blank lines, and ends at two separator lines.
void TakeAnswer(Lines& lines, Block& block) {
  block.answer_begin = lines.offset();
  const bool fenced = !lines.AtEnd() && lines.Peek() == kSeparator;
  if (fenced) {
    lines.Take();
    bool first = true;
    while (!lines.AtEnd()) {
      const std::string_view line = lines.Take();
      if (line == kSeparator && !lines.AtEnd() && lines.Peek() == kSeparator) {
        lines.Take();
        break;
      }
      if (!first) block.expected += '\n';
      block.expected += line;
      first = false;
    }
  } else {
    while (!lines.AtEnd() && !lines.Peek().empty()) AppendLine(block.expected, lines.Take());
  }
  block.answer_end = lines.offset();
}

// Reads a comment of the script's header. If it sets an option of the language or the engine, stores the option and
// returns true.
bool ParseHeader(std::string_view line, LanguageOptions& language, EngineOptions& engine) {
  constexpr std::string_view kProfile = "# profile: ", kWarnings = "# warnings: ";
  constexpr std::string_view kGuardrails = "# guardrails: ", kCapacity = "# capacity: ";
  if (line == "# auth: on") {
    engine.access.mode = AccessMode::kLogins;
    return true;
  }
  if (line.starts_with(kGuardrails)) {
    std::vector<std::string> words = Words(line.substr(kGuardrails.size()));
    if (words.empty()) return false;
    const std::string mode = words[0];
    words.erase(words.begin());
    const Result<Guardrails> guardrails = MakeGuardrails(mode, words);
    if (guardrails.ok()) engine.guardrails = *guardrails;
    return guardrails.ok();
  }
  if (line.starts_with(kCapacity)) {
    const std::vector<std::string> words = Words(line.substr(kCapacity.size()));
    return words.size() == 2 && ParseNumber(words[0], engine.capacity.reads) &&
           ParseNumber(words[1], engine.capacity.writes);
  }
  if (line.starts_with(kProfile)) {
    const std::optional<Dialect> dialect = DialectFromName(line.substr(kProfile.size()));
    language.dialect = dialect.value_or(language.dialect);
    return dialect.has_value();
  }
  if (!line.starts_with(kWarnings)) return true;
  language.extension_warnings = false;
  return line.substr(kWarnings.size()) == "off";
}

Error AtLine(const std::string& path, size_t line, const std::string& what) {
  return InvalidError(path + ":" + std::to_string(line) + ": " + what);
}

}  // namespace

Result<Script> ReadScript(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return InvalidError(path + ": cannot be read");
  std::ostringstream content;
  content << in.rdbuf();
  Script script{.path = path, .text = content.str(), .blocks = {}};

  Lines lines(script.text);
  while (!lines.AtEnd()) {
    if (lines.Peek().empty() || lines.Peek().front() == '#') {
      const size_t number = lines.number();
      if (!ParseHeader(lines.Take(), script.language, script.engine)) {
        return AtLine(path, number, "no such profile or guardrail, or not `off`");
      }
      continue;
    }
    Block block;
    block.line = lines.number();
    if (!ParseDirective(lines.Take(), block)) return AtLine(path, block.line, "no such directive");
    const bool answers =
        block.kind != BlockKind::kReopen && block.kind != BlockKind::kClock && block.kind != BlockKind::kLogin;
    if (answers) {
      while (!lines.AtEnd() && lines.Peek() != kSeparator) {
        if (!block.statements.empty() || !lines.Peek().empty()) AppendLine(block.statements, lines.Peek());
        lines.Take();
      }
      if (lines.AtEnd()) return AtLine(path, block.line, "the block has no line of four dashes");
      lines.Take();
      TakeAnswer(lines, block);
    }
    script.blocks.push_back(std::move(block));
  }
  return script;
}

std::string WithAnswers(const Script& script, const std::vector<std::optional<std::string>>& answers) {
  std::string out;
  size_t copied = 0;
  for (size_t i = 0; i < script.blocks.size(); ++i) {
    if (!answers[i]) continue;
    const Block& block = script.blocks[i];
    out.append(script.text, copied, block.answer_begin - copied);
    const bool fenced =
        answers[i]->find("\n\n") != std::string::npos || answers[i]->starts_with("\n") || answers[i]->ends_with("\n");
    if (fenced)
      out += "----\n" + *answers[i] + "\n----\n----\n";
    else
      out += *answers[i] + "\n";
    copied = block.answer_end;
  }
  out.append(script.text, copied);
  return out;
}

}  // namespace widerow::cql_runner
