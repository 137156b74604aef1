#include "net/hbase/store/meta_table.h"

#include <openssl/evp.h>

#include <algorithm>

#include "base/text.h"
#include "planner/access/partition_key.h"
#include "types/position.h"

namespace widerow::hbase {

namespace {

std::string Md5Hex(ByteView bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_md5(), nullptr);
  return ToHex({reinterpret_cast<const char*>(digest), size});
}

// The three parts of a row of hbase:meta. The start key may contain commas.
struct MetaKey {
  ByteView table, start, rest;
};
MetaKey Split(ByteView row) {
  const size_t first = row.find(',');
  if (first == ByteView::npos) return {.table = row, .start = {}, .rest = {}};
  const size_t last = row.rfind(',');
  if (last == first) return {.table = row.substr(0, first), .start = row.substr(first + 1), .rest = {}};
  return {
      .table = row.substr(0, first), .start = row.substr(first + 1, last - first - 1), .rest = row.substr(last + 1)};
}

int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

class MetaSource final : public RowSource {
 public:
  MetaSource(MetaRows rows, const std::vector<ReadFamily>& families) : rows_(std::move(rows)) {
    for (const ReadFamily& family : families) families_.push_back(family.family->name);
    std::ranges::sort(rows_, [](const RowCells& a, const RowCells& b) { return CompareMetaRows(a.row, b.row) < 0; });
  }

  Result<RowChunk> Read(const RowRangeSpec& range, uint32_t cells, AnswerRoom*) override {
    RowChunk chunk{.rows = {}, .last = true};
    size_t found = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const RowCells& row = rows_[range.reversed ? rows_.size() - 1 - i : i];
      if (!InRange(range, row.row)) continue;
      if (found >= cells) {
        chunk.last = false;
        break;
      }
      StoredRow stored{.row = row.row, .families = {}};
      for (const Bytes& family : families_) {
        stored.families.emplace_back();
        std::ranges::copy_if(row.cells, std::back_inserter(stored.families.back()),
                             [&](const Cell& cell) { return cell.family == family; });
        found += stored.families.back().size();
      }
      if (!stored.empty()) chunk.rows.push_back(std::move(stored));
    }
    return chunk;
  }

 private:
  static bool InRange(const RowRangeSpec& range, const Bytes& row) {
    const int sign = range.reversed ? -1 : 1;
    if (!range.start.empty()) {
      const int order = sign * CompareMetaRows(row, range.start);
      if (order < 0 || (order == 0 && !range.start_inclusive)) return false;
    }
    if (range.stop.empty()) return true;
    const int order = sign * CompareMetaRows(row, range.stop);
    return order < 0 || (order == 0 && range.stop_inclusive);
  }

  MetaRows rows_;
  std::vector<Bytes> families_;
};

}  // namespace

Bytes Region::Name() const {
  const Bytes front = StrCat(table.Text(), ",") + start + StrCat(",", id);
  return front + "." + Md5Hex(front) + ".";
}

std::vector<Region> RegionsOf(const HTable& table) {
  const TableSchema& schema = *table.families[0].table;
  std::vector<Region> regions = {{.table = table.id, .start = {}, .end = {}}};
  if (schema.partitioning.kind != PartitionKind::kRange) return regions;
  for (size_t i = 1; i < schema.partition_map.size(); ++i) {
    const std::vector<Bytes> bound = BoundValuesOf(schema, KeyOfPosition(schema.partition_map[i].first_position));
    if (bound.empty() || bound[0].empty()) continue;
    const Bytes& start = bound[0];
    regions.back().end = start;
    regions.push_back({.table = table.id, .start = start, .end = {}});
  }
  return regions;
}

Region MetaRegion() {
  return {.table = {.space = std::string(kSystemNamespace), .name = "meta"}, .start = {}, .end = {}};
}

std::optional<TableId> TableOfRegion(ByteView region_name) {
  const size_t comma = region_name.find(',');
  if (comma == ByteView::npos || comma == 0) return std::nullopt;
  return TableId::Parse(region_name.substr(0, comma));
}

int CompareMetaRows(ByteView a, ByteView b) {
  const MetaKey left = Split(a), right = Split(b);
  if (const int order = Sign(left.table.compare(right.table)); order != 0) return order;
  if (const int order = Sign(left.start.compare(right.start)); order != 0) return order;
  return Sign(left.rest.compare(right.rest));
}

std::unique_ptr<RowSource> MakeMetaSource(MetaRows rows, const std::vector<ReadFamily>& families) {
  return std::make_unique<MetaSource>(std::move(rows), families);
}

HTablePtr MetaTable() {
  static const HTablePtr meta = [] {
    auto table = std::make_shared<HTable>();
    table->id = MetaRegion().table;
    for (const char* name : {"info", "table"}) {
      HFamily family;
      family.name = name;
      table->families.push_back(std::move(family));
    }
    return HTablePtr(std::move(table));
  }();
  return meta;
}

}  // namespace widerow::hbase
