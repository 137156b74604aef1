// SUPPORTED (v4 section 4.2.4): what STARTUP may ask for.
#pragma once

#include "net/protocol/frame_writer.h"

namespace widerow {

Bytes EncodeSupported(const AnswerTo& to);

}  // namespace widerow
