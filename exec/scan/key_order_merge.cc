#include "exec/scan/key_order_merge.h"

#include <algorithm>

namespace widerow {
namespace {

// Stored keys begin with the partition's number.
constexpr size_t kNumberBytes = sizeof(uint32_t);

class KeyOrderMerge final : public RowCursor {
 public:
  explicit KeyOrderMerge(Direction direction) : forward_(direction == Direction::kForward) {}

  Status Add(std::unique_ptr<RowCursor> cursor) {
    auto head = std::make_unique<Head>();
    head->cursor = std::move(cursor);
    WR_ASSIGN_OR_RETURN(const bool any, head->cursor->Next(head->row));
    if (any) Push(std::move(head));
    return OkStatus();
  }

  Result<bool> Next(RowView& row) override {
    if (current_ != nullptr) {
      WR_ASSIGN_OR_RETURN(const bool more, current_->cursor->Next(current_->row));
      if (!more) {
        current_.reset();
      } else if (!heads_.empty() && Later(*current_, *heads_.front())) {
        Push(std::move(current_));
      }
    }
    if (current_ == nullptr && !Pop()) return false;
    std::swap(row, current_->row);  // The bytes that the row borrows stay valid until the head moves.
    return true;
  }
  Status SkipAlike(size_t prefix_bytes) override {
    return current_ == nullptr ? OkStatus() : current_->cursor->SkipAlike(prefix_bytes);
  }
  Status SkipPartition() override { return current_ == nullptr ? OkStatus() : current_->cursor->SkipPartition(); }

 private:
  struct Head {
    std::unique_ptr<RowCursor> cursor;
    RowView row;
  };
  using HeadPtr = std::unique_ptr<Head>;

  bool Later(const Head& a, const Head& b) const {
    const ByteView left = a.row.partition_key.substr(kNumberBytes), right = b.row.partition_key.substr(kNumberBytes);
    return forward_ ? right < left : left < right;
  }
  auto Order() const {
    return [this](const HeadPtr& a, const HeadPtr& b) { return Later(*a, *b); };
  }
  void Push(HeadPtr head) {
    heads_.push_back(std::move(head));
    std::push_heap(heads_.begin(), heads_.end(), Order());
  }
  bool Pop() {
    if (heads_.empty()) return false;
    std::pop_heap(heads_.begin(), heads_.end(), Order());
    current_ = std::move(heads_.back());
    heads_.pop_back();
    return true;
  }

  const bool forward_;
  std::vector<HeadPtr> heads_;  // A heap with the first row in front.
  HeadPtr current_;             // The head of the row shown last.
};

// Returns the part of the range after the place where the merged rows stopped. `stopped_at` is the stored key of this
// place; its partition number is not that of the range.
Slice::KeyRange RestOf(const StoredKeyRange& range, const Bytes& stopped_at, bool forward) {
  Slice::KeyRange rest{range.first, range.end};
  Bytes same = range.first.substr(0, kNumberBytes) + stopped_at.substr(kNumberBytes);
  if (!forward) {
    rest.end = range.end ? std::min(*range.end, same) : same;
  } else {
    same.push_back('\0');
    rest.first = std::max(rest.first, same);
  }
  return rest;
}

}  // namespace

Result<std::unique_ptr<RowCursor>> OpenInKeyOrder(ReadView& view, Slice slice,
                                                  const std::vector<StoredKeyRange>& ranges) {
  auto merged = std::make_unique<KeyOrderMerge>(slice.direction);
  const std::optional<Slice::ResumePoint> resume = std::move(slice.resume);
  for (const StoredKeyRange& range : ranges) {
    slice.resume.reset();
    Slice::KeyRange part{range.first, range.end};
    if (resume && resume->partition_key.starts_with(ByteView(range.first).substr(0, kNumberBytes))) {
      slice.resume = resume;
    } else if (resume) {
      part = RestOf(range, resume->partition_key, slice.direction == Direction::kForward);
    }
    slice.partitions = std::move(part);
    WR_ASSIGN_OR_RETURN(std::unique_ptr<RowCursor> cursor, view.OpenSlice(slice));
    WR_RETURN_IF_ERROR(merged->Add(std::move(cursor)));
  }
  return std::unique_ptr<RowCursor>(std::move(merged));
}

}  // namespace widerow
