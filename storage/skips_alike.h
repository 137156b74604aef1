// An interface that some RowCursors have.
#pragma once

#include "base/result.h"

namespace widerow {

class SkipsAlike {
 public:
  // The caller does not need the rows after the last one whose encoded clusterings begin with the same `prefix_bytes`
  // bytes. The cursor may return some of them nevertheless.
  virtual Status SkipAlike(size_t prefix_bytes) = 0;

 protected:
  ~SkipsAlike() = default;
};

}  // namespace widerow
