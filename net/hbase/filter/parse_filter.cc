#include "net/hbase/filter/parse_filter.h"

#include <map>

#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/cells/parse_message.h"
#include "net/hbase/filter/make_filters.h"
#include "net/hbase/proto/filter.pb.h"

namespace widerow::hbase {

namespace {

namespace pb = ::hbase::pb;

constexpr std::string_view kPackage = "org.apache.hadoop.hbase.filter.";

Error Malformed(std::string_view name) {
  return MakeJavaError(kDoNotRetry, StrCat("the serialized form of ", name, " is malformed"));
}
Error Unknown(std::string_view what, std::string_view name) {
  return MakeJavaError(kDoNotRetry, StrCat(kUnsupported, ": the ", what, " ", name, " is not supported"));
}

template <typename Message>
Result<Message> Parse(std::string_view name, const std::string& bytes) {
  Message message;
  if (!ParseMessage(bytes, message)) return Malformed(name);
  return message;
}

std::string_view ShortName(const std::string& name) {
  std::string_view view = name;
  if (view.starts_with(kPackage)) view.remove_prefix(kPackage.size());
  return view;
}

class FilterParser {
 public:
  Result<FilterPtr> Filter(const pb::Filter& filter);

 private:
  using Make = Result<FilterPtr> (FilterParser::*)(const std::string& bytes);
  static const std::map<std::string_view, Make>& Makers();

  struct Comparison {
    CompareOp op;
    ComparatorPtr comparator;
  };
  Result<Comparison> Compare(const pb::CompareFilter& filter);
  template <typename Message>
  Result<Comparison> Compare(const std::string& bytes) {
    WR_ASSIGN_OR_RETURN(const Message message, Parse<Message>("CompareFilter", bytes));
    return Compare(message.compare_filter());
  }
  Result<SingleColumn> Single(const pb::SingleColumnValueFilter& filter);
  Result<FilterPtr> Inner(const pb::Filter& filter) { return Filter(filter); }

  Result<FilterPtr> Row(const std::string& bytes);
  Result<FilterPtr> Family(const std::string& bytes);
  Result<FilterPtr> Qualifier(const std::string& bytes);
  Result<FilterPtr> Value(const std::string& bytes);
  Result<FilterPtr> ColumnValue(const std::string& bytes);
  Result<FilterPtr> DependentColumn(const std::string& bytes);
  Result<FilterPtr> SingleColumnValue(const std::string& bytes);
  Result<FilterPtr> SingleColumnValueExclude(const std::string& bytes);
  Result<FilterPtr> Prefix(const std::string& bytes);
  Result<FilterPtr> InclusiveStop(const std::string& bytes);
  Result<FilterPtr> Page(const std::string& bytes);
  Result<FilterPtr> RandomRow(const std::string& bytes);
  Result<FilterPtr> FuzzyRow(const std::string& bytes);
  Result<FilterPtr> MultiRowRange(const std::string& bytes);
  Result<FilterPtr> ColumnPrefix(const std::string& bytes);
  Result<FilterPtr> MultipleColumnPrefix(const std::string& bytes);
  Result<FilterPtr> ColumnRange(const std::string& bytes);
  Result<FilterPtr> ColumnPagination(const std::string& bytes);
  Result<FilterPtr> ColumnCountGet(const std::string& bytes);
  Result<FilterPtr> FirstKeyOnly(const std::string& bytes);
  Result<FilterPtr> FirstKeyValueMatchingQualifiers(const std::string& bytes);
  Result<FilterPtr> KeyOnly(const std::string& bytes);
  Result<FilterPtr> Timestamps(const std::string& bytes);
  Result<FilterPtr> Skip(const std::string& bytes);
  Result<FilterPtr> WhileMatch(const std::string& bytes);
  Result<FilterPtr> Wrapper(const std::string& bytes);
  Result<FilterPtr> List(const std::string& bytes);

  size_t count_ = 0, depth_ = 0, bytes_ = 0;
};

const std::map<std::string_view, FilterParser::Make>& FilterParser::Makers() {
  using P = FilterParser;
  static const std::map<std::string_view, Make> makers = {
      {"RowFilter", &P::Row},
      {"FamilyFilter", &P::Family},
      {"QualifierFilter", &P::Qualifier},
      {"ValueFilter", &P::Value},
      {"ColumnValueFilter", &P::ColumnValue},
      {"DependentColumnFilter", &P::DependentColumn},
      {"SingleColumnValueFilter", &P::SingleColumnValue},
      {"SingleColumnValueExcludeFilter", &P::SingleColumnValueExclude},
      {"PrefixFilter", &P::Prefix},
      {"InclusiveStopFilter", &P::InclusiveStop},
      {"PageFilter", &P::Page},
      {"RandomRowFilter", &P::RandomRow},
      {"FuzzyRowFilter", &P::FuzzyRow},
      {"MultiRowRangeFilter", &P::MultiRowRange},
      {"ColumnPrefixFilter", &P::ColumnPrefix},
      {"MultipleColumnPrefixFilter", &P::MultipleColumnPrefix},
      {"ColumnRangeFilter", &P::ColumnRange},
      {"ColumnPaginationFilter", &P::ColumnPagination},
      {"ColumnCountGetFilter", &P::ColumnCountGet},
      {"FirstKeyOnlyFilter", &P::FirstKeyOnly},
      {"FirstKeyValueMatchingQualifiersFilter", &P::FirstKeyValueMatchingQualifiers},
      {"KeyOnlyFilter", &P::KeyOnly},
      {"TimestampsFilter", &P::Timestamps},
      {"SkipFilter", &P::Skip},
      {"WhileMatchFilter", &P::WhileMatch},
      {"FilterWrapper", &P::Wrapper},
      {"FilterList", &P::List},
  };
  return makers;
}

Result<FilterPtr> FilterParser::Filter(const pb::Filter& filter) {
  const std::string_view name = ShortName(filter.name());
  const auto found = Makers().find(name);
  if (found == Makers().end()) return Unknown("filter", filter.name());
  if (++count_ > kFiltersMax || depth_ >= kFilterDepthMax) {
    return MakeJavaError(kDoNotRetry, StrCat("A request has at most ", kFiltersMax, " filters, nested at most ",
                                             kFilterDepthMax, " deep"));
  }
  bytes_ += filter.serialized_filter().size();
  if (bytes_ > kFilterBytesMax) {
    return MakeJavaError(kDoNotRetry, StrCat("The filters of a request have at most ", kFilterBytesMax, " bytes"));
  }
  ++depth_;
  Result<FilterPtr> made = (this->*found->second)(filter.serialized_filter());
  --depth_;
  return made;
}

Result<FilterParser::Comparison> FilterParser::Compare(const pb::CompareFilter& filter) {
  WR_ASSIGN_OR_RETURN(const CompareOp op, ParseCompareOp(filter.compare_op()));
  Comparison comparison{.op = op, .comparator = nullptr};
  if (filter.has_comparator()) {
    WR_ASSIGN_OR_RETURN(comparison.comparator, ParseComparator(filter.comparator()));
  } else if (op != CompareOp::kNoOp) {
    return Malformed("CompareFilter");
  }
  return comparison;
}

Result<SingleColumn> FilterParser::Single(const pb::SingleColumnValueFilter& filter) {
  WR_ASSIGN_OR_RETURN(const CompareOp op, ParseCompareOp(filter.compare_op()));
  WR_ASSIGN_OR_RETURN(ComparatorPtr comparator, ParseComparator(filter.comparator()));
  return SingleColumn{.family = filter.column_family(),
                      .qualifier = filter.column_qualifier(),
                      .op = op,
                      .comparator = std::move(comparator),
                      .filter_if_missing = filter.filter_if_missing(),
                      .latest_version_only = filter.latest_version_only()};
}

Result<FilterPtr> FilterParser::Row(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(Comparison made, Compare<pb::RowFilter>(bytes));
  return MakeRowFilter(made.op, std::move(made.comparator));
}
Result<FilterPtr> FilterParser::Family(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(Comparison made, Compare<pb::FamilyFilter>(bytes));
  return MakeFamilyFilter(made.op, std::move(made.comparator));
}
Result<FilterPtr> FilterParser::Qualifier(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(Comparison made, Compare<pb::QualifierFilter>(bytes));
  return MakeQualifierFilter(made.op, std::move(made.comparator));
}
Result<FilterPtr> FilterParser::Value(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(Comparison made, Compare<pb::ValueFilter>(bytes));
  return MakeValueFilter(made.op, std::move(made.comparator));
}
Result<FilterPtr> FilterParser::ColumnValue(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::ColumnValueFilter>("ColumnValueFilter", bytes));
  WR_ASSIGN_OR_RETURN(const CompareOp op, ParseCompareOp(message.compare_op()));
  WR_ASSIGN_OR_RETURN(ComparatorPtr comparator, ParseComparator(message.comparator()));
  return MakeColumnValueFilter(message.family(), message.qualifier(), op, std::move(comparator));
}
Result<FilterPtr> FilterParser::DependentColumn(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::DependentColumnFilter>("DependentColumnFilter", bytes));
  WR_ASSIGN_OR_RETURN(Comparison made, Compare(message.compare_filter()));
  return MakeDependentColumnFilter(message.column_family(), message.column_qualifier(), message.drop_dependent_column(),
                                   made.op, std::move(made.comparator));
}
Result<FilterPtr> FilterParser::SingleColumnValue(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::SingleColumnValueFilter>("SingleColumnValueFilter", bytes));
  WR_ASSIGN_OR_RETURN(SingleColumn column, Single(message));
  return MakeSingleColumnValueFilter(std::move(column));
}
Result<FilterPtr> FilterParser::SingleColumnValueExclude(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message,
                      Parse<pb::SingleColumnValueExcludeFilter>("SingleColumnValueExcludeFilter", bytes));
  WR_ASSIGN_OR_RETURN(SingleColumn column, Single(message.single_column_value_filter()));
  return MakeSingleColumnValueExcludeFilter(std::move(column));
}
Result<FilterPtr> FilterParser::Prefix(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::PrefixFilter>("PrefixFilter", bytes));
  return MakePrefixFilter(message.prefix());
}
Result<FilterPtr> FilterParser::InclusiveStop(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::InclusiveStopFilter>("InclusiveStopFilter", bytes));
  return MakeInclusiveStopFilter(message.stop_row_key());
}
Result<FilterPtr> FilterParser::Page(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::PageFilter>("PageFilter", bytes));
  return MakePageFilter(message.page_size());
}
Result<FilterPtr> FilterParser::RandomRow(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::RandomRowFilter>("RandomRowFilter", bytes));
  return MakeRandomRowFilter(message.chance());
}
Result<FilterPtr> FilterParser::FuzzyRow(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::FuzzyRowFilter>("FuzzyRowFilter", bytes));
  std::vector<FuzzyKey> keys;
  for (const pb::BytesBytesPair& pair : message.fuzzy_keys_data()) {
    if (pair.first().size() != pair.second().size()) return Malformed("FuzzyRowFilter");
    keys.push_back({.key = pair.first(), .mask = pair.second()});
  }
  return MakeFuzzyRowFilter(std::move(keys), message.is_mask_v2());
}
Result<FilterPtr> FilterParser::MultiRowRange(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::MultiRowRangeFilter>("MultiRowRangeFilter", bytes));
  std::vector<RowRange> ranges;
  for (const pb::RowRange& range : message.row_range_list()) {
    ranges.push_back({.start = range.start_row(),
                      .stop = range.stop_row(),
                      .start_inclusive = range.start_row_inclusive(),
                      .stop_inclusive = range.stop_row_inclusive()});
  }
  return MakeMultiRowRangeFilter(std::move(ranges));
}
Result<FilterPtr> FilterParser::ColumnPrefix(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::ColumnPrefixFilter>("ColumnPrefixFilter", bytes));
  return MakeColumnPrefixFilter(message.prefix());
}
Result<FilterPtr> FilterParser::MultipleColumnPrefix(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::MultipleColumnPrefixFilter>("MultipleColumnPrefixFilter", bytes));
  return MakeMultipleColumnPrefixFilter({message.sorted_prefixes().begin(), message.sorted_prefixes().end()});
}
Result<FilterPtr> FilterParser::ColumnRange(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::ColumnRangeFilter>("ColumnRangeFilter", bytes));
  hbase::ColumnRange range;
  range.min_inclusive = message.min_column_inclusive();
  range.max_inclusive = message.max_column_inclusive();
  if (message.has_min_column()) range.min = message.min_column();
  if (message.has_max_column()) range.max = message.max_column();
  return MakeColumnRangeFilter(std::move(range));
}
Result<FilterPtr> FilterParser::ColumnPagination(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::ColumnPaginationFilter>("ColumnPaginationFilter", bytes));
  if (message.limit() < 0 || message.offset() < 0) return Malformed("ColumnPaginationFilter");
  std::optional<Bytes> first;
  if (message.has_column_offset()) first = message.column_offset();
  return MakeColumnPaginationFilter(message.limit(), message.offset(), std::move(first));
}
Result<FilterPtr> FilterParser::ColumnCountGet(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::ColumnCountGetFilter>("ColumnCountGetFilter", bytes));
  return MakeColumnCountGetFilter(message.limit());
}
Result<FilterPtr> FilterParser::FirstKeyOnly(const std::string&) { return MakeFirstKeyOnlyFilter(); }
Result<FilterPtr> FilterParser::FirstKeyValueMatchingQualifiers(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message,
                      Parse<pb::FirstKeyValueMatchingQualifiersFilter>("FirstKeyValueMatchingQualifiersFilter", bytes));
  return MakeFirstKeyValueMatchingQualifiersFilter({message.qualifiers().begin(), message.qualifiers().end()});
}
Result<FilterPtr> FilterParser::KeyOnly(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::KeyOnlyFilter>("KeyOnlyFilter", bytes));
  return MakeKeyOnlyFilter(message.len_as_val());
}
Result<FilterPtr> FilterParser::Timestamps(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::TimestampsFilter>("TimestampsFilter", bytes));
  return MakeTimestampsFilter({message.timestamps().begin(), message.timestamps().end()}, message.can_hint());
}
Result<FilterPtr> FilterParser::Skip(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::SkipFilter>("SkipFilter", bytes));
  WR_ASSIGN_OR_RETURN(FilterPtr inner, Inner(message.filter()));
  return MakeSkipFilter(std::move(inner));
}
Result<FilterPtr> FilterParser::WhileMatch(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::WhileMatchFilter>("WhileMatchFilter", bytes));
  WR_ASSIGN_OR_RETURN(FilterPtr inner, Inner(message.filter()));
  return MakeWhileMatchFilter(std::move(inner));
}
Result<FilterPtr> FilterParser::Wrapper(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::FilterWrapper>("FilterWrapper", bytes));
  return Inner(message.filter());
}
Result<FilterPtr> FilterParser::List(const std::string& bytes) {
  WR_ASSIGN_OR_RETURN(const auto message, Parse<pb::FilterList>("FilterList", bytes));
  std::vector<FilterPtr> filters;
  for (const pb::Filter& each : message.filters()) {
    WR_ASSIGN_OR_RETURN(FilterPtr inner, Inner(each));
    filters.push_back(std::move(inner));
  }
  return message.operator_() == pb::FilterList::MUST_PASS_ONE ? MakeOrList(std::move(filters))
                                                              : MakeAndList(std::move(filters));
}

}  // namespace

Result<CompareOp> ParseCompareOp(int number) {
  if (number < 0 || number > static_cast<int>(CompareOp::kNoOp)) return Malformed("CompareType");
  return static_cast<CompareOp>(number);
}

Result<FilterPtr> ParseFilter(const pb::Filter& filter) { return FilterParser().Filter(filter); }

}  // namespace widerow::hbase
