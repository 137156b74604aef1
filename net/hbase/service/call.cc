#include "net/hbase/service/call.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/message_lite.h>

#include <algorithm>

#include "base/text.h"
#include "exec/rows/answer_room.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/parse_message.h"

namespace widerow::hbase {

namespace {

// MeasuredInput gives a parser parts of this size. A request of one part is not measured, because its objects are
// small.
constexpr int64_t kPartBytes = 64 << 10;

// Gives a message to a parser part by part, as long as there is room for the objects that the parser has made.
class MeasuredInput final : public ::google::protobuf::io::ZeroCopyInputStream {
 public:
  MeasuredInput(ByteView bytes, const ::google::protobuf::Arena& objects, AnswerRoom& room)
      : bytes_(bytes), objects_(objects), room_(room) {}

  bool Next(const void** data, int* size) override {
    if (at_ == bytes_.size() || !status_.ok()) return false;
    status_ = room_.GrowWhole(objects_.SpaceUsed());
    if (!status_.ok()) return false;
    *size = static_cast<int>(std::min<size_t>(kPartBytes, bytes_.size() - at_));
    *data = bytes_.data() + at_;
    at_ += static_cast<size_t>(*size);
    return true;
  }
  void BackUp(int count) override { at_ -= static_cast<size_t>(count); }
  bool Skip(int count) override {
    const size_t skipped = std::min(static_cast<size_t>(count), bytes_.size() - at_);
    at_ += skipped;
    return skipped == static_cast<size_t>(count);
  }
  int64_t ByteCount() const override { return static_cast<int64_t>(at_); }
  Status TakeStatus() { return std::move(status_); }

 private:
  const ByteView bytes_;
  const ::google::protobuf::Arena& objects_;
  AnswerRoom& room_;
  size_t at_ = 0;
  Status status_;
};

// Fails if there is no memory for the objects of the request. They can be much larger than the request: two bytes can
// encode an element of a list of messages, and the object of such an element takes a hundred bytes.
Status Measure(const Call& call, const ::google::protobuf::MessageLite& kind) {
  ::google::protobuf::Arena arena;
  MeasuredInput input(call.parameter, arena, *call.room);
  (void)kind.New(&arena)->ParsePartialFromZeroCopyStream(&input);
  WR_RETURN_IF_ERROR(input.TakeStatus());
  return call.room->GrowWhole(arena.SpaceUsed());
}

}  // namespace

Status ParseRequest(const Call& call, ::google::protobuf::MessageLite& request) {
  if (call.room != nullptr && call.parameter.size() > kPartBytes) WR_RETURN_IF_ERROR(Measure(call, request));
  if (ParseMessage(call.parameter, request)) return OkStatus();
  return MakeJavaError(kDoNotRetry, StrCat("the request ", call.method, " is malformed"));
}

Bytes Serialize(const ::google::protobuf::MessageLite& response) {
  Bytes bytes;
  response.SerializeToString(&bytes);
  return bytes;
}

}  // namespace widerow::hbase
