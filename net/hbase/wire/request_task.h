// A request of an HBase connection. The I/O thread answers a short Get at once (AnswerIfShort). The storage's thread
// answers a short put (Start). A worker answers any other request (Run).
#pragma once

#include "base/out_of_memory.h"
#include "net/hbase/wire/hbase_connection.h"

namespace widerow::hbase {

class RequestTask final : public WorkerPool::Task {
 public:
  RequestTask(HBaseContext& context, std::shared_ptr<HBaseConnection> connection, const ConnectionHeader& header,
              Bytes frame, size_t counted)
      : context_(context),
        connection_(std::move(connection)),
        header_(header),
        frame_(std::move(frame)),
        request_(ParseRequestFrame(frame_)),
        counted_(counted) {}

  void Run() override { connection_->Complete(Answer(nullptr), counted_); }
  // Returns the frame of the answer if the request is a short Get; otherwise nullopt.
  std::optional<Bytes> AnswerIfShort() {
    if (!request_ || request_->method != "Get" || header_.service != "ClientService") return std::nullopt;
    if (frame_.size() > kShortBytes) return std::nullopt;
    bool ran_long = false;
    Bytes frame = Answer(&ran_long);
    if (ran_long) return std::nullopt;
    return frame;
  }
  // Starts the request if it is a short put; the answer goes to Complete. Otherwise returns false.
  bool Start() const {
    if (!request_ || request_->method != "Mutate" || frame_.size() > kShortBytes) return false;
    if (connection_->refused()) return false;
    return context_.services.Start(
        header_.service, MakeCall(nullptr, nullptr),
        [&context = context_, connection = connection_, id = request_->call_id, counted = counted_](
            const Result<hbase::Answer>& answer) { connection->Complete(Frame(context, id, answer), counted); });
  }

 private:
  // The longest frame of a request that the I/O thread answers or starts.
  static constexpr size_t kShortBytes = 64u << 10;
  // An answer is counted as this many times its rows, because rows, cells, message and frame are in memory at once.
  static constexpr size_t kAnswerCopies = 4;

  static Bytes Frame(const HBaseContext& context, uint32_t call_id, const Result<hbase::Answer>& answer) {
    if (!answer.ok()) return EncodeFailure(call_id, answer.error(), context.services.address());
    return EncodeAnswer(call_id, *answer);
  }
  Call MakeCall(AnswerRoom* room, bool* ran_long) const {
    return {.method = request_->method,
            .parameter = request_->parameter,
            .cell_block = request_->cell_block,
            .room = room,
            .cell_blocks = header_.cell_blocks,
            .caller = connection_->caller(),
            .ran_long = ran_long};
  }
  // Returns the frame of the answer. The result is empty if the request could not be read. `ran_long`: Call::ran_long.
  Bytes Answer(bool* ran_long) const {
    if (!request_) return {};
    try {
      return AnswerOf(ran_long);
    } catch (const std::exception& thrown) {
      return EncodeFailure(request_->call_id, ErrorOf(thrown), context_.services.address());
    }
  }
  Bytes AnswerOf(bool* ran_long) const {
    if (const std::optional<Error>& refused = connection_->refused()) {
      return EncodeFailure(request_->call_id, *refused, context_.services.address());
    }
    AnswerMemory memory(connection_->memory(), kAnswerCopies, true);
    return Frame(context_, request_->call_id, context_.services.Run(header_.service, MakeCall(&memory, ran_long)));
  }

  HBaseContext& context_;
  std::shared_ptr<HBaseConnection> connection_;
  const ConnectionHeader header_;
  const Bytes frame_;
  const std::optional<RequestFrame> request_;  // Borrows the bytes of frame_.
  const size_t counted_;
};

}  // namespace widerow::hbase
