// Encodes the parts of the commit log: the first page of a segment, and records. Pure functions.
// docs/internals/storage-format.md, "Commit log", says why each field exists.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/uuid.h"

namespace widerow::log_format {

inline constexpr uint32_t kVersion = 1;
inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint64_t kRecordsOffset = kPageBytes;  // The offset of the first record in each segment.
inline constexpr uint64_t kSecondHeaderOffset = 1024;   // The first copy is at 0.
inline constexpr uint64_t kCloseMarkOffset = 2048;
inline constexpr size_t kSegmentHeaderBytes = 40;
inline constexpr size_t kCloseMarkBytes = 40;
inline constexpr size_t kRecordHeaderBytes = 64;
inline constexpr uint64_t kRecordAlignment = 8;
inline constexpr size_t kBodyBytesMax = size_t{1} << 30;
// No log reaches this sequence number or epoch. A header with a greater one is treated as damaged, so that adding to
// the numbers of a log never overflows.
inline constexpr uint64_t kNumberMax = uint64_t{1} << 62;

constexpr uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}
// Returns the distance in bytes from the beginning of a record, whose body has this size, to the beginning of the next
// record.
constexpr uint64_t RecordBytes(size_t body_bytes) { return AlignUp(kRecordHeaderBytes + body_bytes, kRecordAlignment); }

// The header of a segment. It is written when the segment is made, in two copies: at 0 and at kSecondHeaderOffset. A
// start may write it again (recovery.h).
struct SegmentHeader {
  // A random number. It is part of the checksums of close marks and record headers. So nothing that a client writes can
  // look like a mark or a header.
  uint64_t salt = 0;
  uint64_t bytes = 0;  // The size of the file.
};
void EncodeSegmentHeader(const SegmentHeader& header, char* out);

enum class HeaderState { kGood, kBad, kOtherVersion };
// Reads both copies from the first page of a segment, which may be cut short. Sets `version` if the result is
// kOtherVersion.
HeaderState DecodeSegmentHeader(ByteView page, SegmentHeader& out, uint32_t& version);

// Says where the log ended when it was closed.
struct CloseMark {
  // The epoch of the segment when the mark was written. A mark with another epoch than the segment's is ignored.
  uint64_t epoch = 0;
  uint64_t end = 0;  // The offset after the last record.
  uint64_t last_sequence = 0;
  // The greatest epoch that was ever given to a segment. It is greater than `epoch` if a start has dropped unsynced
  // records with greater epochs.
  uint64_t greatest_epoch = 0;
};
void EncodeCloseMark(const CloseMark& mark, uint64_t salt, char* out);
std::optional<CloseMark> DecodeCloseMark(const char* at, uint64_t salt);

struct RecordHeader {
  uint64_t body_checksum = 0;
  uint32_t body_bytes = 0;
  uint64_t epoch = 0;
  uint64_t last_sequence = 0;
  uint64_t previous_sequence = 0;
  uint64_t synced_through = 0;
  int64_t last_timestamp = 0;
};
void EncodeRecordHeader(const RecordHeader& header, uint64_t salt, char* out);
// Reads a record header at `at`. Returns nullopt if EncodeRecordHeader has not written it with this salt.
std::optional<RecordHeader> DecodeRecordHeader(const char* at, uint64_t salt);
// Searches for a record header from `offset` on, which must be a multiple of kRecordAlignment. Returns the first one
// and sets `offset` to its place. Returns nullopt if there is none.
std::optional<RecordHeader> FindRecordHeader(ByteView segment, uint64_t salt, uint64_t& offset);
uint64_t BodyChecksum(ByteView body);

// The file with the list of segments (segment_list.h) has two slots of this size.
inline constexpr uint64_t kListSlotBytes = 64 << 10;
inline constexpr size_t kListedSegmentsMax = 8'000;

struct SegmentNumbers {
  Uuid log_id;
  uint64_t generation = 0;  // Grows by one with each change.
  std::vector<uint64_t> numbers;
};
// `numbers` must have at most kListedSegmentsMax elements.
Bytes EncodeSegmentNumbers(const SegmentNumbers& list);
// Reads one slot, which may be cut short. Returns nullopt if EncodeSegmentNumbers has not made it.
std::optional<SegmentNumbers> DecodeSegmentNumbers(ByteView slot);

}  // namespace widerow::log_format
