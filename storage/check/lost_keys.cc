// Translate turns ranges in the child spaces of long keys into ranges of whole keys. For this it needs the links to the
// spaces. A link may be in a child space itself, so Translate reads all links once for each level of nesting.
#include "storage/check/lost_keys.h"

#include <algorithm>
#include <map>

#include "storage/format/key_codec.h"
#include "storage/lmdb/long_keys.h"

namespace widerow {
namespace {

using lmdb::KeyRange;

constexpr ByteView kChildSpaces = "\xFF\xFF\xFF\xFF";

std::optional<Bytes> EndOfPrefix(ByteView prefix) {
  Bytes end = SuccessorOfPrefix(prefix);
  return end.empty() ? std::nullopt : std::optional(std::move(end));
}

bool EndsBefore(const std::optional<Bytes>& end, ByteView key) { return end && *end <= key; }

// Returns the id of the child space at the beginning of a stored key; `otherwise` if the key ends before the id does.
uint64_t SpaceOf(ByteView stored, uint64_t otherwise) {
  return stored.size() < kChildPrefixBytes ? otherwise : ReadBigEndian<uint64_t>(stored.data() + kChildSpaces.size());
}

// Returns the part of `range` that is in a child space, as whole keys that begin with `prefix`.
KeyRange PartInSpace(const KeyRange& range, uint64_t space, ByteView prefix) {
  Bytes beginning(kChildSpaces);
  AppendBigEndian(beginning, space);
  KeyRange part{Bytes(prefix), EndOfPrefix(prefix)};
  if (range.begin.starts_with(beginning)) part.begin += range.begin.substr(beginning.size());
  if (range.end && range.end->starts_with(beginning)) part.end = Bytes(prefix) + range.end->substr(beginning.size());
  return part;
}

}  // namespace

void LostKeys::AddStored(const KeyRange& range) {
  KeyRange added = range;
  // All whole keys that begin with a link are in its child space. So a bound just after a link becomes a bound after
  // all of these keys.
  if (added.begin.size() == kLinkBytes + 1)
    added.begin = SuccessorOfPrefix(ByteView(added.begin).substr(0, kLinkBytes));
  if (added.end && added.end->size() == kLinkBytes + 1) {
    added.end = EndOfPrefix(ByteView(*added.end).substr(0, kLinkBytes));
  }
  if (!added.end || *added.end > kChildSpaces) {
    remainders_.push_back({std::max(added.begin, Bytes(kChildSpaces)), added.end});
    added.end = Bytes(kChildSpaces);
  }
  if (added.begin < *added.end) ranges_.push_back(std::move(added));
}

Status LostKeys::Translate(lmdb::TxnRef txn) {
  if (remainders_.empty()) return OkStatus();
  struct Wanted {
    uint64_t space = 0;
    KeyRange range;  // The lost keys without their common beginning, the key of the link to `space`.
  };
  const auto is_in = [](const KeyRange& range, uint64_t space) {
    return space >= SpaceOf(range.begin, 0) && (!range.end || space <= SpaceOf(*range.end, ~uint64_t{0}));
  };
  std::vector<Wanted> wanted;
  for (bool first = true; first || !wanted.empty(); first = false) {
    std::multimap<uint64_t, KeyRange> of_space;
    for (Wanted& each : wanted) of_space.emplace(each.space, std::move(each.range));
    wanted.clear();
    WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(txn, lmdb::Db::kData));
    ByteView key, value;
    lmdb::Rc rc = cursor.SeekAtOrAfter(ByteView("\0", 1), key, value);
    for (; rc.ok(); rc = cursor.Next(key, value)) {
      if (key.size() != kLinkBytes || value.size() != sizeof(uint64_t)) continue;
      const auto space = ReadBigEndian<uint64_t>(value.data());
      const bool is_nested = key.starts_with(kChildSpaces);
      const ByteView own = is_nested ? key.substr(kChildPrefixBytes) : key;
      const auto add = [&](KeyRange range) {
        if (is_nested) {
          wanted.push_back({SpaceOf(key, 0), std::move(range)});
        } else {
          ranges_.push_back(std::move(range));
        }
      };
      for (const KeyRange& range : remainders_) {
        if (first && is_in(range, space)) add(PartInSpace(range, space, own));
      }
      const auto [begin, end] = of_space.equal_range(space);
      for (auto found = begin; found != end; ++found) {
        const KeyRange& range = found->second;
        add({Bytes(own) + range.begin, range.end ? Bytes(own) + *range.end : EndOfPrefix(own)});
      }
    }
    if (rc.failed()) return lmdb::ToError(rc, "reading the links of long keys");
  }
  return OkStatus();
}

void LostKeys::Settle() {
  std::sort(ranges_.begin(), ranges_.end(), [](const KeyRange& a, const KeyRange& b) { return a.begin < b.begin; });
  std::vector<KeyRange> joined;
  for (KeyRange& range : ranges_) {
    if (EndsBefore(range.end, range.begin)) continue;
    if (joined.empty() || EndsBefore(joined.back().end, range.begin)) {
      joined.push_back(std::move(range));
    } else if (!range.end || (joined.back().end && *joined.back().end < *range.end)) {
      joined.back().end = std::move(range.end);
    }
  }
  ranges_ = std::move(joined);
}

bool LostKeys::Intersects(ByteView begin, const std::optional<Bytes>& end) const {
  // The first range that ends after `begin`.
  const auto range = std::partition_point(ranges_.begin(), ranges_.end(),
                                          [&](const KeyRange& each) { return EndsBefore(each.end, begin); });
  return range != ranges_.end() && !EndsBefore(end, range->begin);
}

}  // namespace widerow
