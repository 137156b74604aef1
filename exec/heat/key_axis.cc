#include "exec/heat/key_axis.h"

#include <algorithm>

namespace widerow {
namespace {

// Returns part `i` of `whole` divided into `parts` even parts. The parts add up to `whole`.
uint64_t Share(uint64_t whole, size_t i, size_t parts) { return whole * (i + 1) / parts - whole * i / parts; }

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

void Project(const KeyAxis& from, std::span<const HeatCell> cells, ByteView low, ByteView high, const KeyAxis& to,
             std::span<HeatCell> out) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (cells[i].empty()) continue;
    const ByteView first = std::max(ByteView(from.firsts()[i]), low);
    size_t begin = to.BucketOf(first), end = to.BucketOf(high);
    if (i + 1 < from.size()) {
      // `end` is the last range of `to` that begins below the next range of `from`.
      const ByteView next = from.firsts()[i + 1];
      const size_t at = to.BucketOf(next);
      end = std::min(end, at > 0 && ByteView(to.firsts()[at]) == next ? at - 1 : at);
    }
    end = std::max(begin, end);
    const size_t parts = end - begin + 1;
    for (size_t part = 0; part < parts; ++part) {
      out[begin + part].Add({.reads = Share(cells[i].reads, part, parts),
                             .writes = Share(cells[i].writes, part, parts),
                             .bytes = Share(cells[i].bytes, part, parts),
                             .micros = Share(cells[i].micros, part, parts)});
    }
  }
}

Bytes EncodeCells(std::span<const HeatCell> cells) {
  Bytes out;
  size_t next = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    AppendVarint(out, i - next);
    for (const uint64_t number : {cells[i].reads, cells[i].writes, cells[i].bytes, cells[i].micros})
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
    for (uint64_t* number : {&cell.reads, &cell.writes, &cell.bytes, &cell.micros}) {
      if (!TakeVarint(encoded, *number)) return false;
    }
    at += skipped;
    cells[at].Add(cell);
  }
  return true;
}

}  // namespace widerow
