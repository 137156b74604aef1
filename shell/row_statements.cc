// Write chooses WriteCounters, WriteShared for rows of tables with shared columns, or WriteApart. These write the
// single values with Insert and Update, and then the collections with WriteElements or WriteExpiring.
#include "shell/row_statements.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "types/text_form.h"

namespace widerow {
namespace {

using Shape = DumpedColumn::Shape;

// Splits a list, set or map in the encoding of the native protocol into its elements. In a map, keys and values
// alternate.
std::vector<ValueView> ElementsOf(ByteView bytes, bool is_map) {
  std::vector<ValueView> out;
  if (bytes.size() < 4) return out;
  const auto count = static_cast<size_t>(ReadBigEndian<int32_t>(bytes.data())) * (is_map ? 2 : 1);
  bytes.remove_prefix(4);
  while (out.size() < count && bytes.size() >= 4) {
    const auto size = ReadBigEndian<int32_t>(bytes.data());
    bytes.remove_prefix(4);
    out.emplace_back();
    if (size < 0) continue;
    out.back() = bytes.substr(0, static_cast<size_t>(size));
    bytes.remove_prefix(std::min(bytes.size(), static_cast<size_t>(size)));
  }
  return out;
}

// Appends an element of a collection, or the key or value of an entry, in the encoding of the native protocol.
void AppendElement(const ValueView& element, Bytes& out) {
  AppendBigEndian(out, element ? static_cast<int32_t>(element->size()) : int32_t{-1});
  if (element) out.append(*element);
}

template <typename T>
T NumberIn(const ValueView& value) {
  return value && value->size() == sizeof(T) ? ReadBigEndian<T>(value->data()) : T{0};
}

// Returns the longer of two TTLs. 0 is the longest.
int32_t Longer(int32_t a, int32_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

// Returns the time with which a value is written if the shared columns get the time `shared`. A statement with a later
// time, or with the same timestamp and another TTL, would replace the values of the shared columns.
ValueTime Before(const ValueTime& time, const ValueTime& shared) {
  if (time == shared || time.timestamp < shared.timestamp) return time;
  constexpr int64_t kFirstTimestamp = INT64_MIN + 1;
  return {std::max(shared.timestamp - 1, kFirstTimestamp), time.ttl};
}

}  // namespace

RowStatements::RowStatements(const TableSchema& table, bool has_default_ttl, const std::vector<DumpedColumn>& columns,
                             std::ostream& out)
    : table_(table),
      name_(QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name)),
      has_default_ttl_(has_default_ttl),
      columns_(columns),
      out_(out) {}

void RowStatements::Write(const std::vector<ValueView>& values, bool statics) {
  values_ = &values;
  statics_ = statics;
  const auto any = [&](auto&& test) { return std::any_of(columns_.begin(), columns_.end(), test); };
  if (any([](const DumpedColumn& dumped) { return dumped.shape == Shape::kCounter; })) return WriteCounters();
  if (!statics && any([](const DumpedColumn& dumped) { return dumped.is_shared(); })) return WriteShared();
  WriteApart();
}

std::string RowStatements::Literal(const DumpedColumn& dumped) const {
  return FormatLiteral(*dumped.column->type, *ValueOf(dumped));
}

ValueTime RowStatements::TimeOf(const DumpedColumn& dumped) const {
  const std::vector<ValueView>& values = *values_;
  return {NumberIn<int64_t>(values[dumped.at + 1]),
          dumped.shape == Shape::kSimple ? NumberIn<int32_t>(values[dumped.at + 2]) : 0};
}

// A value without a TTL says so if the table has a default one.
std::string RowStatements::Using(const ValueTime& time) const {
  const bool says_ttl = time.ttl > 0 || has_default_ttl_;
  return StrCat(" USING TIMESTAMP ", time.timestamp, says_ttl ? StrCat(" AND TTL ", time.ttl) : std::string());
}

bool RowStatements::IsWritten(const DumpedColumn& dumped) const {
  return dumped.shape != Shape::kKey && dumped.is_static() == statics_ && ValueOf(dumped).has_value();
}

// The static columns of a partition do not belong to a row. So their statements give the whole partition key, also its
// computed columns, and nothing from which it is derived.
bool RowStatements::IsAlwaysGiven(const DumpedColumn& dumped) const {
  if (!ValueOf(dumped)) return false;
  if (statics_) return dumped.column->kind == ColumnKind::kPartitionKey;
  return dumped.is_shared() || (dumped.shape == Shape::kKey && !dumped.computed);
}

// Returns the collections that have elements.
std::vector<RowStatements::Elements> RowStatements::Collections() const {
  std::vector<Elements> collections;
  for (const DumpedColumn& dumped : columns_) {
    if (dumped.shape != Shape::kElements || dumped.is_shared() || !IsWritten(dumped)) continue;
    Elements elements{.dumped = &dumped, .values = {}, .times = {}};
    elements.values = ElementsOf(*ValueOf(dumped), elements.width() == 2);
    const std::vector<ValueView> stamps = ElementsOf((*values_)[dumped.at + 1].value_or(ByteView()), false);
    const std::vector<ValueView> ttls = ElementsOf((*values_)[dumped.at + 2].value_or(ByteView()), false);
    for (size_t i = 0; i < elements.values.size() / elements.width(); ++i) {
      elements.times.push_back(
          {i < stamps.size() ? NumberIn<int64_t>(stamps[i]) : 0, i < ttls.size() ? NumberIn<int32_t>(ttls[i]) : 0});
    }
    if (!elements.times.empty()) collections.push_back(std::move(elements));
  }
  return collections;
}

// Writes the values of different times by different statements. The first one is an INSERT, so that the row exists even
// without values. CQL cannot select the time at which the row was inserted, so the INSERT has the time of the oldest
// value.
void RowStatements::WriteApart() {
  std::map<ValueTime, Columns> groups;
  bool any = false;
  for (const DumpedColumn& dumped : columns_) {
    if (!IsWritten(dumped)) continue;
    any = true;
    if (dumped.shape != Shape::kElements) groups[TimeOf(dumped)].push_back(&dumped);
  }
  bool first = true;
  for (const auto& [time, group] : groups) {
    if (first) {
      Insert(group, "", "", Using(time));
    } else {
      std::vector<std::string> settings;
      for (const DumpedColumn* const dumped : group) {
        settings.push_back(QuoteIdentifier(dumped->column->name) + " = " + Literal(*dumped));
      }
      Update(std::move(settings), Using(time));
    }
    first = false;
  }
  const std::vector<Elements> collections = Collections();
  if (first && !statics_) InsertAlone(any, collections);
  for (const Elements& collection : collections) WriteElements(collection);
}

// Inserts a row that has no values but elements of collections, or no values at all.
void RowStatements::InsertAlone(bool has_values, const std::vector<Elements>& collections) {
  std::optional<ValueTime> oldest;
  for (const Elements& collection : collections) {
    for (const ValueTime& time : collection.times) oldest = std::min(oldest.value_or(time), time);
  }
  if (oldest) return Insert({}, "", "", Using(*oldest));
  if (!has_values) Insert({}, "", "", has_default_ttl_ ? " USING TTL 0" : "");
}

bool RowStatements::IsSharedMissing() const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [&](const DumpedColumn& dumped) { return dumped.is_shared() && !ValueOf(dumped); });
}

// Returns the time that the shared columns get. All of them get one time: the latest timestamp and the longest TTL that
// one of them has. Other values with this TTL keep their timestamps, so the shared columns get the latest of these.
ValueTime RowStatements::SharedTime(const std::vector<Elements>& collections) const {
  std::optional<ValueTime> shared;
  for (const DumpedColumn& dumped : columns_) {
    if (!dumped.is_shared()) continue;
    const ValueTime time = TimeOf(dumped);
    if (!shared) shared = time;
    shared = ValueTime{std::max(shared->timestamp, time.timestamp), Longer(shared->ttl, time.ttl)};
  }
  const auto include = [&](const ValueTime& time) {
    if (time.ttl == shared->ttl) shared->timestamp = std::max(shared->timestamp, time.timestamp);
  };
  for (const DumpedColumn& dumped : columns_) {
    if (dumped.shape != Shape::kElements && IsWritten(dumped)) include(TimeOf(dumped));
  }
  for (const Elements& collection : collections)
    std::for_each(collection.times.begin(), collection.times.end(), include);
  return *shared;
}

void RowStatements::WriteShared() {
  if (IsSharedMissing()) {
    out_ << "-- A row is left out here: a value that each statement would have to give has expired.\n";
    return;
  }
  std::vector<Elements> collections = Collections();
  const ValueTime shared = SharedTime(collections);
  std::map<ValueTime, Columns> groups{{shared, {}}};
  for (const DumpedColumn& dumped : columns_) {
    if (dumped.is_shared() || dumped.shape == Shape::kElements || !IsWritten(dumped)) continue;
    groups[Before(TimeOf(dumped), shared)].push_back(&dumped);
  }
  for (const auto& [time, group] : groups) Insert(group, "", "", Using(time));
  const bool has_sources =
      std::any_of(columns_.begin(), columns_.end(), [](const DumpedColumn& dumped) { return dumped.key_source; });
  for (Elements& collection : collections) {
    for (ValueTime& time : collection.times) time = Before(time, shared);
    has_sources ? WriteExpiring(collection) : WriteElements(collection);
  }
}

// Adds the elements of a collection. Consecutive elements with the same timestamp and TTL are added together, so the
// elements of a list keep their order.
void RowStatements::WriteElements(const Elements& collection) {
  const std::vector<ValueTime>& times = collection.times;
  for (size_t begin = 0, end = 0; begin < times.size(); begin = end) {
    while (end < times.size() && times[end] == times[begin]) ++end;
    AddElements(collection, begin, end);
  }
}

// Returns some of the elements, as a collection.
Bytes RowStatements::Group(const Elements& collection, size_t begin, size_t end) {
  Bytes group;
  AppendBigEndian(group, static_cast<int32_t>(end - begin));
  for (size_t i = begin * collection.width(); i < end * collection.width(); ++i) {
    AppendElement(collection.values[i], group);
  }
  return group;
}

void RowStatements::AddElements(const Elements& collection, size_t begin, size_t end) {
  const ColumnSchema& column = *collection.dumped->column;
  const std::string name = QuoteIdentifier(column.name);
  const std::string added = FormatLiteral(*column.type, Group(collection, begin, end));
  Update({StrCat(name, " = ", name, " + ", added)}, Using(collection.times[begin]));
}

// Writes the elements of a collection in a table whose key is derived from columns outside of it. There, UPDATE takes
// no TTL. So elements with a TTL are written by INSERT, one for each run of elements with one TTL. An INSERT of a
// collection deletes older elements; these INSERTs have the oldest timestamp of all elements, so they delete none.
void RowStatements::WriteExpiring(const Elements& collection) {
  const std::vector<ValueTime>& times = collection.times;
  const auto needs_insert = [&](const ValueTime& time) { return has_default_ttl_ || time.ttl > 0; };
  const int64_t oldest = std::ranges::min(times).timestamp;
  const ColumnSchema& column = *collection.dumped->column;
  for (size_t begin = 0, end = 0; begin < times.size(); begin = end) {
    const ValueTime& first = times[begin];
    const auto belongs = [&](const ValueTime& time) {
      return needs_insert(first) ? needs_insert(time) && time.ttl == first.ttl : time == first;
    };
    while (end < times.size() && belongs(times[end])) ++end;
    if (needs_insert(first)) {
      const std::string elements = FormatLiteral(*column.type, Group(collection, begin, end));
      Insert({}, QuoteIdentifier(column.name), elements, Using({oldest, first.ttl}));
    } else {
      AddElements(collection, begin, end);
    }
  }
}

void RowStatements::WriteCounters() {
  for (const DumpedColumn& dumped : columns_) {
    if (dumped.shape != Shape::kCounter || !IsWritten(dumped)) continue;
    const std::string name = QuoteIdentifier(dumped.column->name);
    Update({StrCat(name, " = ", name, " + ", NumberIn<int64_t>(ValueOf(dumped)))}, "");
  }
}

// Inserts the columns that are always given and those of `group`; and a collection, unless its name is empty.
void RowStatements::Insert(const Columns& group, const std::string& collection, const std::string& value,
                           const std::string& times) {
  std::vector<std::string> names, values;
  const auto add = [&](const DumpedColumn& dumped) {
    names.push_back(QuoteIdentifier(dumped.column->name));
    values.push_back(Literal(dumped));
  };
  for (const DumpedColumn& dumped : columns_) {
    if (IsAlwaysGiven(dumped)) add(dumped);
  }
  for (const DumpedColumn* const dumped : group) add(*dumped);
  if (!collection.empty()) {
    names.push_back(collection);
    values.push_back(value);
  }
  Emit(StrCat("INSERT INTO ", name_, " (", JoinNames(names), ") VALUES (", JoinNames(values), ")", times));
}

// UPDATE names the key and the columns from which it is derived in WHERE, and sets the other columns that are always
// given.
void RowStatements::Update(std::vector<std::string> settings, const std::string& times) {
  std::vector<std::string> conditions;
  for (const DumpedColumn& dumped : columns_) {
    if (!IsAlwaysGiven(dumped)) continue;
    const bool in_where = dumped.shape == Shape::kKey || dumped.key_source;
    (in_where ? conditions : settings).push_back(QuoteIdentifier(dumped.column->name) + " = " + Literal(dumped));
  }
  Emit(StrCat("UPDATE ", name_, times, " SET ", JoinNames(settings), " WHERE ", JoinNames(conditions, " AND ")));
}

void RowStatements::Emit(const std::string& statement) {
  out_ << statement << ";\n";
  ++count_;
}

}  // namespace widerow
