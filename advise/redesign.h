// Writes the CREATE TABLE of a table like another, with another key: what most fixes are. The table is made beside the old
// one, under a name that is free, so that a fix loses nothing and can be tried; one that is only proposed keeps its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advise/facts.h"

namespace widerow::advise {

class Redesign {
 public:
  // Begins with all columns, the key and the partitioning of `table`; the new name ends in `suffix` ("orders_by_seller").
  Redesign(const Facts& facts, const TableFacts& table, std::string_view suffix);

  // A new column that clients need not supply, where extensions are allowed; an ordinary one elsewhere.
  Redesign& AddDerived(std::string name, std::string type, std::string expression);
  Redesign& Add(std::string name, std::string type);
  Redesign& SetType(std::string_view column, std::string type);
  Redesign& Remove(std::string_view column);
  Redesign& SetPartitionKey(std::vector<std::string> columns);
  // Clustering columns, in order; a name that follows "-" is descending.
  Redesign& SetClustering(std::vector<std::string> columns);
  Redesign& FlipClustering();  // All of them the other way round.
  Redesign& SetPartitioning(std::string clause);
  Redesign& SetTimeToLive(int64_t seconds);

  std::vector<std::string> partition_key() const { return partition_key_; }
  std::vector<std::string> clustering() const;  // As SetClustering takes them.
  // A column name like `wanted` that is free.
  std::string FreeColumn(std::string wanted) const;
  const std::string& name() const { return name_; }
  // Whether a table can be made so: key columns exist, are not multi-cell, counters stand by themselves.
  bool possible() const;

  // "CREATE TABLE ks.t_2 (…) WITH …;". Empty if it is not possible.
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

}  // namespace widerow::advise
