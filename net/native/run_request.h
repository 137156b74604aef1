// Runs one QUERY, PREPARE, EXECUTE or BATCH: decodes it, asks the Engine, encodes the answer. Thread-safe; takes as long as
// the statement takes. Never fails: what goes wrong is an ERROR frame.
#pragma once

#include <functional>
#include <memory>

#include "net/native/session.h"

namespace widerow {

class Engine;
struct ConnectionFacts;

NativeAnswer RunRequest(Engine& engine, NativeRequest request, std::shared_ptr<const ConnectionFacts> connection,
                        size_t frame_bytes_max);

// Takes answers that are ready later.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  // Any thread; quick. Once for each request that was submitted.
  virtual void CompleteSubmitted(NativeAnswer answer) = 0;
};

enum class QuickRun : uint8_t {
  kNo,         // It is something else, and nothing has been done but that its body may have been decompressed.
  kDone,       // `answer` is filled.
  kSubmitted,  // The answer goes to the sink once the write is durable; perhaps it has already.
};

// RunRequest for what takes this thread microseconds: an EXECUTE, or a QUERY whose like has been planned, that reads one row, or
// a page or a LIMIT of a partition, or that writes without reading. `sink` is asked for if an answer is to come later.
QuickRun RunIfQuick(Engine& engine, NativeRequest& request, const std::shared_ptr<const ConnectionFacts>& connection,
                    const std::function<std::shared_ptr<AnswerSink>()>& sink, NativeAnswer& answer);

}  // namespace widerow
