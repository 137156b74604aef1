// Tests statements from the grammar with a real database: parser, planner, executor and storage. An input is a few
// statements (cql_writer.h). Each runs as a text or prepared, with values for its bind markers, page by page.
#include <vector>

#include "base/check.h"
#include "tests/fuzz/cql_writer.h"
#include "tests/fuzz/fuzz_database.h"

using namespace widerow;

namespace {

constexpr int kStatementsMax = 8, kPagesMax = 20;

BoundValue Value(FuzzInput& input) {
  const uint8_t bytes = input.Byte();
  switch (bytes % 8) {
    case 0: return {.kind = BoundValue::Kind::kNull, .bytes = {}};
    case 1: return {.kind = BoundValue::Kind::kUnset, .bytes = {}};
    case 2: return {.kind = BoundValue::Kind::kValue, .bytes = Bytes(input.Take(bytes / 8))};
    case 3: return {.kind = BoundValue::Kind::kValue, .bytes = Bytes(1, static_cast<char>('a' + bytes / 8 % 4))};
    default: return {.kind = BoundValue::Kind::kValue, .bytes = Bytes(3, '\0') + static_cast<char>(bytes / 8)};
  }
}

// Runs the statement until its last page. The last value of each page must end at the page's last byte.
void Run(Engine& engine, const std::string& text, FuzzInput& input) {
  const uint8_t how = input.Byte();
  RequestParameters parameters;
  parameters.keyspace = "k";
  parameters.page_rows = how % 4u;
  Result<PreparedPtr> prepared = Error{};
  if ((how & 4) != 0) {
    prepared = engine.Prepare(text, "k");
    if (!prepared.ok()) return;
    for (size_t i = 0; i < (*prepared)->plan->markers.size(); ++i) parameters.values.push_back(Value(input));
  }
  parameters.trace = (how & 0xF0) == 0xF0;
  for (int page = 0; page < kPagesMax; ++page) {
    const Result<Outcome> outcome =
        prepared.ok() ? engine.ExecutePrepared(**prepared, parameters) : engine.Execute(text, parameters);
    if (!outcome.ok()) {
      WR_CHECK(!outcome.error().message.empty());
      return;
    }
    const auto* rows = std::get_if<RowsPage>(&outcome->result);
    if (rows == nullptr) return;
    std::vector<ValueView> row;
    size_t bytes = 0;
    for (PageReader reader(*rows); reader.Next(row);) {
      for (const ValueView& value : row) bytes += 4 + (value ? value->size() : 0);
    }
    WR_CHECK(bytes == rows->body.size());
    if (rows->paging_state.empty()) return;
    parameters.paging_state = rows->paging_state;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Never destroyed, because the database's threads run until the process ends.
  static FuzzDatabase* const database = new FuzzDatabase;
  static const CqlWriter* const writer = new CqlWriter;
  static const bool shows = std::getenv("SHOW_STATEMENTS") != nullptr;
  database->BeginInput();
  FuzzInput input(data, size);
  for (int count = 0; count < kStatementsMax && !input.empty(); ++count) {
    const std::string text = writer->Statement(input);
    if (shows) std::fprintf(stderr, "%s\n", text.c_str());
    Run(database->engine(), text, input);
  }
  return 0;
}
