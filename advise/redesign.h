// Writes the CREATE TABLE of a changed copy of a table, which is the fix of most findings. The copy gets a name that is
// not in use, so that the old table keeps its rows while the user tries the new one. A table that is only proposed does
// not exist, so the copy has the name of the proposed table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advise/facts.h"

namespace widerow::advise {

class Redesign {
 public:
  // Starts with all columns, the key and the partitioning of `table`. The new name ends with `suffix`
  // ("orders_by_seller").
  Redesign(const Facts& facts, const TableFacts& table, std::string_view suffix);

  // Adds a generated column if Facts::extensions and Facts::generated are true, otherwise an ordinary column.
  Redesign& AddDerived(std::string name, std::string type, std::string expression);
  Redesign& Add(std::string name, std::string type);
  Redesign& SetType(std::string_view column, std::string type);
  Redesign& Remove(std::string_view column);
  Redesign& SetPartitionKey(std::vector<std::string> columns);
  // Sets the clustering columns in order; "-name" is descending.
  Redesign& SetClustering(std::vector<std::string> columns);
  Redesign& FlipClustering();  // Reverses the order of all clustering columns.
  Redesign& SetPartitioning(std::string clause);
  Redesign& SetTimeToLive(int64_t seconds);

  std::vector<std::string> partition_key() const { return partition_key_; }
  std::vector<std::string> clustering() const;  // Names, with a - before descending columns.
  // Returns a free column name similar to `wanted`.
  std::string FreeColumn(std::string wanted) const;
  const std::string& name() const { return name_; }
  // True if the table can be created: the key columns exist and have types that a key may have.
  bool possible() const;

  // Returns "CREATE TABLE ks.t_2 (…) WITH …;"; empty if it is not possible().
  std::string Create() const;

 private:
  struct Column {
    std::string name, type, derivation;
    bool is_static = false, multi_cell = false, counter = false;
  };
  struct Ordered {
    std::string name;
    bool descending = false;
  };
  const Column* Find(std::string_view name) const;
  std::string KeyText() const;

  std::string keyspace_, name_;
  bool extensions_ = true, generated_ = true;
  std::vector<Column> columns_;
  std::vector<std::string> partition_key_;
  std::vector<Ordered> clustering_;
  std::string partitioning_;
  int64_t time_to_live_ = 0;
};

// Returns the CREATE TABLE of a copy whose partition key is `columns`, without those that are counters or collections
// that are not frozen. The other key columns become clustering columns. Empty if the copy is not possible().
std::string TableKeyedBy(const Facts& facts, const TableFacts& table, const std::vector<uint32_t>& columns);

}  // namespace widerow::advise
