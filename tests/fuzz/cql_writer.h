// Makes statements from the grammar. The bytes of the input choose among the alternatives of grammar/CqlParser.g4. So
// the parser accepts each statement, and a changed byte changes one of its parts. Some rules of
// tests/fuzz/statements.g4 have the same names as rules of the grammar, but write the tables and columns of
// FuzzDatabase. In most cases they are chosen instead. Both files are read when they are first needed. The working
// directory must be the root of the tree.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/check.h"
#include "tests/fuzz/fuzz_target.h"

namespace widerow {

// A part of a rule of the grammar.
struct GrammarNode {
  enum Kind : uint8_t { kText, kRule, kSequence, kChoice, kOptional, kRepeated };
  Kind kind = kSequence;
  std::string text;  // For kText: the text to write. For kRule: the name of the rule.
  std::vector<GrammarNode> parts;
  int least = 1'000;  // The smallest number of nested rules in a text of this part.
};
using GrammarRules = std::map<std::string, GrammarNode>;

// Reads the rules of a parser grammar in the notation of ANTLR. The grammar must have no actions.
class GrammarReader {
 public:
  static GrammarRules Read(const std::string& file) {
    GrammarReader reader(file);
    GrammarRules rules;
    reader.Skip("grammar");
    while (!reader.token_.empty()) {
      const std::string name = reader.Take();
      if (name == "options") {
        reader.Skip("}");
        continue;
      }
      WR_CHECK(reader.Take() == ":");
      rules[name] = reader.Choice();
      WR_CHECK(reader.Take() == ";");
    }
    return rules;
  }

 private:
  explicit GrammarReader(const std::string& file) {
    std::ifstream in(file);
    WR_CHECK(in.good());
    for (std::string line; std::getline(in, line);) text_ += line.substr(0, line.find("//")) + '\n';
    Advance();
  }
  static bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  // Reads the next token: a word, a quoted text without its closing quote, or one other character.
  void Advance() {
    token_.clear();
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) return;
    if (text_[at_] == '\'') {
      for (token_ = "'"; text_[++at_] != '\''; token_ += text_[at_]) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
    } else if (IsWord(text_[at_])) {
      while (IsWord(text_[at_])) token_ += text_[at_++];
    } else {
      token_ = text_[at_++];
    }
  }
  std::string Take() {
    std::string taken = token_;
    Advance();
    return taken;
  }
  // Skips everything up to `word`, and `word` itself. After "grammar", it also skips the grammar's name and semicolon.
  void Skip(const std::string& word) {
    while (token_ != word) Advance();
    Advance();
    if (word != "grammar") return;
    Advance();
    Advance();
  }

  GrammarNode Choice() {
    GrammarNode choice{.kind = GrammarNode::kChoice, .text = {}, .parts = {}};
    do { choice.parts.push_back(Sequence()); } while (token_ == "|" && !Take().empty());
    return choice.parts.size() == 1 ? std::move(choice.parts[0]) : std::move(choice);
  }
  GrammarNode Sequence() {
    GrammarNode sequence;
    while (token_ != "|" && token_ != ")" && token_ != ";") {
      if (token_ == "#") {  // The name of an alternative follows.
        Advance();
        Advance();
        continue;
      }
      sequence.parts.push_back(Part());
    }
    return sequence;
  }
  GrammarNode Part() {
    GrammarNode part;
    const std::string token = Take();
    if (token == "(") {
      part = Choice();
      WR_CHECK(Take() == ")");
    } else if (token[0] == '\'') {
      part = {.kind = GrammarNode::kText, .text = token.substr(1), .parts = {}};
    } else {
      part = {.kind = GrammarNode::kRule, .text = token, .parts = {}};
    }
    if (token_ == "?" || token_ == "*" || token_ == "+") {
      const bool once = token_ == "+";
      GrammarNode more{
          .kind = token_ == "?" ? GrammarNode::kOptional : GrammarNode::kRepeated, .text = {}, .parts = {part}};
      Advance();
      if (!once) return more;
      return {.kind = GrammarNode::kSequence, .text = {}, .parts = {std::move(part), std::move(more)}};
    }
    return part;
  }

  std::string text_, token_;
  size_t at_ = 0;
};

class CqlWriter {
 public:
  CqlWriter()
      : grammar_(GrammarReader::Read("grammar/CqlParser.g4")), own_(GrammarReader::Read("tests/fuzz/statements.g4")) {
    for (bool changed = true; changed;) {
      changed = false;
      for (GrammarRules* rules : {&grammar_, &own_}) {
        for (auto& [name, rule] : *rules) Measure(rule, changed);
      }
    }
  }

  // Returns one statement without a semicolon.
  std::string Statement(FuzzInput& input) const {
    std::string out;
    Write({.kind = GrammarNode::kRule, .text = "statement", .parts = {}}, 0, input, out);
    return out;
  }

 private:
  static constexpr int kDepthMax = 40;
  static constexpr size_t kBytesMax = 3'000;
  // If both files have a rule, the rule of statements.g4 is chosen with the probability kOwnShare / 256. An optional or
  // repeated part is written with the probability kMoreShare / 256.
  static constexpr uint8_t kOwnShare = 190, kMoreShare = 90;

  // Returns the rule with this name. Returns null if it is a token, whose text is the name without "K_".
  static const GrammarNode* Find(const GrammarRules& rules, const std::string& name) {
    const auto found = rules.find(name);
    return found == rules.end() ? nullptr : &found->second;
  }

  int Measure(GrammarNode& node, bool& changed) {
    int least = 0;
    switch (node.kind) {
      case GrammarNode::kText:
      case GrammarNode::kOptional:
      case GrammarNode::kRepeated: break;
      case GrammarNode::kRule: {
        const GrammarNode *own = Find(own_, node.text), *rule = Find(grammar_, node.text);
        if (own != nullptr || rule != nullptr) {
          least = 1 + std::min(own == nullptr ? 1'000 : own->least, rule == nullptr ? 1'000 : rule->least);
        }
        break;
      }
      case GrammarNode::kSequence:
        for (const GrammarNode& part : node.parts) least = std::max(least, part.least);
        break;
      case GrammarNode::kChoice:
        least = 1'000;
        for (const GrammarNode& part : node.parts) least = std::min(least, part.least);
        break;
    }
    for (GrammarNode& part : node.parts) Measure(part, changed);
    if (least < node.least) {
      node.least = least;
      changed = true;
    }
    return node.least;
  }

  void Write(const GrammarNode& node, int depth, FuzzInput& input, std::string& out) const {
    const bool short_of = input.empty() || depth > kDepthMax || out.size() > kBytesMax;
    switch (node.kind) {
      case GrammarNode::kText: out += (out.empty() ? "" : " ") + node.text; break;
      case GrammarNode::kRule: WriteRule(node.text, depth, short_of, input, out); break;
      case GrammarNode::kSequence:
        for (const GrammarNode& part : node.parts) Write(part, depth, input, out);
        break;
      case GrammarNode::kChoice: {
        const auto shallower = [](const GrammarNode& a, const GrammarNode& b) { return a.least < b.least; };
        const auto chosen = short_of ? std::min_element(node.parts.begin(), node.parts.end(), shallower)
                                     : node.parts.begin() + input.Byte() % static_cast<ptrdiff_t>(node.parts.size());
        Write(*chosen, depth + 1, input, out);
        break;
      }
      case GrammarNode::kOptional:
        if (!short_of && input.Byte() < kMoreShare) Write(node.parts[0], depth + 1, input, out);
        break;
      case GrammarNode::kRepeated:
        while (!input.empty() && out.size() < kBytesMax && input.Byte() < kMoreShare) {
          Write(node.parts[0], depth + 1, input, out);
        }
        break;
    }
  }

  void WriteRule(const std::string& name, int depth, bool short_of, FuzzInput& input, std::string& out) const {
    const GrammarNode *own = Find(own_, name), *rule = Find(grammar_, name);
    if (own == nullptr && rule == nullptr) {
      if (name == "K_COLUMNFAMILY")
        out += " TABLE";
      else if (name.starts_with("K_"))
        out += (out.empty() ? "" : " ") + name.substr(2);
      else
        out += " ?";
      return;
    }
    const bool takes_own =
        own != nullptr && (rule == nullptr || (short_of ? own->least <= rule->least : input.Byte() < kOwnShare));
    Write(takes_own ? *own : *rule, depth + 1, input, out);
  }

  GrammarRules grammar_, own_;
};

}  // namespace widerow
