#include "tests/designs/design.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

#include "advise/columns.h"
#include "base/text.h"
#include "parser/parse.h"
#include "tests/storage_of.h"
#include "types/compare.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

constexpr int64_t kHour = 3'600'000'000;  // One hour in microseconds.
constexpr size_t kBatchRows = 400;

std::vector<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

Arrival ArrivalOf(const std::string& word) {
  if (word == "random") return Arrival::kRandom;
  EXPECT_TRUE(word == "import" || word == "in_order") << word;
  return word == "import" ? Arrival::kImport : Arrival::kInOrder;
}

RecordedStatement ReadLoad(const std::string& text) {
  RecordedStatement statement{.keyspace = "ks", .text = {}};
  std::istringstream in(text);
  in >> statement.calls >> statement.rows_examined >> statement.rows_returned >> std::ws;
  std::getline(in, statement.text);
  return statement;
}

void ReadLine(const std::string& word, const std::string& rest, Design& design) {
  const std::vector<std::pair<std::string, std::string*>> texts = {
      {"verdict", &design.verdict}, {"source", &design.source}, {"rule", &design.rule},
      {"table", &design.table},     {"write", &design.write},
  };
  for (const auto& [name, text] : texts) {
    if (word == name) {
      *text = rest;
      return;
    }
  }
  const std::vector<std::string> words = Words(rest);
  if (word == "expect") {
    design.expect = words;
  } else if (word == "also") {
    design.also.push_back(rest);
  } else if (word == "deleted") {
    design.deleted_percent = std::stoull(rest);
  } else if (word == "arrival") {
    std::ranges::transform(words, std::back_inserter(design.arrivals), ArrivalOf);
  } else if (word == "rows") {
    design.rows = std::stoull(words.at(0));
    design.days = std::stoull(words.at(2));
  } else if (word == "load") {
    design.load.push_back(ReadLoad(rest));
  } else {
    ASSERT_EQ(rest.substr(0, 2), "= ") << word << " " << rest;
    design.columns.emplace_back(word, rest.substr(2));
  }
}

// Returns the key columns that have a rule in `columns`: the position of each rule and the type of the column. The
// order is that of the key.
std::vector<std::pair<size_t, TypePtr>> KeyPlaces(const TableSchema& table, const MadeRows::Rules& columns) {
  std::vector<std::pair<size_t, TypePtr>> places;
  for (uint32_t i = 0; i < table.partition_key_size + table.clustering_size; ++i) {
    const auto found = std::ranges::find(columns, table.columns[i].name, &MadeRows::Rules::value_type::first);
    if (found == columns.end()) continue;  // The server generates this column.
    places.emplace_back(found - columns.begin(), table.columns[i].type);
  }
  return places;
}

// Returns the row numbers in the order in which the rows arrive.
std::vector<size_t> OrderOf(Arrival arrival, const std::vector<std::vector<BoundValue>>& rows,
                            const std::vector<std::pair<size_t, TypePtr>>& key) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (arrival == Arrival::kRandom) std::ranges::shuffle(order, std::mt19937_64(20240602));
  if (arrival == Arrival::kImport) {
    std::ranges::stable_sort(order, [&](size_t a, size_t b) {
      for (const auto& [place, type] : key) {
        const int compared = Compare(*type, rows[a][place].bytes, rows[b][place].bytes);
        if (compared != 0) return compared < 0;
      }
      return false;
    });
  }
  return order;
}

std::string InsertText(const Design& design) {
  std::vector<std::string> names, markers(design.columns.size(), "?");
  for (const auto& [column, rule] : design.columns) names.push_back(column);
  return StrCat("INSERT INTO ", design.name, " (", JoinNames(names), ") VALUES (", JoinNames(markers),
                ") USING TIMESTAMP ?");
}

}  // namespace

const char* ArrivalName(Arrival arrival) {
  return arrival == Arrival::kInOrder ? "in_order" : arrival == Arrival::kRandom ? "random" : "import";
}

std::vector<Design> ReadDesigns(const std::string& file) {
  constexpr std::string_view kFault = "# fault: ";
  std::ifstream in(WR_TEST_DATA "/advise/" + file);
  EXPECT_TRUE(in.good()) << file;
  std::vector<Design> designs;
  for (std::string line; std::getline(in, line);) {
    if (!designs.empty() && line.starts_with(kFault)) designs.back().fault = line.substr(kFault.size());
    if (line.empty() || line[0] == '#') continue;
    const size_t blank = line.find(' ');
    const std::string word = line.substr(0, blank), rest = line.substr(blank + 1);
    if (word == "design")
      designs.push_back({.name = rest});
    else
      ReadLine(word, rest, designs.back());
  }
  if (const char* const wanted = std::getenv("WR_DESIGN"); wanted != nullptr)
    std::erase_if(designs, [&](const Design& design) { return design.name.find(wanted) == std::string::npos; });
  for (Design& design : designs) {
    if (design.arrivals.empty()) design.arrivals = {Arrival::kInOrder};
    if (const char* const rows = std::getenv("WR_ROWS"))
      design.rows = std::min<uint64_t>(design.rows, std::strtoull(rows, nullptr, 10));
  }
  return designs;
}

DesignDatabase::DesignDatabase() {
  auto storage =
      OpenLmdbEngine({.directory = directory_.path(), .map_bytes = uint64_t{1} << 34, .durability = Durability::kNone});
  engine_ = std::make_unique<Engine>(std::move(storage.value()), LanguageOptions{.extension_warnings = false});
  Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
}

Outcome DesignDatabase::Run(const std::string& text) {
  Result<Outcome> outcome = engine_->Execute(text, {.keyspace = "ks"});
  if (outcome.ok()) return std::move(*outcome);
  ADD_FAILURE() << text << ": " << outcome.error().message << "\n" << outcome.error().hint;
  return {};
}

void DesignDatabase::Load(const Design& design, Arrival arrival) {
  Run(design.table);
  for (const std::string& statement : design.also) Run(statement);
  const PreparedPtr write = engine_->Prepare(design.write.empty() ? InsertText(design) : design.write, "ks").value();
  MadeRows maker(design.rows, design.days, write->plan->markers, design.columns);
  std::vector<std::vector<BoundValue>> rows;
  for (uint64_t row = 0; row < design.rows; ++row) rows.push_back(maker.Row(row));
  const TablePtr table = engine_->schema()->FindTable("ks", design.name);
  const std::vector<size_t> order = OrderOf(arrival, rows, KeyPlaces(*table, design.columns));
  std::vector<BatchEntry> batch;
  for (size_t i = 0; i < order.size(); ++i) {
    BatchEntry entry{write, rows[order[i]], {}};
    if (design.write.empty()) {
      const int64_t at =
          arrival == Arrival::kInOrder
              ? maker.MicrosOf(i)
              : maker.MicrosOf(design.rows) + kHour * static_cast<int64_t>(i) / static_cast<int64_t>(order.size());
      entry.values.push_back({BoundValue::Kind::kValue, EncodeInteger(TypeKind::kBigint, at)});
    }
    batch.push_back(std::move(entry));
    if (batch.size() < kBatchRows && i + 1 < order.size()) continue;
    const auto kind = design.write.empty() ? BatchStatement::Kind::kUnlogged : BatchStatement::Kind::kCounter;
    const Result<Outcome> written = engine_->ExecuteBatch(kind, batch, {});
    ASSERT_TRUE(written.ok()) << design.name << ": " << written.error().message;
    batch.clear();
  }
  if (design.deleted_percent == 0) return;
  std::vector<std::vector<BoundValue>> deleted;
  for (size_t i = 0; i < order.size() * design.deleted_percent / 100; ++i) deleted.push_back(rows[order[i]]);
  Delete(design, deleted);
}

void DesignDatabase::Delete(const Design& design, const std::vector<std::vector<BoundValue>>& rows) {
  const TablePtr table = engine_->schema()->FindTable("ks", design.name);
  std::vector<std::string> conditions;
  const auto key = KeyPlaces(*table, design.columns);
  for (const auto& [place, type] : key) conditions.push_back(design.columns[place].first + " = ?");
  const PreparedPtr statement =
      engine_->Prepare(StrCat("DELETE FROM ", design.name, " WHERE ", JoinNames(conditions, " AND ")), "ks").value();
  for (const std::vector<BoundValue>& row : rows) {
    RequestParameters parameters;
    for (const auto& [place, type] : key) parameters.values.push_back(row[place]);
    const Result<Outcome> done = engine_->ExecutePrepared(*statement, parameters);
    ASSERT_TRUE(done.ok()) << design.name << ": " << done.error().message;
  }
}

void DesignDatabase::Drop(const Design& design) { Run("DROP TABLE " + design.name); }

advise::Findings DesignDatabase::Judge(const Design& design) {
  AdviceRequest request{.schema = engine_->schema(),
                        .storage = StorageOf(*engine_),
                        .language = {},
                        .current_keyspace = "ks",
                        .load = design.load};
  request.limits.time = std::chrono::seconds(60);  // This is enough for a slow machine.
  const Statement statement = Parse("ADVISE TABLE " + design.name).value();
  Result<advise::Findings> findings = Advise(std::get<AdviseStatement>(statement.node), request);
  EXPECT_TRUE(findings.ok()) << findings.error().message;
  return findings.ok() ? std::move(*findings) : advise::Findings();
}

void DesignDatabase::ExecuteFix(const advise::Finding& finding) {
  const SchemaPtr before = engine_->schema();
  for (const StatementSpan& span : SplitStatements(finding.fix)) {
    Run(finding.fix.substr(span.range.begin, span.range.end - span.range.begin));
  }
  // Several findings may propose the same table. So a table that a fix made is dropped before the next fix runs.
  const SchemaPtr after = engine_->schema();
  for (const auto& [name, table] : after->FindKeyspace("ks")->tables) {
    if (before->FindTable("ks", name) == nullptr) Run("DROP TABLE " + QuoteIdentifier(name));
  }
}

}  // namespace widerow
