#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

// As in HBase, the filters of this file do not tell the inner filter that a read is reversed.

// Excludes a row as soon as the inner filter excludes one of its cells.
class SkipFilter final : public Filter {
 public:
  explicit SkipFilter(FilterPtr filter) : filter_(std::move(filter)) {}
  void Reset() override {
    filter_->Reset();
    filter_row_ = false;
  }
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes& row, const Cell& cell) override {
    const FilterCode code = filter_->FilterCell(row, cell);
    filter_row_ = filter_row_ || code != FilterCode::kInclude;
    return code;
  }
  void Transform(Cell& cell) override { filter_->Transform(cell); }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return filter_row_; }
  bool IsFamilyEssential(const Bytes& family) override { return filter_->IsFamilyEssential(family); }

 private:
  const FilterPtr filter_;
  bool filter_row_ = false;
};

// Ends the read as soon as the inner filter excludes something.
class WhileMatchFilter final : public Filter {
 public:
  explicit WhileMatchFilter(FilterPtr filter) : filter_(std::move(filter)) {}
  void Reset() override { filter_->Reset(); }
  bool AllRemaining() override { return ended_ || filter_->AllRemaining(); }
  bool FilterRowKey(const Bytes& row, const Cell& first) override {
    return AllRemaining() || Note(filter_->FilterRowKey(row, first));
  }
  FilterCode FilterCell(const Bytes& row, const Cell& cell) override {
    const FilterCode code = filter_->FilterCell(row, cell);
    Note(code != FilterCode::kInclude);
    return code;
  }
  void Transform(Cell& cell) override { filter_->Transform(cell); }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return Note(filter_->FilterRow()); }
  bool IsFamilyEssential(const Bytes& family) override { return filter_->IsFamilyEssential(family); }

 private:
  bool Note(bool excluded) {
    ended_ = ended_ || excluded;
    return excluded;
  }

  const FilterPtr filter_;
  bool ended_ = false;
};

}  // namespace

FilterPtr MakeSkipFilter(FilterPtr filter) { return std::make_unique<SkipFilter>(std::move(filter)); }
FilterPtr MakeWhileMatchFilter(FilterPtr filter) { return std::make_unique<WhileMatchFilter>(std::move(filter)); }

}  // namespace widerow::hbase
