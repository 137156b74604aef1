// The rare steps of a RowsWriter: it asks for more memory each time the answer has doubled.
#include "exec/rows/rows_writer.h"

namespace widerow {
namespace {

Error ResultTooLarge() {
  return InvalidError("The result exceeds " + std::to_string(limits::kPageBytesMax) + " bytes",
                      "ask for it in pages: set a page size; or select fewer columns");
}

}  // namespace

bool RowsWriter::GrowPage() {
  if (bytes() >= limits_.page_bytes_max) return false;
  const size_t wanted = std::min(2 * bytes(), limits_.page_bytes_max);
  if (limits_.room != nullptr && !limits_.room->GrowPage(wanted)) return false;
  granted_ = wanted;
  return true;
}

Status RowsWriter::GrowWhole(size_t size) {
  if (size > limits::kPageBytesMax) return ResultTooLarge();
  const size_t wanted = std::min(2 * size, limits::kPageBytesMax);
  if (limits_.room != nullptr) WR_RETURN_IF_ERROR(limits_.room->GrowWhole(wanted));
  granted_ = wanted;
  return OkStatus();
}

Status RowsWriter::AskForRoom(size_t others) {
  const size_t wanted = bytes() + others;
  if (wanted <= granted_) return OkStatus();
  if (limits_.ran_long != nullptr && others > kShortRowBytes) {
    *limits_.ran_long = true;
    return Error{.code = ErrorCode::kOverloaded, .message = "The row is too long for a short read"};
  }
  return limits_.room != nullptr ? limits_.room->GrowWhole(wanted) : OkStatus();
}

Status RowsWriter::MakeRoomBeside(size_t others) {
  if (bytes() + others > limits::kPageBytesMax) return ResultTooLarge();
  return AskForRoom(others);
}

Status RowsWriter::MakeLargeRoom(size_t row_bytes) {
  WR_RETURN_IF_ERROR(MakeRoomBeside(row_bytes));
  granted_ = std::max(granted_, bytes() + row_bytes);
  return OkStatus();
}

void RowsWriter::Grow(size_t size) {
  // Doubling could take up to twice the memory that was granted. So the body doubles, but only up to the granted size.
  // If it is already larger, it grows by a quarter.
  const size_t held = body_.size();
  const size_t enough = std::max(begin_ + granted_ + kSmallRowBytes, held + held / 4);
  body_.resize(std::max(used_ + size, std::min(2 * held, enough)));
}

}  // namespace widerow
