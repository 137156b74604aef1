// Large objects are values of up to 512 MB that are stored in pieces. They are written and read in parts, and are never
// in memory as a whole (docs/internals/decisions/0028-large-objects.md).
//
// The pieces are written to the data file first, under an object number that is never used twice. Then an ordinary
// write stores a LargeReference in the cell of a row, and with it the value becomes visible as a whole. Pieces never
// change. When no row refers to an object any more, the sweeper removes its pieces, unless somebody reads them.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/result.h"

namespace widerow {

// The greatest size of a value, which is that of a longblob.
inline constexpr uint64_t kLargeObjectBytesMax = limits::kLongBlobBytesMax;
// The number of bytes of the value in each piece except the last. With its checksum and the header of a page, a piece
// fills 64 pages.
inline constexpr size_t kPieceBytes = 64 * 4'096 - 16 - 4;

// The content of a cell for which BasicCell::large is true.
struct LargeReference {
  uint64_t object = 0;
  uint64_t bytes = 0;  // The size of the value.
  friend bool operator==(const LargeReference&, const LargeReference&) = default;
};
Bytes EncodeLargeReference(const LargeReference& reference);
bool DecodeLargeReference(ByteView in, LargeReference& reference);

// Returns the size of a cell's value, also if the value is a large object.
template <typename AnyCell>
uint64_t ValueBytes(const AnyCell& cell) {
  LargeReference reference;
  if (cell.large && DecodeLargeReference(cell.value, reference)) [[unlikely]]
    return reference.bytes;
  return cell.value.size();
}

// Writes one large object. Used by one thread at a time. Pieces are gathered, and some MiB are stored at a time. If the
// LargeUpload is destroyed before Settle(), the pieces are removed in the background.
class LargeUpload {
 public:
  virtual ~LargeUpload() = default;
  // Appends to the value. Blocks while pieces are stored. kInvalid if the value becomes longer than
  // kLargeObjectBytesMax, or if the table or the partition has been dropped or truncated; kServerError if the disk is
  // full.
  virtual Status Append(ByteView bytes) = 0;
  // Stores the last pieces. All pieces are durable then.
  virtual Result<LargeReference> Finish() = 0;
  // Must be called after Finish and after the write of the reference, with the result of StorageEngine::Apply.
  virtual void Settle(const Status& applied) = 0;
  // False if the table or the partition has been dropped or truncated after the upload began. Then no row may refer to
  // the object. The answer is exact only on the writer's thread, so the decide step (mutation.h) of the write that
  // stores the reference calls this function.
  virtual bool Live() const = 0;
};

// Reads one large object. Used by one thread at a time. As long as the LargeRead exists, the pieces are kept, even if
// the value is overwritten or deleted. It keeps no snapshot.
class LargeRead {
 public:
  virtual ~LargeRead() = default;
  // Appends the bytes [from, from + count) of the value to `out`; they must exist. kReadFailure if the table was
  // dropped or truncated meanwhile.
  virtual Status Read(uint64_t from, size_t count, std::string& out) = 0;
};

}  // namespace widerow
