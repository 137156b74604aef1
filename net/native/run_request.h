// Runs one QUERY, PREPARE, EXECUTE or BATCH: decodes it, calls the Engine, encodes the answer. Thread-safe. RunRequest
// takes as long as the statement takes. It never fails: errors become ERROR frames.
#pragma once

#include <functional>
#include <memory>

#include "net/native/session.h"

namespace widerow {

class AnswerMemory;
class Engine;
struct ConnectionFacts;

// Runs `request` to its end and returns its answer frame. Bodies that decompress to more than `frame_bytes_max` are
// refused. `room` counts the memory of the answer's rows; null: it is not counted.
NativeAnswer RunRequest(Engine& engine, const NativeRequest& request, std::shared_ptr<const ConnectionFacts> connection,
                        size_t frame_bytes_max, AnswerRoom* room = nullptr);

// Receives answers that are ready later.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  // Takes an answer, once for each submitted request. Must be quick, and is called on any thread.
  virtual void CompleteSubmitted(NativeAnswer answer) = 0;
  // Returns an AnswerMemory for one answer. Null: its memory is not counted. Called by the thread of RunIfQuick.
  virtual std::shared_ptr<AnswerMemory> MakeMemory() { return nullptr; }
  // Runs `work` on a worker if there are any, otherwise at once. Called on any thread.
  virtual void RunOnWorker(std::function<void()> work) { work(); }
};

enum class QuickRun : uint8_t {
  kNo,         // The request is not quick, and must be run by RunRequest. Its body may have been decompressed.
  kDone,       // `answer` is filled.
  kSubmitted,  // The sink gets the answer when the write is durable, which may have happened already.
};

// Runs a request if it is quick. A quick request is an EXECUTE, or a QUERY whose shape already has a plan. It writes,
// or it reads rows of one partition up to the page size or LIMIT. Calls `sink` only to submit a write.
QuickRun RunIfQuick(Engine& engine, NativeRequest& request, const std::shared_ptr<const ConnectionFacts>& connection,
                    const std::function<std::shared_ptr<AnswerSink>()>& sink, NativeAnswer& answer,
                    AnswerRoom* room = nullptr);

}  // namespace widerow
