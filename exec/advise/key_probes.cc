#include "exec/advise/key_probes.h"

#include <algorithm>

#include "types/position.h"

namespace widerow {

namespace {

// Returns the partition key at the beginning, or at the end, of `range`; nullopt if the range is empty.
Result<std::optional<Bytes>> EndKey(ReadView& view, const TablePtr& table, const Slice::KeyRange& range,
                                    Direction direction) {
  const Slice slice{.table = table, .partitions = range, .clustering = {}, .direction = direction, .resume = {}};
  WR_ASSIGN_OR_RETURN(const auto cursor, view.OpenSlice(slice));
  RowView row;
  WR_ASSIGN_OR_RETURN(const bool found, cursor->Next(row));
  return found ? std::optional(Bytes(row.partition_key)) : std::nullopt;
}

// Returns eight bytes from `at` on as a number, padded with zeros.
uint64_t NumberAt(ByteView key, size_t at) {
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof number; ++i)
    number = number << 8 | (at + i < key.size() ? static_cast<uint8_t>(key[at + i]) : 0);
  return number;
}

// Adds up to `count` keys evenly spread between `first` and `last`, computed from the first bytes in which the two
// differ.
void AddBetween(const Bytes& first, const Bytes& last, size_t count, const std::optional<Bytes>& end,
                std::vector<Slice::KeyRange>& out) {
  const auto differ = static_cast<size_t>(std::ranges::mismatch(first, last).in1 - first.begin());
  const uint64_t low = NumberAt(first, differ), high = NumberAt(last, differ);
  for (size_t i = 1; i <= count && low < high; ++i) {
    const uint64_t place = low + static_cast<uint64_t>(static_cast<double>(high - low) * static_cast<double>(i) /
                                                       static_cast<double>(count + 1));
    Bytes key = first.substr(0, differ);
    AppendBigEndian(key, place);
    out.push_back({std::move(key), end});
  }
}

}  // namespace

Result<std::vector<Slice::KeyRange>> KeyProbes(ReadView& view, const TablePtr& table, size_t count) {
  const auto& map = table->partition_map;
  const size_t step = (map.size() + count - 1) / count;
  const size_t each = std::max<size_t>(count / map.size(), 1);
  std::vector<Slice::KeyRange> probes;
  for (size_t i = 0; i < map.size(); i += step) {
    Slice::KeyRange range{.first = KeyOfPosition(map[i].first_position), .end = std::nullopt};
    if (i + 1 < map.size()) range.end = KeyOfPosition(map[i + 1].first_position);
    WR_ASSIGN_OR_RETURN(const auto first, EndKey(view, table, range, Direction::kForward));
    if (!first) continue;
    WR_ASSIGN_OR_RETURN(const auto last, EndKey(view, table, range, Direction::kBackward));
    probes.push_back(range);
    AddBetween(*first, last.value_or(*first), each - 1, range.end, probes);
  }
  return probes;
}

}  // namespace widerow
