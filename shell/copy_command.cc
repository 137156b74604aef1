// CopyParser reads the command from left to right with LexShell's tokens. kOptions lists every option with its
// direction and the function that converts its value.
#include "shell/copy_command.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "shell/lexer.h"

namespace widerow {
namespace {

using Direction = CopyCommand::Direction;

// The value after an option's "=": a single token, or the pairs of {'a': 'b', …}.
struct OptionValue {
  const ShellToken* token = nullptr;         // Null for a map.
  std::vector<CopyCommand::Computed> pairs;  // The pairs of a map.
  bool is_map = false;
};

struct Option {
  std::string_view name;
  std::optional<Direction> only;
  Status (*set)(CopyCommand&, const OptionValue&);
};

Error Wrong(const ShellToken& token, std::string message) {
  return {.code = ErrorCode::kSyntaxError, .message = std::move(message), .range = SourceRange{token.begin, token.end}};
}

Error WrongValue(const OptionValue& value, const std::string& expected) {
  if (value.token == nullptr) return {.code = ErrorCode::kSyntaxError, .message = "Expected " + expected};
  return Wrong(*value.token, "Expected " + expected + ", found " + value.token->text);
}

Result<uint64_t> TakeCount(const OptionValue& value, uint64_t least, uint64_t most) {
  uint64_t number = 0;
  const std::string text = value.token == nullptr ? "" : value.token->text;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    return WrongValue(value,
                      "a number " + (most == UINT64_MAX ? "from " + std::to_string(least)
                                                        : std::to_string(least) + " to " + std::to_string(most)));
  }
  return number;
}

// Sets `bound` to the option's value; -1 means no bound.
Status SetBound(uint64_t& bound, const OptionValue& value) {
  bound = UINT64_MAX;
  if (value.token != nullptr && value.token->text == "-1") return OkStatus();
  WR_ASSIGN_OR_RETURN(bound, TakeCount(value, 0, UINT64_MAX));
  return OkStatus();
}

Status SetFlag(bool& flag, const OptionValue& value) {
  const std::string text = value.token == nullptr ? "" : ToUpper(value.token->text);
  if (text != "TRUE" && text != "FALSE") return WrongValue(value, "TRUE or FALSE");
  flag = text == "TRUE";
  return OkStatus();
}

Status SetText(std::string& to, const OptionValue& value) {
  if (value.token == nullptr || value.token->kind != ShellToken::Kind::kString)
    return WrongValue(value, "a string in quotes");
  to = value.token->text;
  return OkStatus();
}

Result<char> TakeCharacter(const OptionValue& value) {
  std::string text;
  WR_RETURN_IF_ERROR(SetText(text, value));
  if (text == "\\t") text = "\t";
  if (text.size() != 1 || text[0] == '\n' || text[0] == '\r') return WrongValue(value, "one character");
  return text[0];
}

Status SetNumber(uint32_t& to, const OptionValue& value, uint64_t most) {
  WR_ASSIGN_OR_RETURN(const uint64_t number, TakeCount(value, 1, most));
  to = static_cast<uint32_t>(number);
  return OkStatus();
}

Status SetComputed(CopyCommand& c, const OptionValue& value) {
  if (!value.is_map) return WrongValue(value, "{'column': 'expression', …}");
  c.computed = value.pairs;
  return OkStatus();
}

constexpr std::array<Option, 17> kOptions = {{
    {"HEADER", {}, [](CopyCommand& c, const OptionValue& v) { return SetFlag(c.header, v); }},
    {"DELIMITER",
     {},
     [](CopyCommand& c, const OptionValue& v) -> Status {
       WR_ASSIGN_OR_RETURN(c.csv.delimiter, TakeCharacter(v));
       return OkStatus();
     }},
    {"QUOTE",
     {},
     [](CopyCommand& c, const OptionValue& v) -> Status {
       WR_ASSIGN_OR_RETURN(c.csv.quote, TakeCharacter(v));
       return OkStatus();
     }},
    {"ESCAPE",
     {},
     [](CopyCommand& c, const OptionValue& v) -> Status {
       WR_ASSIGN_OR_RETURN(c.csv.escape, TakeCharacter(v));
       return OkStatus();
     }},
    {"NULL", {}, [](CopyCommand& c, const OptionValue& v) { return SetText(c.null_text, v); }},
    {"MAXROWS", {}, [](CopyCommand& c, const OptionValue& v) { return SetBound(c.max_rows, v); }},
    {"WORKERS", Direction::kFrom, [](CopyCommand& c, const OptionValue& v) { return SetNumber(c.workers, v, 64); }},
    {"CHUNKSIZE", Direction::kFrom,
     [](CopyCommand& c, const OptionValue& v) { return SetNumber(c.chunk_rows, v, 2'000); }},
    {"MAXERRORS", Direction::kFrom, [](CopyCommand& c, const OptionValue& v) { return SetBound(c.max_errors, v); }},
    {"ERRFILE", Direction::kFrom, [](CopyCommand& c, const OptionValue& v) { return SetText(c.error_file, v); }},
    {"PROGRESSFILE", Direction::kFrom,
     [](CopyCommand& c, const OptionValue& v) { return SetText(c.progress_file, v); }},
    {"RESUME", Direction::kFrom, [](CopyCommand& c, const OptionValue& v) { return SetFlag(c.resume, v); }},
    {"STOREROWS", Direction::kFrom,
     [](CopyCommand& c, const OptionValue& v) -> Status {
       WR_ASSIGN_OR_RETURN(c.store_rows, TakeCount(v, 1, UINT64_MAX));
       return OkStatus();
     }},
    {"SKIPROWS", Direction::kFrom,
     [](CopyCommand& c, const OptionValue& v) -> Status {
       WR_ASSIGN_OR_RETURN(c.skip_rows, TakeCount(v, 0, UINT64_MAX));
       return OkStatus();
     }},
    {"IGNOREUNKNOWN", Direction::kFrom,
     [](CopyCommand& c, const OptionValue& v) { return SetFlag(c.ignore_unknown, v); }},
    {"SET", Direction::kFrom, SetComputed},
    {"PAGESIZE", Direction::kTo,
     [](CopyCommand& c, const OptionValue& v) { return SetNumber(c.page_rows, v, 100'000); }},
}};

class CopyParser {
 public:
  explicit CopyParser(std::string_view text) : tokens_(LexShell(text)) {
    const auto end = static_cast<uint32_t>(text.size());
    tokens_.push_back({ShellToken::Kind::kPunctuation, "the end of the command", end, end});
  }

  Result<CopyCommand> Run() {
    ++at_;  // COPY
    WR_RETURN_IF_ERROR(TakeTable());
    if (TakePunctuation('(')) WR_RETURN_IF_ERROR(TakeColumns());
    WR_RETURN_IF_ERROR(TakeDirection());
    if (TakeWord("WITH")) WR_RETURN_IF_ERROR(TakeOptions());
    TakePunctuation(';');
    if (at_ + 1 < tokens_.size()) return Expected("WITH or the end of the command");
    return Check();
  }

 private:
  const ShellToken& now() const { return tokens_[at_]; }
  Error Expected(const std::string& what) const { return Wrong(now(), "Expected " + what + ", found " + now().text); }
  bool TakeWord(std::string_view upper) { return IsWord(now(), upper) && ++at_; }
  bool TakePunctuation(char c) { return at_ + 1 < tokens_.size() && IsPunctuation(now(), c) && ++at_; }

  Result<std::string> TakeName(const std::string& what) {
    if (now().kind != ShellToken::Kind::kWord && now().kind != ShellToken::Kind::kQuotedName) return Expected(what);
    return NameOf(tokens_[at_++]);
  }

  Status TakeTable() {
    WR_ASSIGN_OR_RETURN(command_.table, TakeName("a table's name"));
    if (!TakePunctuation('.')) return OkStatus();
    command_.keyspace = std::move(command_.table);
    WR_ASSIGN_OR_RETURN(command_.table, TakeName("a table's name"));
    return OkStatus();
  }

  Status TakeColumns() {
    do {
      if (TakePunctuation('-')) {
        command_.columns.push_back(std::nullopt);
        continue;
      }
      const ShellToken& token = now();
      WR_ASSIGN_OR_RETURN(std::string name, TakeName("a column's name or - for a field to skip"));
      if (std::find(command_.columns.begin(), command_.columns.end(), name) != command_.columns.end()) {
        return Wrong(token, "Column " + name + " is given twice");
      }
      command_.columns.emplace_back(std::move(name));
    } while (TakePunctuation(','));
    if (!TakePunctuation(')')) return Expected(", or ) after a column's name");
    return OkStatus();
  }

  Status TakeDirection() {
    if (TakeWord("FROM")) {
      command_.direction = Direction::kFrom;
      if (TakeWord("STDIN")) return OkStatus();
    } else if (TakeWord("TO")) {
      command_.direction = Direction::kTo;
      if (TakeWord("STDOUT")) return OkStatus();
    } else {
      return Expected("FROM or TO");
    }
    const bool from = command_.direction == Direction::kFrom;
    if (now().kind != ShellToken::Kind::kString || now().text.empty()) {
      return Expected(from ? "a file's name in quotes or STDIN" : "a file's name in quotes or STDOUT");
    }
    command_.file = tokens_[at_++].text;
    return OkStatus();
  }

  Status TakeOptions() {
    std::vector<std::string> seen;
    do {
      const ShellToken& name = now();
      if (name.kind != ShellToken::Kind::kWord) return Expected("an option's name");
      const std::string upper = ToUpper(name.text);
      const Option* option = nullptr;
      for (const Option& known : kOptions) {
        if (known.name == upper && (!known.only || *known.only == command_.direction)) option = &known;
      }
      if (option == nullptr) return UnknownOption(name);
      if (std::find(seen.begin(), seen.end(), upper) != seen.end())
        return Wrong(name, "Option " + upper + " is given twice");
      seen.push_back(upper);
      ++at_;
      if (!TakePunctuation('=')) return Expected("=");
      WR_ASSIGN_OR_RETURN(const OptionValue value, TakeValue());
      WR_RETURN_IF_ERROR(option->set(command_, value));
    } while (TakeWord("AND"));
    return OkStatus();
  }

  Error UnknownOption(const ShellToken& name) const {
    const bool from = command_.direction == Direction::kFrom;
    Error error = Wrong(name, "COPY " + std::string(from ? "FROM" : "TO") + " has no option " + ToUpper(name.text));
    error.hint = "the options are ";
    bool first = true;
    for (const Option& option : kOptions) {
      if (option.only && *option.only != command_.direction) continue;
      error.hint += (first ? "" : ", ") + std::string(option.name);
      first = false;
    }
    return error;
  }

  Result<OptionValue> TakeValue() {
    OptionValue value;
    if (!TakePunctuation('{')) {
      using Kind = ShellToken::Kind;
      if (now().kind == Kind::kPunctuation || now().kind == Kind::kUnterminated) return Expected("a value");
      value.token = &tokens_[at_++];
      return value;
    }
    value.is_map = true;
    do {
      if (now().kind != ShellToken::Kind::kString) return Expected("'column': 'expression'");
      CopyCommand::Computed pair{.column = tokens_[at_++].text};
      if (!TakePunctuation(':')) return Expected(":");
      if (now().kind != ShellToken::Kind::kString) return Expected("an expression in quotes");
      pair.expression = tokens_[at_++].text;
      value.pairs.push_back(std::move(pair));
    } while (TakePunctuation(','));
    if (!TakePunctuation('}')) return Expected("}");
    return value;
  }

  Result<CopyCommand> Check() {
    const ShellToken& copy = tokens_[0];
    if (command_.csv.delimiter == command_.csv.quote) return Wrong(copy, "DELIMITER and QUOTE must differ");
    if (command_.csv.escape == command_.csv.delimiter) return Wrong(copy, "DELIMITER and ESCAPE must differ");
    const bool splits = std::ranges::any_of(command_.null_text, [&](char c) {
      return c == command_.csv.delimiter || c == command_.csv.quote || c == '\n' || c == '\r';
    });
    // COPY TO writes the text without quotes, because a quoted text is a value.
    if (splits) return Wrong(copy, "NULL must not contain DELIMITER, QUOTE or a line end");
    const bool skips =
        std::find(command_.columns.begin(), command_.columns.end(), std::nullopt) != command_.columns.end();
    if (skips && command_.direction == Direction::kTo)
      return Wrong(copy, "COPY TO cannot skip a field: leave the column out");
    return std::move(command_);
  }

  std::vector<ShellToken> tokens_;
  size_t at_ = 0;
  CopyCommand command_;
};

}  // namespace

Result<CopyCommand> ParseCopy(std::string_view text) { return CopyParser(text).Run(); }

}  // namespace widerow
