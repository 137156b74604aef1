// An arena allocates memory for bytes that a view or a row points to, and frees all of it at once. One thread at a time
// may use an arena.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "base/bytes.h"

namespace widerow {

class Arena {
 public:
  char* Allocate(size_t size) {
    if (size > left_) Grow(size);
    char* out = at_;
    at_ += size;
    left_ -= size;
    return out;
  }
  ByteView Copy(ByteView bytes) {
    if (bytes.empty()) return {};
    char* out = Allocate(bytes.size());
    std::memcpy(out, bytes.data(), bytes.size());
    return {out, bytes.size()};
  }
  // Frees all memory but the first block, which the next Allocate uses. Frees that block too if it is large.
  void Clear() {
    if (blocks_.empty()) return;
    blocks_.resize(blocks_[0].size <= kKeptBlockMax ? 1 : 0);
    at_ = blocks_.empty() ? nullptr : blocks_[0].bytes.get();
    left_ = bytes_ = blocks_.empty() ? 0 : blocks_[0].size;
  }
  // Returns the size of all blocks together, in bytes.
  size_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kFirstBlock = 4'096, kKeptBlockMax = 64u << 10;
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size;
  };

  void Grow(size_t size) {
    const size_t block = blocks_.empty() ? std::max(size, kFirstBlock) : std::max(size, 2 * kFirstBlock);
    blocks_.push_back({std::make_unique_for_overwrite<char[]>(block), block});
    at_ = blocks_.back().bytes.get();
    left_ = block;
    bytes_ += block;
  }

  std::vector<Block> blocks_;
  char* at_ = nullptr;
  size_t left_ = 0, bytes_ = 0;
};

}  // namespace widerow
