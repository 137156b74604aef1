// The commit log's bytes: the page in front of a segment, and records. Pure functions; docs/internals/storage-format.md,
// "Commit log", says why each field is there.
#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.h"

namespace widerow::log_format {

inline constexpr uint32_t kVersion = 1;
inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint64_t kRecordsOffset = kPageBytes;      // The first record of every use of a segment.
inline constexpr uint64_t kSecondHeaderOffset = 1024;       // The first copy is at 0.
inline constexpr uint64_t kCloseMarkOffset = 2048;
inline constexpr size_t kSegmentHeaderBytes = 40;
inline constexpr size_t kCloseMarkBytes = 40;
inline constexpr size_t kRecordHeaderBytes = 64;
inline constexpr uint64_t kRecordAlignment = 8;
inline constexpr size_t kBodyBytesMax = size_t{1} << 30;

constexpr uint64_t AlignUp(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }
// From the beginning of a record with such a body to that of the next.
constexpr uint64_t RecordBytes(size_t body_bytes) { return AlignUp(kRecordHeaderBytes + body_bytes, kRecordAlignment); }

// Written once, when the segment is made, and twice: at 0 and at kSecondHeaderOffset.
struct SegmentHeader {
  uint64_t salt = 0;   // Random. Part of all other checksums: nothing that a client writes can look like a record.
  uint64_t bytes = 0;  // Of the whole file.
};
void EncodeSegmentHeader(const SegmentHeader& header, char* out);

enum class HeaderState { kGood, kBad, kOtherVersion };
// Reads both copies from a segment's first page, which may be cut short. With kOtherVersion, `version` is that one.
HeaderState DecodeSegmentHeader(ByteView page, SegmentHeader& out, uint32_t& version);

// Where the log ended when it was closed.
struct CloseMark {
  uint64_t epoch = 0;  // Of the use of this segment. The mark of another use means nothing.
  uint64_t end = 0;    // Offset behind the last record.
  uint64_t last_sequence = 0;
  uint64_t greatest_epoch = 0;  // Of all that were ever given; beyond `epoch` if unsynced uses were dropped.
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
// nullopt unless kRecordHeaderBytes at `at` were written by EncodeRecordHeader with this salt.
std::optional<RecordHeader> DecodeRecordHeader(const char* at, uint64_t salt);
// The first record header at `offset`, which is aligned, or behind it; `offset` is its place then.
std::optional<RecordHeader> FindRecordHeader(ByteView segment, uint64_t salt, uint64_t& offset);
uint64_t BodyChecksum(ByteView body);

}  // namespace widerow::log_format
