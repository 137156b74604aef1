#include "tests/damage/salvage.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

namespace widerow::damage {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Fields(const std::string& row) {
  std::vector<std::string> fields;
  for (size_t begin = 0, end; (end = row.find(" | ", begin)) != row.npos; begin = end + 3) {
    fields.push_back(row.substr(begin, end - begin));
  }
  return fields;
}

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The places in the list of rows that may lack values, such as "d.plain k = 1 AND c = 2".
std::set<std::string> ListedIn(const std::string& text) {
  std::set<std::string> places;
  const size_t begin = text.find("These rows are there");
  if (begin == text.npos) return places;
  for (size_t at = text.find('\n', begin) + 1, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    places.insert(text.substr(at, text.find(": ", at) - at));
  }
  return places;
}

// The table that a query reads, and the fields of its rows that are the key of the table.
struct Shape {
  std::string table;
  size_t partition_field = 0, key_fields = 1;
  bool texts = false;       // True if the columns of the key are texts.
  size_t static_field = 0;  // The field of the static column, or 0 if there is none.
  bool has_key = true;
};

Shape ShapeOf(const Query& query) {
  const size_t from = query.text.find("FROM d.") + 5;
  Shape shape;
  shape.table = query.text.substr(from, query.text.find(' ', from) - from);
  shape.has_key = query.text.find("SELECT *") == 0;
  const bool of_view = shape.table == "d.by_a";
  if (shape.table == "d.plain") shape.static_field = 2;
  if (of_view || shape.table == "d.plain" || shape.table == "d.deletions" || shape.table == "d.long_keys") {
    shape.key_fields = 2;
  }
  if (of_view) shape.table = "d.plain";
  if (of_view) shape.partition_field = 1;
  shape.texts = shape.table == "d.long_keys";
  return shape;
}

// Returns the place of a row, or of its partition if `key_fields` is 1.
std::string PlaceOf(const Shape& shape, const std::vector<std::string>& fields, size_t key_fields) {
  std::string place = shape.table + " ";
  for (size_t i = 0; i < key_fields; ++i) {
    const std::string& value = fields[shape.partition_field + i];
    place += (i == 0 ? "k = " : " AND c = ") + (shape.texts ? "'" + value + "'" : value);
  }
  return place;
}

// True if `row` is `whole` without some of its values, and is in the list of rows that may lack values.
bool IsListedPart(const std::string& row, const std::string& whole, const Shape& shape,
                  const std::set<std::string>& listed) {
  const std::vector<std::string> fields = Fields(row), all = Fields(whole);
  if (fields.size() != all.size()) return false;
  bool any_of_table = false;
  if (!shape.has_key) {
    for (const std::string& place : listed) any_of_table = any_of_table || place.starts_with(shape.table + " ");
  } else if (PlaceOf(shape, fields, shape.key_fields) != PlaceOf(shape, all, shape.key_fields)) {
    return false;
  }
  const bool row_listed = any_of_table || (shape.has_key && listed.contains(PlaceOf(shape, fields, shape.key_fields)));
  const bool statics_listed = shape.static_field > 0 && listed.contains(PlaceOf(shape, fields, 1));
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i] == all[i]) continue;
    const bool excused = i == shape.static_field && i > 0 ? statics_listed : row_listed;
    if (!excused || (fields[i] != "null" && fields[i].size() >= all[i].size())) return false;
  }
  return true;
}

// Salvages the directory. Returns an empty string, or why there is no result.
std::string RunProgram(const std::string& program, const fs::path& damaged, const fs::path& to, std::string& said) {
  fs::remove_all(to);
  const fs::path output = to.string() + ".txt";
  const std::string command = program + " check --data '" + damaged.string() + "' --salvage '" + to.string() + "' >'" +
                              output.string() + "' 2>&1";
  const int status = std::system(command.c_str());
  said = TextOf(output);
  return status == 0 ? "" : "salvage: " + said;
}

}  // namespace

std::string Salvage(const std::string& program, const fs::path& damaged, const fs::path& to,
                    const std::vector<Answer>& right, bool may_lack_last, SalvageTotals& totals) {
  // No page of the sample has more rows than this.
  constexpr uint64_t kRowsOfPage = 150;
  std::string text;
  if (const std::string failure = RunProgram(program, damaged, to, text); !failure.empty()) {
    return text.find("offset") != text.npos || text.find("data.mdb") != text.npos ? "" : failure;
  }
  unsigned long pages = 0, records = 0, removed = 0;
  const size_t lost = text.find("; lost: ");
  if (lost == text.npos || std::sscanf(text.c_str() + lost, "; lost: %lu damaged %*[^,], %lu %*[^,], and %lu", &pages,
                                       &records, &removed) != 3) {
    return "salvage does not say what is lost: " + text;
  }
  const std::set<std::string> listed = ListedIn(TextOf(to / "salvage.txt"));
  if (text.find("cannot be read are left") != text.npos) return "salvage leaves records that cannot be read: " + text;
  const bool whole_catalog = text.find("note:") == text.npos;
  const std::vector<Answer> answers = AnswersOf(to);
  ++totals.salvaged;
  totals.listed += listed.size();
  uint64_t missing = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const Query& query = Queries()[i];
    if (query.text.find("count(") != query.text.npos || query.text.find("system_schema") != query.text.npos) continue;
    const bool whole_table = query.text.find("WHERE") == query.text.npos;
    if (!answers[i].failure.empty()) {
      if (whole_table && whole_catalog) return "salvaged: " + query.text + ": " + answers[i].failure;
      continue;
    }
    const Shape shape = ShapeOf(query);
    std::multiset<std::string> wanted(right[i].rows.begin(), right[i].rows.end());
    for (const std::string& row : answers[i].rows) {
      auto found = wanted.find(row);
      if (found == wanted.end()) {
        found = std::find_if(wanted.begin(), wanted.end(),
                             [&](const std::string& whole) { return IsListedPart(row, whole, shape, listed); });
        totals.partial += whole_table ? 1 : 0;
      }
      if (found == wanted.end()) return "WRONG after a salvage: " + query.text + ": " + row.substr(0, 300);
      wanted.erase(found);
    }
    const bool of_view = query.text.find("by_a") != query.text.npos;
    if (whole_table && !of_view && !(query.last_write && may_lack_last)) missing += wanted.size();
  }
  if (whole_catalog && missing > pages * kRowsOfPage + records + removed) {
    return "the salvage has lost " + std::to_string(missing) + " rows: " + text;
  }
  return "";
}

}  // namespace widerow::damage
