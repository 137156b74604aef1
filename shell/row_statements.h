// Writes a row of a dump as INSERT and UPDATE statements. There is one INSERT or UPDATE for each pair of timestamp and
// TTL. The elements of a collection have times of their own. Each group of elements with the same times is added by a
// statement of its own.
//
// In some tables, each statement that writes a row must give the values of certain columns, the *shared columns*: the
// columns outside of the key from which the key is derived, and those that are NOT NULL. All shared columns of a row
// get one time. No statement of the row with another TTL has a later or an equal timestamp, so this time comes back.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "types/schema.h"

namespace widerow {

// A column that the dump selects.
struct DumpedColumn {
  enum class Shape : uint8_t { kKey, kSimple, kElements, kFields, kCounter };

  const ColumnSchema* column;
  Shape shape;
  size_t at;                // The place of the value in the selected row. Its times follow.
  bool key_source = false;  // The key is derived from the column, which is outside of the key.
  bool computed = false;    // The column is in the key, and INSERT computes it.

  bool is_static() const { return column->kind == ColumnKind::kStatic; }
  bool is_shared() const { return key_source || (column->not_null && shape == Shape::kSimple); }
};

// The time of a value: the timestamp, and the seconds until it expires; 0: it does not expire.
struct ValueTime {
  int64_t timestamp = 0;
  int32_t ttl = 0;
  friend auto operator<=>(const ValueTime&, const ValueTime&) = default;
};

// For one thread. Borrows the columns and the stream.
class RowStatements {
 public:
  RowStatements(const TableSchema& table, bool has_default_ttl, const std::vector<DumpedColumn>& columns,
                std::ostream& out);

  // Writes the statements of the row that is selected as `values`, or of the static columns of its partition.
  void Write(const std::vector<ValueView>& values, bool statics);
  uint64_t count() const { return count_; }

 private:
  using Columns = std::vector<const DumpedColumn*>;
  // The elements of a collection, and the time of each. In a map, keys and values alternate.
  struct Elements {
    const DumpedColumn* dumped;
    std::vector<ValueView> values;
    std::vector<ValueTime> times;

    size_t width() const { return dumped->column->type->kind == TypeKind::kMap ? 2 : 1; }
  };

  const ValueView& ValueOf(const DumpedColumn& dumped) const { return (*values_)[dumped.at]; }
  std::string Literal(const DumpedColumn& dumped) const;
  ValueTime TimeOf(const DumpedColumn& dumped) const;
  std::string Using(const ValueTime& time) const;
  // True if the column is written by this call of Write and has a value.
  bool IsWritten(const DumpedColumn& dumped) const;
  // True if each statement gives the value of the column.
  bool IsAlwaysGiven(const DumpedColumn& dumped) const;

  std::vector<Elements> Collections() const;
  ValueTime SharedTime(const std::vector<Elements>& collections) const;
  bool IsSharedMissing() const;

  void WriteApart();
  void WriteShared();
  void WriteElements(const Elements& collection);
  void WriteExpiring(const Elements& collection);
  static Bytes Group(const Elements& collection, size_t begin, size_t end);
  void AddElements(const Elements& collection, size_t begin, size_t end);
  void InsertAlone(bool has_values, const std::vector<Elements>& collections);
  void WriteCounters();
  void Insert(const Columns& group, const std::string& collection, const std::string& value, const std::string& times);
  void Update(std::vector<std::string> settings, const std::string& times);
  void Emit(const std::string& statement);

  const TableSchema& table_;
  const std::string name_;
  const bool has_default_ttl_;
  const std::vector<DumpedColumn>& columns_;
  std::ostream& out_;
  uint64_t count_ = 0;
  const std::vector<ValueView>* values_ = nullptr;  // The row that is being written.
  bool statics_ = false;                            // Only its static columns are being written.
};

}  // namespace widerow
