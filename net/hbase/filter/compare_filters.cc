#include <set>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {

namespace {

class CompareFilter : public Filter {
 public:
  CompareFilter(CompareOp op, ComparatorPtr comparator) : op_(op), comparator_(std::move(comparator)) {}
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }

 protected:
  bool Excluded(ByteView value) const { return op_ == CompareOp::kNoOp || Excludes(op_, comparator_->Compare(value)); }
  bool compares() const { return comparator_ != nullptr; }

 private:
  const CompareOp op_;
  const ComparatorPtr comparator_;
};

class FamilyFilter final : public CompareFilter {
 public:
  using CompareFilter::CompareFilter;
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    return Excluded(cell.family) ? FilterCode::kNextRow : FilterCode::kInclude;
  }
};

class QualifierFilter final : public CompareFilter {
 public:
  using CompareFilter::CompareFilter;
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    return Excluded(cell.qualifier) ? FilterCode::kSkip : FilterCode::kInclude;
  }
};

class ValueFilter final : public CompareFilter {
 public:
  using CompareFilter::CompareFilter;
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    return Excluded(cell.value) ? FilterCode::kSkip : FilterCode::kInclude;
  }
};

// Includes the cells of one column whose values pass the comparison.
class ColumnValueFilter final : public CompareFilter {
 public:
  ColumnValueFilter(Bytes family, Bytes qualifier, CompareOp op, ComparatorPtr comparator)
      : CompareFilter(op, std::move(comparator)), family_(std::move(family)), qualifier_(std::move(qualifier)) {}
  void Reset() override { found_ = false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (cell.family != family_ || cell.qualifier != qualifier_) {
      return found_ ? FilterCode::kNextRow : FilterCode::kNextColumn;
    }
    found_ = true;
    return Excluded(cell.value) ? FilterCode::kSkip : FilterCode::kInclude;
  }
  bool IsFamilyEssential(const Bytes& family) override { return family == family_; }

 private:
  const Bytes family_, qualifier_;
  bool found_ = false;
};

// Includes the cells of a row that have the same timestamp as a cell of a given column. If there is a comparison, the
// value of that cell must pass it.
class DependentColumnFilter final : public CompareFilter {
 public:
  DependentColumnFilter(Bytes family, Bytes qualifier, bool drop, CompareOp op, ComparatorPtr comparator)
      : CompareFilter(op, std::move(comparator)),
        family_(std::move(family)),
        qualifier_(std::move(qualifier)),
        drop_(drop) {}
  void Reset() override { timestamps_.clear(); }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (cell.family != family_ || cell.qualifier != qualifier_) return FilterCode::kInclude;
    if (compares() && Excluded(cell.value)) return FilterCode::kSkip;
    timestamps_.insert(cell.timestamp);
    return drop_ ? FilterCode::kSkip : FilterCode::kInclude;
  }
  void FilterRowCells(std::vector<Cell>& cells) override {
    std::erase_if(cells, [&](const Cell& cell) { return !timestamps_.contains(cell.timestamp); });
  }
  bool HasFilterRow() const override { return true; }

 private:
  const Bytes family_, qualifier_;
  const bool drop_;
  std::set<int64_t> timestamps_;
};

class SingleColumnValueFilter : public Filter {
 public:
  explicit SingleColumnValueFilter(SingleColumn column) : column_(std::move(column)) {}
  void Reset() override { found_ = matched_ = false; }
  bool FilterRowKey(const Bytes&, const Cell&) override { return false; }
  FilterCode FilterCell(const Bytes&, const Cell& cell) override {
    if (matched_) return FilterCode::kInclude;
    if (column_.latest_version_only && found_) return FilterCode::kNextRow;
    if (!IsColumn(cell)) return FilterCode::kInclude;
    found_ = true;
    if (Excludes(column_.op, column_.comparator->Compare(cell.value))) {
      return column_.latest_version_only ? FilterCode::kNextRow : FilterCode::kInclude;
    }
    matched_ = true;
    return FilterCode::kInclude;
  }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return found_ ? !matched_ : column_.filter_if_missing; }
  bool IsFamilyEssential(const Bytes& family) override {
    return !column_.filter_if_missing || family == column_.family;
  }

 protected:
  bool IsColumn(const Cell& cell) const { return cell.family == column_.family && cell.qualifier == column_.qualifier; }

 private:
  const SingleColumn column_;
  bool found_ = false, matched_ = false;
};

class SingleColumnValueExcludeFilter final : public SingleColumnValueFilter {
 public:
  using SingleColumnValueFilter::SingleColumnValueFilter;
  void FilterRowCells(std::vector<Cell>& cells) override {
    std::erase_if(cells, [&](const Cell& cell) { return IsColumn(cell); });
  }
};

}  // namespace

FilterPtr MakeFamilyFilter(CompareOp op, ComparatorPtr comparator) {
  return std::make_unique<FamilyFilter>(op, std::move(comparator));
}
FilterPtr MakeQualifierFilter(CompareOp op, ComparatorPtr comparator) {
  return std::make_unique<QualifierFilter>(op, std::move(comparator));
}
FilterPtr MakeValueFilter(CompareOp op, ComparatorPtr comparator) {
  return std::make_unique<ValueFilter>(op, std::move(comparator));
}
FilterPtr MakeColumnValueFilter(Bytes family, Bytes qualifier, CompareOp op, ComparatorPtr comparator) {
  return std::make_unique<ColumnValueFilter>(std::move(family), std::move(qualifier), op, std::move(comparator));
}
FilterPtr MakeDependentColumnFilter(Bytes family, Bytes qualifier, bool drop, CompareOp op, ComparatorPtr comparator) {
  return std::make_unique<DependentColumnFilter>(std::move(family), std::move(qualifier), drop, op,
                                                 std::move(comparator));
}
FilterPtr MakeSingleColumnValueFilter(SingleColumn column) {
  return std::make_unique<SingleColumnValueFilter>(std::move(column));
}
FilterPtr MakeSingleColumnValueExcludeFilter(SingleColumn column) {
  return std::make_unique<SingleColumnValueExcludeFilter>(std::move(column));
}

}  // namespace widerow::hbase
