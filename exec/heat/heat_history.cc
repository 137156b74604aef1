// rings_ has one deque of slices per ring. AddTo puts a slice into a ring. If the ring's newest slice begins at the
// same time or later, MergeInto merges the two. If the ring then has too many slices, the oldest one moves to the next
// ring. A slice has one cell of counts for each of its key ranges; these ranges are its axis. If the axes of two slices
// differ, the merged slice gets wider ranges, so that it can add whole cells. Each slice and each axis is stored as one
// StorageNote. TakeChanges returns new and deleted notes, and Load reads them back.

#include "exec/heat/heat_history.h"

#include <algorithm>

#include "storage/format/key_codec.h"

namespace widerow {
namespace {

constexpr char kAxisNote = 'A', kSliceNote = 'B';
// Marks the slices that earlier versions stored. Their counts are estimates whose errors have no bounds.
constexpr char kUnboundedSliceNote = 'S';

size_t BytesOf(const KeyAxis& axis) {
  size_t bytes = sizeof axis;
  for (const Bytes& first : axis.firsts()) bytes += sizeof first + first.size();
  return bytes;
}

size_t BytesOf(const HeatSlice& slice) {
  return sizeof slice + slice.by_key.size() + slice.by_token.size() + slice.low.size() + slice.high.size();
}

Bytes AxisKey(uint64_t id) {
  Bytes key(1, kAxisNote);
  AppendBigEndian(key, id);
  return key;
}

Bytes SliceKey(size_t ring, int64_t begin_seconds) {
  Bytes key{kSliceNote, static_cast<char>(ring)};
  AppendBigEndian(key, static_cast<uint64_t>(begin_seconds));
  return key;
}

void AppendSized(const Bytes& bytes, Bytes& out) {
  AppendVarint(out, bytes.size());
  out += bytes;
}

bool TakeSized(ByteView& in, Bytes& out) {
  uint64_t size = 0;
  if (!TakeVarint(in, size) || size > in.size()) return false;
  out.assign(in.substr(0, size));
  in.remove_prefix(size);
  return true;
}

Bytes EncodeSlice(const HeatSlice& slice) {
  Bytes out;
  AppendVarint(out, slice.axis->id());
  AppendVarint(out, slice.appended);
  AppendVarint(out, slice.skipped);
  for (const Bytes* part : {&slice.low, &slice.high, &slice.by_key, &slice.by_token}) AppendSized(*part, out);
  return out;
}

bool DecodeSlice(ByteView in, const std::map<uint64_t, KeyAxisPtr>& axes, HeatSlice& slice) {
  uint64_t axis = 0;
  if (!TakeVarint(in, axis) || !TakeVarint(in, slice.appended) || !TakeVarint(in, slice.skipped)) return false;
  for (Bytes* part : {&slice.low, &slice.high, &slice.by_key, &slice.by_token}) {
    if (!TakeSized(in, *part)) return false;
  }
  const auto found = axes.find(axis);
  if (found == axes.end() || !in.empty()) return false;
  slice.axis = found->second;
  std::array<HeatCell, kHeatBuckets> cells;
  return AddEncodedCells(slice.by_key, std::span(cells).first(slice.axis->size())) &&
         AddEncodedCells(slice.by_token, cells);
}

struct DecodedCells {
  std::vector<HeatCell> cells;
  CellsOnAxis on_axis;

  explicit DecodedCells(const HeatSlice& slice)
      : cells(slice.axis->size()), on_axis{*slice.axis, cells, slice.low, slice.high} {
    (void)AddEncodedCells(slice.by_key, cells);
  }
};

}  // namespace

void HeatHistory::Account(const HeatSlice& slice) {
  bytes_ += BytesOf(slice);
  if (++axis_uses_[slice.axis->id()] == 1) bytes_ += BytesOf(*slice.axis);
}

void HeatHistory::Unaccount(const HeatSlice& slice) {
  bytes_ -= BytesOf(slice);
  const auto uses = axis_uses_.find(slice.axis->id());
  if (--uses->second > 0) return;
  bytes_ -= BytesOf(*slice.axis);
  axis_uses_.erase(uses);
}

void HeatHistory::Add(HeatSlice slice) {
  AddTo(0, std::move(slice));
  for (size_t ring = kRings.size(); bytes_ > kBytesMax && ring-- > 0;) {
    while (bytes_ > kBytesMax && !rings_[ring].empty()) Drop(ring);
  }
}

void HeatHistory::AddTo(size_t ring, HeatSlice slice) {
  std::deque<Kept>& slices = rings_[ring];
  const int32_t seconds = kRings[ring].seconds;
  slice.begin_seconds -= slice.begin_seconds % seconds;
  slice.seconds = seconds;
  if (!slices.empty() && slices.back().slice.begin_seconds >= slice.begin_seconds) {
    Kept& last = slices.back();
    Unaccount(last.slice);
    MergeInto(last.slice, slice);
    Account(last.slice);
    last.stored = false;
    return;
  }
  Account(slice);
  slices.push_back({.slice = std::move(slice)});
  if (slices.size() <= kRings[ring].slices) return;
  HeatSlice oldest = slices.front().slice;
  Drop(ring);
  if (ring + 1 < kRings.size()) AddTo(ring + 1, std::move(oldest));
}

void HeatHistory::Drop(size_t ring) {
  const Kept& oldest = rings_[ring].front();
  Unaccount(oldest.slice);
  if (oldest.stored) gone_.push_back(SliceKey(ring, oldest.slice.begin_seconds));
  rings_[ring].pop_front();
}

void HeatHistory::MergeInto(HeatSlice& into, const HeatSlice& slice) {
  const DecodedCells older(into), newer(slice);
  std::vector<HeatCell> by_token(kHeatBuckets);
  (void)AddEncodedCells(into.by_token, by_token);
  (void)AddEncodedCells(slice.by_token, by_token);
  KeyAxisPtr axis = slice.axis;
  if (into.axis != axis) {
    std::vector<Bytes> firsts = CommonRanges(older.on_axis, newer.on_axis);
    if (firsts != axis->firsts()) {
      axis =
          firsts == into.axis->firsts() ? into.axis : std::make_shared<const KeyAxis>(NextAxisId(), std::move(firsts));
    }
  }
  std::vector<HeatCell> by_key(axis->size());
  Project(older.on_axis, *axis, by_key);
  Project(newer.on_axis, *axis, by_key);
  into.axis = std::move(axis);
  into.by_key = EncodeCells(by_key);
  into.by_token = EncodeCells(by_token);
  into.low = std::min(into.low, slice.low);
  into.high = std::max(into.high, slice.high);
  into.appended += slice.appended;
  into.skipped += slice.skipped;
}

std::vector<HeatSlice> HeatHistory::Slices() const {
  std::vector<HeatSlice> out;
  for (size_t ring = kRings.size(); ring-- > 0;) {
    for (const Kept& kept : rings_[ring]) out.push_back(kept.slice);
  }
  return out;
}

std::vector<HeatSlice> HeatHistory::SlicesWith(HeatSlice slice) {
  std::vector<HeatSlice> out = Slices();
  if (!out.empty() && out.back().begin_seconds >= slice.begin_seconds) {
    MergeInto(out.back(), slice);
  } else {
    out.push_back(std::move(slice));
  }
  return out;
}

std::vector<StorageNote> HeatHistory::TakeChanges(ByteView prefix) {
  std::vector<StorageNote> notes;
  const auto put = [&](const Bytes& key, std::optional<Bytes> value) {
    notes.push_back({Bytes(prefix) + key, std::move(value)});
  };
  for (const Bytes& key : std::exchange(gone_, {})) put(key, std::nullopt);
  std::vector<uint64_t> axes;
  for (size_t ring = 0; ring < kRings.size(); ++ring) {
    for (Kept& kept : rings_[ring]) {
      const KeyAxis& axis = *kept.slice.axis;
      if (std::find(axes.begin(), axes.end(), axis.id()) == axes.end()) {
        axes.push_back(axis.id());
        const bool is_stored = std::find(stored_axes_.begin(), stored_axes_.end(), axis.id()) != stored_axes_.end();
        if (!is_stored) put(AxisKey(axis.id()), EncodeFirsts(axis.firsts()));
      }
      if (std::exchange(kept.stored, true)) continue;
      put(SliceKey(ring, kept.slice.begin_seconds), EncodeSlice(kept.slice));
    }
  }
  for (const uint64_t id : stored_axes_) {
    if (std::find(axes.begin(), axes.end(), id) == axes.end()) put(AxisKey(id), std::nullopt);
  }
  stored_axes_ = std::move(axes);
  return notes;
}

void HeatHistory::Load(ByteView prefix, const std::vector<StorageNote>& notes) {
  std::map<uint64_t, KeyAxisPtr> axes;  // Filled before the slices are loaded, because notes of axes come first.
  for (const StorageNote& note : notes) {
    const ByteView key = ByteView(note.key).substr(prefix.size());
    if (key.size() == 9 && key[0] == kAxisNote) {
      const auto id = ReadBigEndian<uint64_t>(key.data() + 1);
      last_axis_id_ = std::max(last_axis_id_, id);
      stored_axes_.push_back(id);
      std::vector<Bytes> firsts = DecodeFirsts(*note.value);
      if (!firsts.empty()) axes[id] = std::make_shared<const KeyAxis>(id, std::move(firsts));
    } else if (key.size() == 10 && key[0] == kSliceNote && static_cast<uint8_t>(key[1]) < kRings.size()) {
      const auto ring = static_cast<size_t>(key[1]);
      HeatSlice slice{.begin_seconds = static_cast<int64_t>(ReadBigEndian<uint64_t>(key.data() + 2)),
                      .seconds = kRings[ring].seconds};
      if (!DecodeSlice(*note.value, axes, slice)) continue;
      Account(slice);
      rings_[ring].push_back({.slice = std::move(slice), .stored = true});
    } else if (key.size() == 10 && key[0] == kUnboundedSliceNote) {
      gone_.emplace_back(key);
    }
  }
}

}  // namespace widerow
