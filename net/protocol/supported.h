// SUPPORTED (v4 section 4.2.4): the options that STARTUP may use.
#pragma once

#include "net/protocol/frame_writer.h"

namespace widerow {

Bytes EncodeSupported(const AnswerTo& to);

}  // namespace widerow
