#include "tests/derived/questions.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "tests/derived/words.h"
#include "types/value_bytes.h"

namespace widerow::derived_tables {
namespace {

// Returns true or false, or nullopt if a value is null.
using Test = std::function<std::optional<bool>(const Row&)>;

// A condition as text and as a function.
struct Condition {
  std::string text;
  Test test;
};

struct Column {
  const char* name;
  enum class Kind : uint8_t { kInt, kText, kWords, kList, kSet, kMap, kFrozenList } kind;
  int below = 0;         // The values are numbers from 0 to `below` - 1.
  bool ordered = false;  // True if ORDER BY may name the column.
  bool partition_key = false;
};
struct Table {
  const char* name;
  std::vector<Column> columns;
};

using Kind = Column::Kind;

const std::vector<Table>& Tables() {
  static const std::vector<Table> tables{
      {"t",
       {{"a", Kind::kInt, 4, false, true},
        {"b", Kind::kInt, 3, false, true},
        {"c", Kind::kInt, 6, true},
        {"v", Kind::kInt, 5, true},
        {"w", Kind::kInt, 9, true},
        {"s", Kind::kInt, 3},
        {"x", Kind::kText, 5},
        {"y", Kind::kWords, 4}}},
      {"m",
       {{"p", Kind::kInt, 10, false, true},
        {"c", Kind::kInt, 3},
        {"l", Kind::kList, 4},
        {"st", Kind::kSet, 4},
        {"m", Kind::kMap, 4},
        {"f", Kind::kFrozenList, 4}}},
      {"r",
       {{"a", Kind::kInt, 20, false, true},
        {"c", Kind::kInt, 6},
        {"v", Kind::kInt, 5, true},
        {"w", Kind::kInt, 9},
        {"s", Kind::kInt, 3},
        {"y", Kind::kWords, 4}}},
      {"l",
       {{"a", Kind::kInt, 20, false, true},
        {"c", Kind::kInt, 6},
        {"v", Kind::kInt, 5, true},
        {"w", Kind::kInt, 9},
        {"s", Kind::kInt, 3}}},
      {"u",
       {{"k", Kind::kInt, 12, false, true},
        {"c", Kind::kInt, 4},
        {"v", Kind::kInt, 60, true},
        {"w", Kind::kInt, 9},
        {"s", Kind::kInt, 20},
        {"tags", Kind::kSet, 90}}},
  };
  return tables;
}

std::string Text(int number) { return std::to_string(number); }

// Returns the elements of a collection that the native protocol has encoded; for a map: key, value, key, value, …
std::vector<Bytes> Elements(ByteView bytes, bool map) {
  std::vector<Bytes> elements;
  const auto take = [&] {
    const auto number = ReadBigEndian<int32_t>(bytes.data());
    bytes.remove_prefix(4);
    return static_cast<size_t>(number);
  };
  for (size_t left = take() * (map ? 2 : 1); left > 0; --left) {
    const size_t size = take();
    elements.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return elements;
}

int64_t Int(ByteView value) { return DecodeInteger(value); }

class Questioner {
 public:
  Questioner(Engine& engine, std::mt19937& random, Compared& compared)
      : engine_(engine), random_(random), compared_(compared) {}

  void Ask(const Table& table, int count) {
    now_seconds_ = engine_.clock().NowSeconds();
    table_ = &table;
    std::string names;
    for (const Column& column : table.columns) names += (names.empty() ? "" : ", ") + std::string(column.name);
    select_ = "SELECT " + names + " FROM " + table.name;
    const std::optional<std::vector<Row>> all = Read(select_, 0);
    if (!all) Die(select_ + " is refused");
    for (int i = 0; i < count; ++i) AskOne(*all);
    for (size_t at = 0; at < table.columns.size(); ++at) {
      for (int i = 0; i < count && table.columns[at].kind == Kind::kWords; ++i) AskRelevance(*all, at);
    }
    for (int i = 0; i < count && table.name == std::string_view("m"); ++i) AskNearest();
  }

 private:
  int Below(int number) { return static_cast<int>(random_() % static_cast<unsigned>(number)); }

  // Returns nullopt if the statement is refused.
  std::optional<std::vector<Row>> Read(const std::string& text, uint32_t page_rows) {
    RequestParameters parameters{.keyspace = "ks", .page_rows = page_rows, .now_seconds = now_seconds_};
    std::vector<Row> rows;
    do {
      Result<Outcome> outcome = engine_.Execute(text, parameters);
      if (!outcome.ok() && outcome.error().code == ErrorCode::kInvalid) return std::nullopt;
      if (!outcome.ok()) Die(text + ": " + outcome.error().message);
      const auto& page = std::get<RowsPage>(outcome->result);
      PageReader reader(page);
      std::vector<ValueView> row;
      while (reader.Next(row)) {
        Row& copy = rows.emplace_back();
        for (const ValueView& value : row) copy.push_back(value ? Value(Bytes(*value)) : Value());
      }
      parameters.paging_state = page.paging_state;
    } while (!parameters.paging_state.empty());
    return rows;
  }

  void AskOne(const std::vector<Row>& all) {
    const Condition condition = MakeCondition(3);
    std::vector<Row> expected;
    std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
                 [&](const Row& row) { return condition.test(row).value_or(false); });
    std::string text = select_ + " WHERE " + condition.text;
    if (Below(2) == 0) text += Order(expected);
    if (Below(3) == 0) {
      const auto limit = static_cast<size_t>(1 + Below(8));
      text += " LIMIT " + std::to_string(limit);
      expected.resize(std::min(expected.size(), limit));
    }
    const auto page_rows = Below(2) == 0 ? 0 : 1 + static_cast<uint32_t>(Below(5));
    const std::optional<std::vector<Row>> found = Read(text + " ALLOW FILTERING", page_rows);
    // CQL refuses some combinations of conditions on one column, for example k = 1 AND k = 2.
    ++(found ? compared_.questions : compared_.refused);
    if (!found || *found == expected) return;
    Die(StrCat(text, " (pages of ", page_rows, "): ", found->size(), " rows, and a scan finds ", expected.size(),
               ", or their order differs"));
  }

  // Returns a condition that gives the whole partition key.
  Condition OnePartition() {
    Condition one{"", [](const Row&) { return true; }};
    for (size_t at = 0; at < table_->columns.size() && table_->columns[at].partition_key; ++at) {
      const int value = Below(table_->columns[at].below);
      one.text += StrCat(one.text.empty() ? "" : " AND ", table_->columns[at].name, " = ", value);
      one.test = [at, value, before = one.test](const Row& row) { return *before(row) && Int(*row[at]) == value; };
    }
    return one;
  }

  // Asks for the rows that are most relevant to some words. If the condition gives a whole partition key, the relevance
  // follows from the texts of this partition, and otherwise from those of the whole table.
  void AskRelevance(std::vector<Row> all, size_t at) {
    std::vector<std::string> words;
    for (int i = 0; i < table_->columns[at].below; ++i) {
      if (Below(3) == 0) words.push_back("word" + Text(i));
    }
    if (words.empty()) words.push_back("word0");
    std::string text = select_;
    std::optional<Condition> condition;
    if (Below(3) == 0) {
      condition = OnePartition();
      std::erase_if(all, [&](const Row& row) { return !*condition->test(row); });
    } else if (Below(2) == 0) {
      condition = OfNumber(2, table_->columns[2]);
    }
    if (condition) text += " WHERE " + condition->text;
    text += std::string(" ORDER BY ") + table_->columns[at].name + " BM25 OF '";
    for (const std::string& word : words) text += word + " ";
    const auto limit = static_cast<size_t>(1 + Below(20));
    text += "' LIMIT " + std::to_string(limit) + " ALLOW FILTERING";
    std::vector<Row> expected;
    std::copy_if(all.begin(), all.end(), std::back_inserter(expected), [&](const Row& row) {
      const std::vector<std::string> of = WordsOf(row[at]);
      const bool has = std::ranges::all_of(words, [&](const std::string& word) { return Contains(of, word); });
      return has && (!condition || condition->test(row).value_or(false));
    });
    const auto score = Bm25(all, at, words);
    std::ranges::stable_sort(expected, [&](const Row& a, const Row& b) { return score(a) > score(b); });
    Compare(text, std::move(expected), limit);
  }

  // Asks for the nearest vectors of table m. The expected order follows from CQL's function similarity_cosine, which a
  // SELECT calls for all rows.
  void AskNearest() {
    const std::string vector = StrCat("[1, ", Below(4), ", ", Below(1'000), "]");
    std::string select = StrCat("SELECT p, c, similarity_cosine(e, ", vector, ") FROM m");
    if (Below(2) == 0) select += StrCat(" WHERE p = ", Below(10));
    std::optional<std::vector<Row>> all = Read(select, 0);
    if (!all) Die(select + " is refused");
    std::erase_if(*all, [](const Row& row) { return !row[2]; });
    const auto similarity = [](const Row& row) {
      return std::bit_cast<float>(ReadBigEndian<uint32_t>(row[2]->data()));
    };
    std::ranges::stable_sort(*all, [&](const Row& a, const Row& b) { return similarity(a) > similarity(b); });
    const auto limit = static_cast<size_t>(1 + Below(20));
    Compare(StrCat(select, " ORDER BY e ANN OF ", vector, " LIMIT ", limit), *std::move(all), limit);
  }

  // Checks that the statement's answer is the first `limit` rows of `expected`.
  void Compare(const std::string& text, std::vector<Row> expected, size_t limit) {
    expected.resize(std::min(expected.size(), limit));
    const std::optional<std::vector<Row>> found = Read(text, 0);
    if (!found) Die(text + " is refused");
    ++compared_.questions;
    if (*found != expected)
      Die(StrCat(text, ": ", found->size(), " rows, and there are ", expected.size(), ", or the order differs"));
  }

  // Chooses a column that ORDER BY may name, sorts the rows by it, and returns the ORDER BY clause. Rows with equal
  // values are in the order of the table, which DESC reverses. Rows without a value come last.
  std::string Order(std::vector<Row>& rows) {
    std::vector<size_t> ordered;
    for (size_t i = 0; i < table_->columns.size(); ++i) {
      if (table_->columns[i].ordered) ordered.push_back(i);
    }
    if (ordered.empty()) return "";
    const size_t by = ordered[random_() % ordered.size()];
    // An ordered read does not show a partition that has static values only.
    const auto c = std::ranges::find(table_->columns, std::string_view("c"), &Column::name) - table_->columns.begin();
    std::erase_if(rows, [c](const Row& row) { return !row[static_cast<size_t>(c)].has_value(); });
    const bool descending = Below(2) == 0;
    const auto nulls =
        std::stable_partition(rows.begin(), rows.end(), [&](const Row& row) { return row[by].has_value(); });
    if (descending) std::reverse(rows.begin(), nulls);
    std::stable_sort(rows.begin(), nulls, [&](const Row& a, const Row& b) {
      return descending ? Int(*b[by]) < Int(*a[by]) : Int(*a[by]) < Int(*b[by]);
    });
    return std::string(" ORDER BY ") + table_->columns[by].name + (descending ? " DESC" : "");
  }

  Condition MakeCondition(int depth) {
    const int kind = depth == 0 ? 9 : Below(10);
    if (kind >= 6) return MakeComparison();
    if (kind == 0) {
      Condition of = MakeCondition(depth - 1);
      return {"NOT (" + of.text + ")", [test = of.test](const Row& row) -> std::optional<bool> {
                const std::optional<bool> truth = test(row);
                return truth ? std::optional(!*truth) : truth;
              }};
    }
    Condition a = MakeCondition(depth - 1), b = MakeCondition(depth - 1);
    const bool all = kind < 4;
    return {"(" + a.text + (all ? ") AND (" : ") OR (") + b.text + ")",
            [all, a = a.test, b = b.test](const Row& row) -> std::optional<bool> {
              const std::optional<bool> left = a(row), right = b(row);
              if (left == !all || right == !all) return !all;
              return left && right ? std::optional(all) : std::nullopt;
            }};
  }

  Condition MakeComparison() {
    const size_t at = random_() % table_->columns.size();
    const Column& column = table_->columns[at];
    switch (column.kind) {
      case Kind::kInt: return OfNumber(at, column);
      case Kind::kText: return OfText(at, column);
      case Kind::kWords: return OfWords(at, column);
      case Kind::kFrozenList: return OfFrozen(at, column);
      case Kind::kList:
      case Kind::kSet:
      case Kind::kMap: break;
    }
    return OfCollection(at, column);
  }

  template <typename Of>
  static Test IfPresent(size_t at, const Of& of) {
    return [at, of](const Row& row) { return row[at] ? std::optional<bool>(of(*row[at])) : std::nullopt; };
  }

  Condition OfNumber(size_t at, const Column& column) {
    const std::string name = column.name;
    const int a = Below(column.below), b = Below(column.below);
    // A column of the partition key gets no IN (case 5), because IN gives rows in the order of the listed keys.
    switch (Below(column.partition_key ? 5 : 6)) {
      case 0: return {name + " != " + Text(a), IfPresent(at, [a](ByteView v) { return Int(v) != a; })};
      case 1: return {name + " > " + Text(a), IfPresent(at, [a](ByteView v) { return Int(v) > a; })};
      case 2: return {name + " <= " + Text(a), IfPresent(at, [a](ByteView v) { return Int(v) <= a; })};
      case 5:
        return {name + " IN (" + Text(a) + ", " + Text(b) + ")",
                IfPresent(at, [a, b](ByteView v) { return Int(v) == a || Int(v) == b; })};
      default: return {name + " = " + Text(a), IfPresent(at, [a](ByteView v) { return Int(v) == a; })};
    }
  }

  Condition OfText(size_t at, const Column& column) {
    const std::string name = column.name, word = "word" + Text(Below(column.below));
    switch (Below(4)) {
      case 0:
        return {name + " LIKE '" + word + "%'", IfPresent(at, [word](ByteView v) { return v.starts_with(word); })};
      case 1: {
        const std::string end = word.substr(2);
        return {name + " LIKE '%" + end + "'", IfPresent(at, [end](ByteView v) { return v.ends_with(end); })};
      }
      default: return {name + " = '" + word + "'", IfPresent(at, [word](ByteView v) { return v == word; })};
    }
  }

  Condition OfWords(size_t at, const Column& column) {
    const std::string a = "word" + Text(Below(column.below)), b = "word" + Text(Below(column.below));
    return {std::string(column.name) + " : '" + a + " " + b + "'", [at, a, b](const Row& row) -> std::optional<bool> {
              if (!row[at]) return std::nullopt;
              const std::vector<std::string> words = WordsOf(row[at]);
              return Contains(words, a) && Contains(words, b);
            }};
  }

  Condition OfFrozen(size_t at, const Column& column) {
    const int a = Below(column.below);
    const std::string text = std::string(column.name) + " = [" + Text(a) + ", 2]";
    return {text, IfPresent(at, [a](ByteView v) {
              const std::vector<Bytes> elements = Elements(v, false);
              return elements.size() == 2 && Int(elements[0]) == a && Int(elements[1]) == 2;
            })};
  }

  Condition OfCollection(size_t at, const Column& column) {
    const std::string name = column.name;
    const int a = Below(column.below);
    const bool map = column.kind == Kind::kMap;
    const auto any = [at, map](const auto& test) -> Test {
      return [at, map, test](const Row& row) -> std::optional<bool> {
        if (!row[at]) return std::nullopt;
        const std::vector<Bytes> elements = Elements(*row[at], map);
        for (size_t i = 0; i < elements.size(); i += map ? 2 : 1) {
          if (test(elements[i], elements[map ? i + 1 : i])) return true;
        }
        return false;
      };
    };
    if (map && Below(2) == 0) {
      const std::string key = "k" + Text(Below(3));
      return {name + " CONTAINS KEY '" + key + "'", any([key](const Bytes& k, const Bytes&) { return k == key; })};
    }
    return {name + " CONTAINS " + Text(a), any([a](const Bytes&, const Bytes& element) { return Int(element) == a; })};
  }

  Engine& engine_;
  std::mt19937& random_;
  Compared& compared_;
  const Table* table_ = nullptr;
  std::string select_;
  int64_t now_seconds_ = 0;
};

}  // namespace

void AskQuestions(Engine& engine, std::mt19937& random, int count, Compared& compared) {
  Questioner questioner(engine, random, compared);
  for (const Table& table : Tables()) questioner.Ask(table, count);
}

}  // namespace widerow::derived_tables
