// Tests paging states that a client makes itself, with right checksums and any content. Each SELECT must refuse such a
// state, or answer with rows that it also returns without a state. It must end after a limited number of pages.
#include <optional>
#include <set>
#include <vector>

#include "base/check.h"
#include "exec/rows/paging.h"
#include "tests/fuzz/fuzz_database.h"
#include "tests/fuzz/fuzz_target.h"

using namespace widerow;

namespace {

constexpr int kPagesMax = 200;
constexpr size_t kScopeAt = 9;  // The scope is after the version and the checksum (paging.cc).

struct Select {
  const char* text;
  // False for a SELECT with a limit, an aggregate or groups: its rows depend on where a page begins.
  bool rows_of_table = true;
};
constexpr Select kSelects[] = {
    {"SELECT * FROM t"},
    {"SELECT * FROM t WHERE pk = 1"},
    {"SELECT * FROM t WHERE pk = 1 ORDER BY ck ASC"},
    {"SELECT * FROM t WHERE pk IN (1, 2)"},
    {"SELECT * FROM t WHERE pk = 1 AND ck IN (1, 3)"},
    {"SELECT * FROM t WHERE pk = 1 AND (ck, ck2) > (0, 'a')"},
    {"SELECT * FROM t WHERE token(pk) > -9000000000000000000 LIMIT 3", false},
    {"SELECT * FROM t PER PARTITION LIMIT 1", false},
    {"SELECT DISTINCT pk, s FROM t"},
    {"SELECT * FROM t WHERE v = 'w' ALLOW FILTERING"},
    {"SELECT count(*) FROM t", false},
    {"SELECT pk, count(*) FROM t GROUP BY pk", false},
    {"SELECT pk, ck, max(v) FROM t WHERE pk = 1 GROUP BY pk, ck", false},
    {"SELECT * FROM r"},
    {"SELECT * FROM r WHERE k >= 1 AND k < 20 ORDER BY k DESC"},
    {"SELECT * FROM r WHERE v = 10"},
    {"SELECT * FROM r_by_w WHERE w = 'a'"},
    {"SELECT * FROM h WHERE bucket IN (0, 1, 2, 3) ORDER BY k"},
    {"SELECT * FROM h WHERE bucket IN (0, 1, 2, 3) ORDER BY k DESC PER PARTITION LIMIT 1", false},
    {"SELECT * FROM h WHERE k >= 1 AND k <= 9"},
    {"SELECT * FROM p"},
    {"SELECT * FROM p WHERE k >= 1 AND k < 20 ORDER BY k"},
    {"SELECT * FROM system_schema.columns WHERE keyspace_name = 'k'"},
};

std::vector<Bytes> RowsOf(const RowsPage& page) {
  std::vector<Bytes> rows;
  std::vector<ValueView> values;
  for (PageReader reader(page); reader.Next(values);) {
    Bytes row;
    for (const ValueView& value : values) {
      AppendBigEndian(row, value ? static_cast<int32_t>(value->size()) : -1);
      if (value) row += *value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Uses three bytes of the input to change a part of the state.
void Change(PagingState& state, FuzzInput& input) {
  const uint8_t what = input.Byte(), where = input.Byte(), value = input.Byte();
  Bytes& text = (what & 16) != 0 ? state.at.clustering : state.at.partition_key;
  switch (what % 10) {
    case 0: state.rows_left = value == 255 ? UINT32_MAX : value; break;
    case 1: state.partition_rows_left = value == 255 ? UINT32_MAX : value; break;
    case 2: state.at.partition_done = (value & 1) != 0; break;
    case 3: state.at.after_static = (value & 1) != 0; break;
    case 4:
      if (!text.empty()) text[where % text.size()] = static_cast<char>(value);
      break;
    case 5: text.insert(where % (text.size() + 1), 1, static_cast<char>(value)); break;
    case 6: text.resize(where % (text.size() + 1)); break;
    case 7: text = Bytes(input.Take(where % 32)); break;
    case 8: (where & 1 ? state.group : state.source) = value == 255 ? UINT32_MAX : value; break;
    default: state.source_rows_left.resize(where % 20, value == 255 ? UINT32_MAX : value);
  }
}

class Pages {
 public:
  Pages(Engine& engine, const Select& select, uint32_t page_rows) : engine_(engine), select_(select) {
    parameters_.keyspace = "k";
    const std::optional<RowsPage> all = Next();
    WR_CHECK(all && all->paging_state.empty());
    for (Bytes& row : RowsOf(*all)) rows_.insert(std::move(row));
    parameters_.page_rows = page_rows;
  }

  // Reads `pages` pages. Returns the state of the next page, or nothing if there is none.
  Bytes StateAfter(int pages) {
    parameters_.paging_state.clear();
    for (int page = 0; page < pages; ++page) {
      std::optional<RowsPage> rows = Next();
      if (!rows) return {};  // This statement cannot be read in pages.
      parameters_.paging_state = std::move(rows->paging_state);
      if (parameters_.paging_state.empty()) break;
    }
    return parameters_.paging_state;
  }
  void RunFrom(Bytes state) {
    parameters_.paging_state = std::move(state);
    for (int page = 0; page < kPagesMax; ++page) {
      const std::optional<RowsPage> rows = Next();
      if (!rows) return;
      for (const Bytes& row : RowsOf(*rows)) WR_CHECK(!select_.rows_of_table || rows_.contains(row));
      parameters_.paging_state = rows->paging_state;
      if (parameters_.paging_state.empty()) return;
    }
    WR_CHECK(false);  // The pages never end.
  }

 private:
  std::optional<RowsPage> Next() {
    Result<Outcome> outcome = engine_.Execute(select_.text, parameters_);
    if (!outcome.ok()) return std::nullopt;
    return std::get<RowsPage>(std::move(outcome->result));
  }

  Engine& engine_;
  const Select& select_;
  RequestParameters parameters_;
  std::set<Bytes> rows_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static FuzzDatabase* const database = [] {
    // Never destroyed, because the database's threads run until the process ends.
    auto* const made = new FuzzDatabase;
    RequestParameters parameters;
    parameters.keyspace = "k";
    WR_CHECK(made->engine()
                 .Execute("CREATE TABLE p (k int PRIMARY KEY, v int) PARTITION BY KEY (k) PARTITIONS 5", parameters)
                 .ok());
    for (int k = 0; k < 12; ++k) {
      const std::string row = std::to_string(k) + ", " + std::to_string(k);
      WR_CHECK(made->engine().Execute("INSERT INTO p (k, v) VALUES (" + row + ")", parameters).ok());
    }
    return made;
  }();
  FuzzInput input(data, size);
  const Select& select = kSelects[input.Byte() % std::size(kSelects)];
  Pages pages(database->engine(), select, 1 + input.Byte() % 4u);
  Bytes state = pages.StateAfter(1 + input.Byte() % 4);
  if (state.empty()) return 0;
  const uint8_t how = input.Byte();
  if (how == 0) {  // The state is made of random bytes.
    pages.RunFrom(Bytes(input.rest()));
    return 0;
  }
  const auto scope = ReadBigEndian<uint64_t>(state.data() + kScopeAt);
  Result<PagingState> decoded = DecodePagingState(state, scope);
  if (decoded.ok()) {
    while (!input.empty()) Change(*decoded, input);
    state = EncodePagingState(*decoded, scope);
  }
  pages.RunFrom(std::move(state));
  return 0;
}
