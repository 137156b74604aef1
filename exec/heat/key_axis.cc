#include "exec/heat/key_axis.h"

#include <algorithm>
#include <iterator>

namespace widerow {
namespace {

// Returns part `i` of `whole` divided into `parts` even parts. The parts add up to `whole`.
uint64_t Share(uint64_t whole, size_t i, size_t parts) { return whole * (i + 1) / parts - whole * i / parts; }

// A part is assumed to be `shown`, and its true value is between 0 and `whole`. Returns the greatest possible error.
uint64_t Guessed(uint64_t shown, uint64_t whole) { return std::max(shown, whole - shown); }

HeatCell PartOf(const HeatCell& whole, size_t i, size_t parts) {
  if (parts == 1) return whole;
  HeatCell part{.reads = Share(whole.reads, i, parts),
                .writes = Share(whole.writes, i, parts),
                .bytes = Share(whole.bytes, i, parts),
                .micros = Share(whole.micros, i, parts),
                .samples = whole.samples};
  part.reads_guessed = whole.reads_guessed + Guessed(part.reads, whole.reads);
  part.writes_guessed = whole.writes_guessed + Guessed(part.writes, whole.writes);
  return part;
}

// True if a range that begins at `first` would divide the keys of a cell.
bool Divides(ByteView first, const CellsOnAxis& counted) {
  const size_t i = counted.axis.BucketOf(first);
  if (counted.cells[i].empty() || first > counted.high) return false;
  return first > std::max(ByteView(counted.axis.firsts()[i]), counted.low);
}

// Joins the two neighboring ranges that together have the least load, until there are at most kHeatBuckets ranges.
void JoinLightest(const CellsOnAxis& one, const CellsOnAxis& other, std::vector<Bytes>& firsts) {
  if (firsts.size() <= kHeatBuckets) return;
  std::vector<uint64_t> loads(firsts.size());
  for (const CellsOnAxis* counted : {&one, &other}) {
    for (size_t i = 0; i < counted->cells.size(); ++i) {
      const ByteView first = std::max(ByteView(counted->axis.firsts()[i]), counted->low);
      const auto after = std::upper_bound(firsts.begin() + 1, firsts.end(), first,
                                          [](ByteView wanted, const Bytes& key) { return wanted < ByteView(key); });
      loads[static_cast<size_t>(after - firsts.begin()) - 1] += counted->cells[i].reads + counted->cells[i].writes;
    }
  }
  while (firsts.size() > kHeatBuckets) {
    size_t least = 1;
    for (size_t i = 2; i < firsts.size(); ++i) {
      if (loads[i - 1] + loads[i] < loads[least - 1] + loads[least]) least = i;
    }
    loads[least - 1] += loads[least];
    loads.erase(loads.begin() + static_cast<ptrdiff_t>(least));
    firsts.erase(firsts.begin() + static_cast<ptrdiff_t>(least));
  }
}

}  // namespace

size_t KeyAxis::BucketOf(ByteView key) const {
  const auto after = std::upper_bound(firsts_.begin() + 1, firsts_.end(), key,
                                      [](ByteView wanted, const Bytes& first) { return wanted < ByteView(first); });
  return static_cast<size_t>(after - firsts_.begin()) - 1;
}

const KeyAxisPtr& TokenAxis() {
  static const KeyAxisPtr axis = [] {
    std::vector<Bytes> firsts(kHeatBuckets);
    for (size_t i = 1; i < kHeatBuckets; ++i) firsts[i] = Bytes(1, static_cast<char>(i));
    return std::make_shared<const KeyAxis>(0, std::move(firsts));
  }();
  return axis;
}

void Project(const CellsOnAxis& from, const KeyAxis& to, std::span<HeatCell> out) {
  const std::vector<Bytes>& firsts = from.axis.firsts();
  for (size_t i = 0; i < firsts.size(); ++i) {
    if (from.cells[i].empty()) continue;
    const ByteView first = std::max(ByteView(firsts[i]), from.low);
    size_t begin = to.BucketOf(first), end = to.BucketOf(from.high);
    if (i + 1 < firsts.size()) {
      // `end` is the last range of `to` that begins below the next range of `from`.
      const ByteView next = firsts[i + 1];
      const size_t at = to.BucketOf(next);
      end = std::min(end, at > 0 && ByteView(to.firsts()[at]) == next ? at - 1 : at);
    }
    end = std::max(begin, end);
    const size_t parts = end - begin + 1;
    for (size_t part = 0; part < parts; ++part) out[begin + part].Add(PartOf(from.cells[i], part, parts));
  }
}

std::vector<Bytes> CommonRanges(const CellsOnAxis& one, const CellsOnAxis& other) {
  const auto those = [](const CellsOnAxis& counted, const CellsOnAxis& undivided) {
    std::vector<Bytes> firsts;
    for (const Bytes& first : counted.axis.firsts()) {
      if (first.empty() || !Divides(first, undivided)) firsts.push_back(first);
    }
    return firsts;
  };
  const std::vector<Bytes> of_one = those(one, other), of_other = those(other, one);
  std::vector<Bytes> firsts;
  std::set_union(of_one.begin(), of_one.end(), of_other.begin(), of_other.end(), std::back_inserter(firsts));
  JoinLightest(one, other, firsts);
  return firsts;
}

Bytes EncodeFirsts(const std::vector<Bytes>& firsts) {
  Bytes out;
  for (const Bytes& first : firsts) AppendSized(out, first);
  return out;
}

std::vector<Bytes> DecodeFirsts(ByteView encoded) {
  std::vector<Bytes> firsts;
  while (!encoded.empty()) {
    uint64_t size = 0;
    if (!TakeVarint(encoded, size) || size > encoded.size()) return {};
    firsts.emplace_back(encoded.substr(0, size));
    encoded.remove_prefix(size);
  }
  const bool whole = !firsts.empty() && firsts.size() <= kHeatBuckets && firsts[0].empty() &&
                     std::is_sorted(firsts.begin(), firsts.end());
  return whole ? firsts : std::vector<Bytes>();
}

Bytes EncodeCells(std::span<const HeatCell> cells) {
  Bytes out;
  size_t next = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const HeatCell& cell = cells[i];
    if (cell.empty()) continue;
    AppendVarint(out, i - next);
    for (const uint64_t number : {cell.reads, cell.writes, cell.bytes, cell.micros, cell.samples})
      AppendVarint(out, number);
    next = i + 1;
  }
  return out;
}

bool AddEncodedCells(ByteView encoded, std::span<HeatCell> cells) {
  for (size_t at = 0; !encoded.empty(); ++at) {
    uint64_t skipped = 0;
    HeatCell cell;
    if (!TakeVarint(encoded, skipped) || skipped >= cells.size() - std::min(at, cells.size())) return false;
    for (uint64_t* number : {&cell.reads, &cell.writes, &cell.bytes, &cell.micros, &cell.samples}) {
      if (!TakeVarint(encoded, *number)) return false;
    }
    at += skipped;
    cells[at].Add(cell);
  }
  return true;
}

}  // namespace widerow
