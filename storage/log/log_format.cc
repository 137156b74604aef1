#include "storage/log/log_format.h"

#include <xxhash.h>

namespace widerow::log_format {
namespace {

constexpr char kMagic[8] = {'W', 'R', 'L', 'O', 'G', 'S', 'E', 'G'};
constexpr char kListMagic[8] = {'W', 'R', 'L', 'O', 'G', 'L', 'S', 'T'};

// Writes the values one after the other, big-endian. Returns the place after them.
template <std::integral... T>
char* PutAll(char* at, T... values) {
  const auto put = [&at](auto value) {
    const auto big = ToBigEndian(value);
    std::memcpy(at, &big, sizeof big);
    at += sizeof big;
  };
  (put(values), ...);
  return at;
}

uint64_t Hash(const char* at, size_t size, uint64_t salt) { return XXH3_64bits_withSeed(at, size, salt); }

// Writes at `at` the checksum of the bytes from `begin` up to `at`.
void PutChecksum(const char* begin, char* at, uint64_t salt) {
  PutAll(at, Hash(begin, static_cast<size_t>(at - begin), salt));
}

// Offsets of the fields, for decoding. The checksum comes last and covers everything before it.
namespace segment_header {
constexpr size_t kVersionAt = 8, kSaltAt = 16, kBytesAt = 24, kChecksumAt = 32;
static_assert(kChecksumAt + 8 == kSegmentHeaderBytes);
}  // namespace segment_header
namespace close_mark {
constexpr size_t kEpochAt = 0, kEndAt = 8, kLastAt = 16, kGreatestAt = 24, kChecksumAt = 32;
static_assert(kChecksumAt + 8 == kCloseMarkBytes);
}  // namespace close_mark
namespace record {
constexpr size_t kBodyChecksumAt = 0, kBodyBytesAt = 8, kReservedAt = 12, kEpochAt = 16, kLastAt = 24, kPreviousAt = 32,
                 kSyncedAt = 40, kTimestampAt = 48, kChecksumAt = 56;
static_assert(kChecksumAt + 8 == kRecordHeaderBytes);
}  // namespace record
namespace segment_list {
constexpr size_t kVersionAt = 8, kCountAt = 12, kIdAt = 16, kGenerationAt = 32, kNumbersAt = 40;
static_assert(kNumbersAt + 8 * kListedSegmentsMax + 8 <= kListSlotBytes);
}  // namespace segment_list

HeaderState DecodeCopy(const char* at, SegmentHeader& out, uint32_t& version) {
  using namespace segment_header;
  if (std::memcmp(at, kMagic, sizeof kMagic) != 0) return HeaderState::kBad;
  version = ReadBigEndian<uint32_t>(at + kVersionAt);
  if (version != kVersion) return HeaderState::kOtherVersion;
  if (ReadBigEndian<uint64_t>(at + kChecksumAt) != Hash(at, kChecksumAt, 0)) return HeaderState::kBad;
  out.salt = ReadBigEndian<uint64_t>(at + kSaltAt);
  out.bytes = ReadBigEndian<uint64_t>(at + kBytesAt);
  return HeaderState::kGood;
}

}  // namespace

void EncodeSegmentHeader(const SegmentHeader& header, char* out) {
  using namespace segment_header;
  std::memcpy(out, kMagic, sizeof kMagic);
  PutChecksum(out, PutAll(out + kVersionAt, kVersion, uint32_t{0}, header.salt, header.bytes), 0);
}

HeaderState DecodeSegmentHeader(ByteView page, SegmentHeader& out, uint32_t& version) {
  HeaderState states[2] = {HeaderState::kBad, HeaderState::kBad};
  uint32_t versions[2] = {0, 0};
  for (size_t copy = 0; copy < 2; ++copy) {
    const size_t at = copy == 0 ? 0 : kSecondHeaderOffset;
    if (page.size() < at + kSegmentHeaderBytes) continue;
    states[copy] = DecodeCopy(page.data() + at, out, versions[copy]);
    if (states[copy] == HeaderState::kGood) return HeaderState::kGood;
  }
  // Returns kOtherVersion only if both copies of the header have the same version number, and it is not kVersion. If
  // one copy were enough, one damaged byte could look like another version.
  version = versions[0];
  const bool other = states[0] == HeaderState::kOtherVersion && states[1] == HeaderState::kOtherVersion;
  return other && versions[0] == versions[1] ? HeaderState::kOtherVersion : HeaderState::kBad;
}

void EncodeCloseMark(const CloseMark& mark, uint64_t salt, char* out) {
  PutChecksum(out, PutAll(out, mark.epoch, mark.end, mark.last_sequence, mark.greatest_epoch), salt);
}

std::optional<CloseMark> DecodeCloseMark(const char* at, uint64_t salt) {
  using namespace close_mark;
  if (ReadBigEndian<uint64_t>(at + kChecksumAt) != Hash(at, kChecksumAt, salt)) return std::nullopt;
  const CloseMark mark{.epoch = ReadBigEndian<uint64_t>(at + kEpochAt),
                       .end = ReadBigEndian<uint64_t>(at + kEndAt),
                       .last_sequence = ReadBigEndian<uint64_t>(at + kLastAt),
                       .greatest_epoch = ReadBigEndian<uint64_t>(at + kGreatestAt)};
  if (mark.last_sequence > kNumberMax || mark.greatest_epoch > kNumberMax) return std::nullopt;
  return mark;
}

void EncodeRecordHeader(const RecordHeader& header, uint64_t salt, char* out) {
  char* end = PutAll(out, header.body_checksum, header.body_bytes, uint32_t{0}, header.epoch, header.last_sequence,
                     header.previous_sequence, header.synced_through, header.last_timestamp);
  PutChecksum(out, end, salt);
}

std::optional<RecordHeader> DecodeRecordHeader(const char* at, uint64_t salt) {
  using namespace record;
  // Cheap checks come before the checksum, because a start calls this function for every eighth byte of a segment.
  const uint64_t epoch = ReadBigEndian<uint64_t>(at + kEpochAt);
  const uint64_t previous = ReadBigEndian<uint64_t>(at + kPreviousAt);
  if (epoch == 0 || ReadBigEndian<uint32_t>(at + kReservedAt) != 0) return std::nullopt;
  const uint64_t last = ReadBigEndian<uint64_t>(at + kLastAt);
  const uint64_t synced = ReadBigEndian<uint64_t>(at + kSyncedAt);
  if (last <= previous || synced > previous) return std::nullopt;
  if (last > kNumberMax || epoch > kNumberMax) return std::nullopt;
  if (ReadBigEndian<uint64_t>(at + kChecksumAt) != Hash(at, kChecksumAt, salt)) return std::nullopt;
  return RecordHeader{.body_checksum = ReadBigEndian<uint64_t>(at + kBodyChecksumAt),
                      .body_bytes = ReadBigEndian<uint32_t>(at + kBodyBytesAt),
                      .epoch = epoch,
                      .last_sequence = last,
                      .previous_sequence = previous,
                      .synced_through = synced,
                      .last_timestamp = ReadBigEndian<int64_t>(at + kTimestampAt)};
}

std::optional<RecordHeader> FindRecordHeader(ByteView segment, uint64_t salt, uint64_t& offset) {
  for (; offset + kRecordHeaderBytes <= segment.size(); offset += kRecordAlignment) {
    if (auto header = DecodeRecordHeader(segment.data() + offset, salt)) return header;
  }
  return std::nullopt;
}

uint64_t BodyChecksum(ByteView body) { return XXH3_64bits(body.data(), body.size()); }

Bytes EncodeSegmentNumbers(const SegmentNumbers& list) {
  Bytes out(kListMagic, sizeof kListMagic);
  AppendBigEndian(out, kVersion);
  AppendBigEndian(out, static_cast<uint32_t>(list.numbers.size()));
  out.append(list.log_id.view());
  AppendBigEndian(out, list.generation);
  for (const uint64_t number : list.numbers) AppendBigEndian(out, number);
  AppendBigEndian(out, Hash(out.data(), out.size(), 0));
  return out;
}

std::optional<SegmentNumbers> DecodeSegmentNumbers(ByteView slot) {
  using namespace segment_list;
  if (slot.size() < kNumbersAt || std::memcmp(slot.data(), kListMagic, sizeof kListMagic) != 0) return std::nullopt;
  const uint32_t count = ReadBigEndian<uint32_t>(slot.data() + kCountAt);
  const size_t checksum_at = kNumbersAt + size_t{8} * count;
  if (ReadBigEndian<uint32_t>(slot.data() + kVersionAt) != kVersion || count > kListedSegmentsMax ||
      slot.size() < checksum_at + 8 ||
      ReadBigEndian<uint64_t>(slot.data() + checksum_at) != Hash(slot.data(), checksum_at, 0)) {
    return std::nullopt;
  }
  SegmentNumbers list{.log_id = Uuid::FromBytes(slot.substr(kIdAt, 16)),
                      .generation = ReadBigEndian<uint64_t>(slot.data() + kGenerationAt)};
  for (size_t i = 0; i < count; ++i) list.numbers.push_back(ReadBigEndian<uint64_t>(slot.data() + kNumbersAt + 8 * i));
  return list;
}

}  // namespace widerow::log_format
