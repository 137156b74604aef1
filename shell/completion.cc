// Completer lexes the statement up to the cursor. The last word is the one to complete; the words before it decide what
// can follow. OfferNamesOfPlace recognizes the places where only certain names or keywords fit. Elsewhere, columns and
// keywords are offered.
#include "shell/completion.h"

#include <algorithm>
#include <array>

#include "shell/lexer.h"

namespace widerow {
namespace {

using Words = std::vector<std::string>;

const Words kStatements = {"ADVISE", "ALTER", "APPLY",   "BEGIN",  "CLEAR", "COPY",   "CREATE",   "DELETE", "DESCRIBE",
                           "DROP",   "EXIT",  "EXPLAIN", "EXPAND", "GRANT", "HEAT",   "HELP",     "INSERT", "LIST",
                           "PAGING", "QUIT",  "REVOKE",  "SELECT", "SHOW",  "SOURCE", "TRUNCATE", "UPDATE", "USE"};
const Words kBackslash = {"\\?", "\\format", "\\q", "\\timing", "\\x"};
const Words kFormats = {"csv", "expanded", "json", "table"};
const Words kKeywords = {"ALLOW FILTERING",
                         "AND",
                         "AS",
                         "ASC",
                         "BATCH",
                         "BETWEEN",
                         "BY",
                         "CLUSTERING",
                         "CONTAINS",
                         "COUNT",
                         "DESC",
                         "DISTINCT",
                         "EXISTS",
                         "FILTERING",
                         "FROM",
                         "GROUP BY",
                         "IF",
                         "IN",
                         "INTO",
                         "JSON",
                         "KEY",
                         "KEYSPACE",
                         "LIKE",
                         "LIMIT",
                         "NOT",
                         "NULL",
                         "OR",
                         "ORDER BY",
                         "PARTITION",
                         "PRIMARY KEY",
                         "SET",
                         "STATIC",
                         "TABLE",
                         "TIMESTAMP",
                         "TO",
                         "TOKEN",
                         "TTL",
                         "TYPE",
                         "UNLOGGED",
                         "USING",
                         "VALUES",
                         "WHERE",
                         "WITH",
                         "WRITETIME",
                         "GENERATED ALWAYS AS",
                         "REPLICATION"};
const Words kTypes = {"ascii", "bigint",    "blob",     "boolean", "counter", "date", "decimal", "double",   "duration",
                      "float", "frozen",    "inet",     "int",     "list",    "map",  "set",     "smallint", "text",
                      "time",  "timestamp", "timeuuid", "tinyint", "tuple",   "uuid", "varchar", "varint",   "vector"};
const Words kCopyOptions = {"CHUNKSIZE", "DELIMITER", "ERRFILE",  "ESCAPE",    "HEADER",       "IGNOREUNKNOWN",
                            "MAXERRORS", "MAXROWS",   "NULL",     "PAGESIZE",  "PROGRESSFILE", "QUOTE",
                            "RESUME",    "SET",       "SKIPROWS", "STOREROWS", "WORKERS"};

class Completer {
 public:
  Completer(std::string_view text, size_t cursor, const SchemaSnapshot& schema, std::string_view keyspace)
      : schema_(schema), keyspace_(keyspace), all_(LexShell(text)), tokens_(LexShell(text.substr(0, cursor))) {
    KeepLastStatement();
    completion_.begin = cursor;
    const bool in_word =
        !tokens_.empty() && tokens_.back().end == cursor && tokens_.back().kind == ShellToken::Kind::kWord;
    const bool in_name =
        !tokens_.empty() && tokens_.back().kind == ShellToken::Kind::kUnterminated && text[tokens_.back().begin] == '"';
    inside_string_ = !tokens_.empty() && tokens_.back().kind == ShellToken::Kind::kUnterminated && !in_name;
    if (in_word || in_name) {
      word_ = in_name ? "\"" + tokens_.back().text : tokens_.back().text;
      completion_.begin = tokens_.back().begin;
      tokens_.pop_back();
    }
  }

  Completion Run() {
    if (inside_string_) return completion_;
    if (!tokens_.empty() && IsPunctuation(tokens_[0], '\\')) {
      OfferBackslash();
    } else if (tokens_.empty()) {
      OfferKeywords(kStatements);
    } else if (!OfferNamesOfPlace()) {
      OfferColumns();
      OfferKeywords(kKeywords);
    }
    std::sort(completion_.candidates.begin(), completion_.candidates.end());
    auto& found = completion_.candidates;
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return completion_;
  }

 private:
  void KeepLastStatement() {
    for (size_t i = tokens_.size(); i-- > 0;) {
      if (!IsPunctuation(tokens_[i], ';')) continue;
      const uint32_t end = tokens_[i].end;
      tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<ptrdiff_t>(i) + 1);
      std::erase_if(all_, [&](const ShellToken& token) { return token.begin < end; });
      return;
    }
  }

  // Returns the token `back` places before the word. If there is none, returns a token that matches nothing.
  const ShellToken& Before(size_t back) const {
    static const ShellToken kNone{.kind = ShellToken::Kind::kPunctuation, .text = std::string(1, '\0')};
    return back <= tokens_.size() ? tokens_[tokens_.size() - back] : kNone;
  }
  bool BeforeIs(size_t back, std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return IsWord(Before(back), word); });
  }
  bool StatementIs(std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return IsWord(tokens_[0], word); });
  }

  // --- Offering ---

  void Offer(const std::string& candidate) { completion_.candidates.push_back(candidate); }

  // Offers keywords in the case of the typed letters.
  void OfferKeywords(const Words& words) {
    const std::string upper = ToUpper(word_);
    const bool lower = !word_.empty() && word_ == ToLower(word_);
    for (const std::string& word : words) {
      if (word.starts_with(upper)) Offer(lower ? ToLower(word) : word);
    }
  }

  void OfferName(const std::string& name, const char* behind = "") {
    const std::string quoted = QuoteIdentifier(name);
    if (quoted.starts_with(word_) || quoted.starts_with(ToLower(word_))) Offer(quoted + behind);
  }

  void OfferKeyspaces(const char* behind) {
    for (const auto& [name, keyspace] : schema_.keyspaces) OfferName(name, behind);
  }

  void OfferTables(std::string_view keyspace) {
    const KeyspaceSchema* found = schema_.FindKeyspace(keyspace);
    if (found == nullptr) return;
    for (const auto& [name, table] : found->tables) OfferName(name);
  }

  void OfferTypes(std::string_view keyspace) {
    const KeyspaceSchema* found = schema_.FindKeyspace(keyspace);
    if (found == nullptr) return;
    for (const auto& [name, type] : found->types) OfferName(name);
  }

  void OfferBackslash() {
    if (tokens_.size() == 1) {
      // A backslash command is one word, with the backslash.
      completion_.begin = tokens_[0].begin;
      for (const std::string& command : kBackslash) {
        if (command.starts_with("\\" + word_)) Offer(command);
      }
    } else if (tokens_.size() == 2 && tokens_[1].text == "format") {
      for (const std::string& format : kFormats) {
        if (format.starts_with(word_)) Offer(format);
      }
    } else if (tokens_.size() == 2 && tokens_[1].text == "timing") {
      for (const char* state : {"off", "on"}) {
        if (std::string_view(state).starts_with(word_)) Offer(state);
      }
    }
  }

  // --- The place of the cursor ---

  // Offers the names or keywords that fit at the cursor. Returns true if nothing else fits there.
  bool OfferNamesOfPlace() {
    if (IsPunctuation(Before(1), '.')) {
      if (IsTablePlace(3)) OfferTables(NameOf(Before(2)));
      if (IsTypePlace(3)) OfferTypes(NameOf(Before(2)));
      return IsTablePlace(3) || IsTypePlace(3);
    }
    if (BeforeIs(1, {"USE", "KEYSPACE"})) {
      OfferKeyspaces("");
      return true;
    }
    if (IsTablePlace(1)) {
      OfferTables(keyspace_);
      OfferKeyspaces(".");
      if (StatementIs({"TRUNCATE"}) && BeforeIs(1, {"TRUNCATE"})) OfferKeywords({"TABLE"});
      if (BeforeIs(1, {"DESCRIBE", "DESC"}))
        OfferKeywords({"KEYSPACE", "KEYSPACES", "SCHEMA", "TABLE", "TABLES", "TYPE", "TYPES"});
      return true;
    }
    if (IsTypePlace(1)) {
      OfferTypes(keyspace_);
      return true;
    }
    if (BeforeIs(1, {"CREATE", "DROP", "ALTER"})) {
      OfferKeywords({"AGGREGATE", "FUNCTION", "INDEX", "KEYSPACE", "MATERIALIZED VIEW", "TABLE", "TYPE"});
      return true;
    }
    if (StatementIs({"COPY"}) && BeforeIs(1, {"WITH", "AND"})) {
      OfferKeywords(kCopyOptions);
      return true;
    }
    if (StatementIs({"CREATE"}) || (StatementIs({"ALTER"}) && !BeforeIs(1, {"DROP"}))) {
      OfferLowerWords(kTypes);
      return false;
    }
    return false;
  }

  // True if the token `back` places before the word is followed by a table's name.
  bool IsTablePlace(size_t back) const {
    if (BeforeIs(back, {"FROM"})) return !StatementIs({"COPY"});
    if (BeforeIs(back, {"INTO"})) return true;
    if (BeforeIs(back, {"TABLE"})) return !StatementIs({"CREATE"});
    if (BeforeIs(back, {"UPDATE", "TRUNCATE", "COPY", "DESCRIBE", "DESC", "HEAT"}))
      return tokens_.size() == back || BeforeBegins(back);
    return BeforeIs(back, {"EXISTS"}) && StatementIs({"DROP", "ALTER"}) && tokens_.size() > 1 &&
           IsWord(tokens_[1], "TABLE");
  }

  // True if the token `back` places before the word is an UPDATE that begins a statement, also after EXPLAIN or in a
  // batch. An UPDATE after FOR does not begin one.
  bool BeforeBegins(size_t back) const { return BeforeIs(back, {"UPDATE"}) && !BeforeIs(back + 1, {"FOR"}); }

  bool IsTypePlace(size_t back) const {
    return BeforeIs(back, {"TYPE"}) && StatementIs({"DROP", "ALTER", "DESCRIBE", "DESC"});
  }

  void OfferLowerWords(const Words& words) {
    if (word_.empty()) return;
    for (const std::string& word : words) {
      if (word.starts_with(ToLower(word_))) Offer(word);
    }
  }

  // Offers the columns of the table that the statement names, before or after the cursor.
  void OfferColumns() {
    for (size_t i = 0; i + 1 < all_.size(); ++i) {
      const bool names_table = IsWord(all_[i], "FROM") || IsWord(all_[i], "INTO") || IsWord(all_[i], "UPDATE") ||
                               IsWord(all_[i], "TABLE") || IsWord(all_[i], "COPY");
      if (!names_table) continue;
      const bool qualified = i + 3 < all_.size() && IsPunctuation(all_[i + 2], '.');
      const TablePtr table = qualified ? schema_.FindTable(NameOf(all_[i + 1]), NameOf(all_[i + 3]))
                                       : schema_.FindTable(keyspace_, NameOf(all_[i + 1]));
      if (table == nullptr) continue;
      for (const ColumnSchema& column : table->columns) OfferName(column.name);
    }
  }

  const SchemaSnapshot& schema_;
  const std::string_view keyspace_;
  std::vector<ShellToken> all_;     // The whole statement at the cursor.
  std::vector<ShellToken> tokens_;  // Its tokens before the word to complete.
  std::string word_;
  bool inside_string_ = false;
  Completion completion_;
};

}  // namespace

Completion Complete(std::string_view text, size_t cursor, const SchemaSnapshot& schema, std::string_view keyspace) {
  return Completer(text, std::min(cursor, text.size()), schema, keyspace).Run();
}

std::string CommonPrefix(const std::vector<std::string>& candidates) {
  if (candidates.empty()) return "";
  std::string prefix = candidates[0];
  for (const std::string& candidate : candidates) {
    const auto [end, other] = std::mismatch(prefix.begin(), prefix.end(), candidate.begin(), candidate.end());
    prefix.erase(end, prefix.end());
  }
  return prefix;
}

}  // namespace widerow
