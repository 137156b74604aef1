// The rules order-breaking-splice and ambiguous-splice: several values are joined into one text that does not sort like
// the values, or that cannot be split again. Both rules examine the splice() of a generated column, and stored values
// that look as if clients had joined them.
#include <algorithm>
#include <map>

#include "advise/clock.h"
#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/values.h"

namespace widerow::advise {

namespace {

constexpr std::string_view kConnectors = ":;|#~_/,-";

using Parts = std::vector<ByteView>;

Parts Split(ByteView value, char connector) {
  Parts parts;
  size_t begin = 0;
  for (size_t end = value.find(connector); end != ByteView::npos; end = value.find(connector, begin)) {
    parts.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(value.substr(begin));
  return parts;
}

// A column whose values look joined from parts. The connector is the character between the parts.
struct JoinedParts {
  char connector = 0;
  size_t parts = 0;   // The number of parts in most values.
  size_t others = 0;  // The number of values with another number of parts.
  size_t values = 0;
  ByteView unusual;  // One of the `others`.
  std::vector<Parts> usual;
};

std::optional<JoinedParts> FindConnector(const std::vector<ByteView>& values) {
  std::optional<JoinedParts> best;
  for (const char connector : kConnectors) {
    std::map<size_t, size_t> counts;
    for (const ByteView value : values) ++counts[Split(value, connector).size()];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    if (most->first < 2 || most->second * 10 < values.size() * 9) continue;
    JoinedParts found{
        .connector = connector, .parts = most->first, .others = values.size() - most->second, .values = values.size()};
    for (const ByteView value : values) {
      Parts parts = Split(value, connector);
      if (parts.size() == found.parts)
        found.usual.push_back(std::move(parts));
      else if (found.unusual.empty())
        found.unusual = value;
    }
    if (!best || found.parts > best->parts) best = std::move(found);
  }
  return best;
}

// True if at least two parts of each value are numbers.
bool JoinsNumbers(const JoinedParts& joined) {
  return std::ranges::all_of(joined.usual,
                             [](const Parts& parts) { return std::ranges::count_if(parts, IsDigits) > 1; });
}

// True if each part has the same width in all values. Then the values sort as their parts do.
bool HasFixedWidths(const JoinedParts& joined) {
  return std::ranges::all_of(joined.usual, [&](const Parts& parts) {
    return std::ranges::equal(parts, joined.usual.front(), {}, &ByteView::size, &ByteView::size);
  });
}

// True if the values are prose: in more than half of them a blank follows the connector, as in 'Smith, John'.
bool IsProse(const std::vector<ByteView>& values, char connector) {
  const auto followed = std::ranges::count_if(values, [&](ByteView value) {
    const size_t at = value.find(connector);
    return at != ByteView::npos && at + 1 < value.size() && value[at + 1] == ' ';
  });
  return static_cast<size_t>(followed) * 2 > values.size();
}

// Two values that sort one way by their parts (numbers are compared as numbers), and the other way as joined texts.
struct Misplaced {
  std::string first, second;
  // True: the joined texts sort the other way because numbers have no leading zeros. False: because of the connector.
  bool number = false;
};

bool PartLess(ByteView a, ByteView b) {
  if (IsDigits(a) && IsDigits(b)) {
    const auto plain = [](ByteView x) { return x.substr(std::min(x.find_first_not_of('0'), x.size() - 1)); };
    const ByteView x = plain(a), y = plain(b);
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  }
  return a < b;
}

std::optional<Misplaced> FindMisplaced(const JoinedParts& joined) {
  std::vector<Parts> sorted = joined.usual;
  const auto less = [](const Parts& a, const Parts& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), PartLess);
  };
  std::ranges::sort(sorted, less);
  const auto text = [&](const Parts& parts) {
    std::string out;
    for (size_t i = 0; i < parts.size(); ++i)
      out += (i == 0 ? "" : std::string(1, joined.connector)) + std::string(parts[i]);
    return out;
  };
  for (size_t i = 1; i < sorted.size(); ++i) {
    std::string first = text(sorted[i - 1]), second = text(sorted[i]);
    if (first <= second) continue;
    size_t part = 0;
    while (sorted[i - 1][part] == sorted[i][part]) ++part;
    const bool number = IsDigits(sorted[i - 1][part]) && IsDigits(sorted[i][part]);
    return Misplaced{std::move(first), std::move(second), number};
  }
  return std::nullopt;
}

// True if the values are times and nothing else, such as 22.7.2023. The rule numeric-text-key reports them.
bool IsTimeText(const TableFacts& table, uint32_t column) {
  const std::optional<Clock> clock = ClockOf(table, column);
  return clock && clock->whole;
}

// Returns a fix in which the column is divided into the parts that it was joined from.
std::string DividedFix(const Facts& facts, const TableFacts& table, uint32_t column, const JoinedParts& joined) {
  Redesign design(facts, table, "spliced");
  const std::string name = table.column(column).name;
  std::vector<std::string> names;
  for (size_t part = 0; part < joined.parts; ++part) {
    const bool numeric = std::ranges::all_of(
        joined.usual, [&](const Parts& parts) { return IsDigits(parts[part]) && parts[part].size() <= 18; });
    names.push_back(design.FreeColumn(name + "_" + std::to_string(part + 1)));
    design.Add(names.back(), numeric ? "bigint" : "text");
  }
  std::vector<std::string> key = design.partition_key(), clustering = design.clustering();
  const auto expand = [&](std::vector<std::string> list) {
    std::vector<std::string> out;
    for (const std::string& each : list) {
      const bool descending = each == "-" + name;
      if (each != name && !descending)
        out.push_back(each);
      else
        for (const std::string& part : names) out.push_back((descending ? "-" : "") + part);
    }
    return out;
  };
  key = expand(key);
  clustering = expand(clustering);
  const bool leads = table.in_key_order() && column < table.table->partition_key_size;
  design.Remove(name).SetPartitionKey(key).SetClustering(clustering);
  if (leads) design.SetPartitioning("PARTITION BY RANGE (" + QuoteIdentifier(names[0]) + ")");
  return design.Create();
}

void Ambiguous(const Facts& facts, const TableFacts& table, uint32_t column, const JoinedParts& joined, Findings& out) {
  Finding finding = About(table, "ambiguous-splice", Severity::kWarning, Confidence::kMeasured, {column});
  finding.evidence = Count(joined.others) + " of " + Count(joined.values) + " sampled values of " + finding.columns[0] +
                     " have another number of parts than " + std::to_string(joined.parts) + " around '" +
                     joined.connector + "': " + Shown(*table.column(column).type, joined.unusual);
  finding.why =
      "a part holds the connector itself: what the value was joined from cannot be told, and two different keys may "
      "become one";
  finding.fix = DividedFix(facts, table, column, joined);
  out.push_back(std::move(finding));
}

void OrderBreaking(const Facts& facts, const TableFacts& table, uint32_t column, const JoinedParts& joined,
                   const Misplaced& misplaced, Findings& out) {
  Finding finding = About(table, "order-breaking-splice", Severity::kWarning, Confidence::kMeasured, {column});
  finding.evidence =
      "'" + misplaced.first + "' should come before '" + misplaced.second + "' and does not: " +
      (misplaced.number ? "numbers are not padded to one width"
                        : std::string("the connector '") + joined.connector + "' sorts above characters of the values");
  finding.why =
      "ranges of the joined column are not ranges of its parts: reads from one value to another miss rows and return "
      "others";
  finding.fix = DividedFix(facts, table, column, joined);
  out.push_back(std::move(finding));
}

// Examines splice() in a generated column. In splice('', a, b), for example, nothing marks the end of a.
void Declared(const TableFacts& table, uint32_t column, Findings& out) {
  const Term* const derivation = table.derivation(column);
  if (FunctionOf(derivation) != "splice") return;
  const auto& arguments = std::get<FunctionCall>(derivation->node).arguments;
  const auto* connector = arguments.empty() ? nullptr : std::get_if<Literal>(&arguments[0].node);
  if (connector != nullptr && connector->text.empty()) {
    Finding finding = About(table, "ambiguous-splice", Severity::kWarning, Confidence::kDeclared, {column});
    finding.evidence =
        finding.columns[0] + " joins its parts without a connector: 1 and 23 give the same key as 12 and 3";
    finding.why = "two different keys may become one, and rows of one overwrite the other's";
    out.push_back(std::move(finding));
  }
  for (size_t i = 1; i < arguments.size(); ++i) {
    const auto* source = std::get_if<ColumnRef>(&arguments[i].node);
    const ColumnSchema* const found = source == nullptr ? nullptr : table.table->Find(source->name.text);
    if (found == nullptr || !IsInteger(found->type->kind)) continue;
    Finding finding = About(table, "order-breaking-splice", Severity::kWarning, Confidence::kDeclared, {column});
    finding.columns.push_back(found->name);
    finding.evidence =
        finding.columns[0] + " joins the number " + found->name + " without padding: '167' comes before '54'";
    finding.why = "ranges of " + finding.columns[0] + " are not ranges of " + found->name + "; zero_pad(" +
                  found->name + ", 6) keeps them";
    out.push_back(std::move(finding));
  }
}

}  // namespace

void FindBadSplice(const Facts& facts, const TableFacts& table, Findings& out) {
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    if (table.derivation(i) != nullptr) {
      Declared(table, i, out);
      continue;
    }
    // If rows are not stored in the order of this column, a wrong order does no harm.
    const bool ordered = i >= table.table->partition_key_size || table.in_key_order();
    if (!IsText(table.column(i).type->kind)) continue;
    const std::vector<ByteView> values = ValuesOf(table, i);
    if (CountDistinct(values) < kValuesToJudge) continue;
    const std::optional<JoinedParts> joined = FindConnector(values);
    if (!joined) continue;
    // Hyphens, underscores and slashes occur in names and codes too. With one of them, the values count as joined only
    // if several parts are numbers.
    const bool in_names = joined->connector == '-' || joined->connector == '_' || joined->connector == '/';
    if ((in_names && !JoinsNumbers(*joined)) || IsProse(values, joined->connector) || IsCodeName(table.column(i).name))
      continue;
    if (joined->others > 0) {
      Ambiguous(facts, table, i, *joined, out);
    } else if (!ordered || HasFixedWidths(*joined) || IsTimeText(table, i)) {
      continue;
    } else if (const std::optional<Misplaced> misplaced = FindMisplaced(*joined)) {
      OrderBreaking(facts, table, i, *joined, *misplaced, out);
    }
  }
}

}  // namespace widerow::advise
