#include "storage/bulk/bulk_pipe.h"

#include <cstring>

namespace widerow {
namespace {

constexpr size_t kPipeBlockBytes = 1u << 20;
constexpr size_t kBlocksMax = 16;

}  // namespace

BulkPipe::BulkPipe(std::unique_ptr<BulkCursor> merged) : merged_(std::move(merged)), thread_([this] { Run(); }) {}

BulkPipe::~BulkPipe() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void BulkPipe::Run() {
  bool more = true;
  while (more) {
    Bytes block;
    block.reserve(kPipeBlockBytes + kPipeBlockBytes / 8);
    Status outcome = OkStatus();
    BulkEntry entry;
    while (block.size() < kPipeBlockBytes) {
      const Result<bool> there = merged_->Next(entry);
      if (!there.ok()) outcome = there.error();
      more = there.ok() && *there;
      if (!more) break;
      const uint32_t sizes[2] = {static_cast<uint32_t>(entry.key.size()), static_cast<uint32_t>(entry.record.size())};
      block.append(reinterpret_cast<const char*>(sizes), sizeof sizes);
      block.append(entry.key);
      block.append(entry.record);
    }
    MutexLock lock(mutex_);
    while (blocks_.size() >= kBlocksMax && !stopping_) changed_.Wait(mutex_);
    if (stopping_) return;
    if (!block.empty()) blocks_.push_back(std::move(block));
    if (!more) {
      ended_ = true;
      outcome_ = std::move(outcome);
    }
    changed_.NotifyAll();
  }
}

Result<bool> BulkPipe::NextBlock() {
  MutexLock lock(mutex_);
  while (blocks_.empty() && !ended_) changed_.Wait(mutex_);
  if (blocks_.empty()) {
    WR_RETURN_IF_ERROR(std::move(outcome_));
    return false;
  }
  current_ = std::move(blocks_.front());
  at_ = 0;
  blocks_.pop_front();
  changed_.NotifyAll();
  return true;
}

Result<bool> BulkPipe::Next(BulkEntry& entry) {
  if (at_ == current_.size()) {
    WR_ASSIGN_OR_RETURN(const bool more, NextBlock());
    if (!more) return false;
  }
  uint32_t sizes[2];
  std::memcpy(sizes, current_.data() + at_, sizeof sizes);
  at_ += sizeof sizes;
  entry.key = ByteView(current_).substr(at_, sizes[0]);
  entry.record = ByteView(current_).substr(at_ + sizes[0], sizes[1]);
  at_ += sizes[0] + sizes[1];
  return true;
}

}  // namespace widerow
