// Runs one QUERY, PREPARE, EXECUTE or BATCH: decodes it, asks the Engine, encodes the answer. Thread-safe; takes as long as
// the statement takes. Never fails: what goes wrong is an ERROR frame.
#pragma once

#include <memory>

#include "net/native/session.h"

namespace widerow {

class Engine;
struct ConnectionFacts;

NativeAnswer RunRequest(Engine& engine, NativeRequest request, std::shared_ptr<const ConnectionFacts> connection,
                        size_t frame_bytes_max);

// The same for what takes microseconds: an EXECUTE that reads one row, or a page or a LIMIT of a partition. nullopt: it is something else,
// and nothing has been done but that its body may have been decompressed.
std::optional<NativeAnswer> RunIfQuick(Engine& engine, NativeRequest& request,
                                       const std::shared_ptr<const ConnectionFacts>& connection);

}  // namespace widerow
