// Schemas of virtual tables, a column a line. Regular columns must be given in name order, as SELECT * shows them.
#pragma once

#include <string>

#include "exec/virtual/virtual_tables.h"

namespace widerow {

class VirtualTableBuilder {
 public:
  VirtualTableBuilder(std::string keyspace, std::string name, std::string comment);
  VirtualTableBuilder& PartitionKey(std::string name, TypeKind type);
  VirtualTableBuilder& Clustering(std::string name, TypeKind type);
  VirtualTableBuilder& Regular(std::string name, TypeKind type) { return Regular(std::move(name), ScalarType(type)); }
  VirtualTableBuilder& Regular(std::string name, TypePtr type);
  TablePtr Build();

 private:
  void Add(std::string name, TypePtr type, ColumnKind kind, uint32_t position);
  TableSchema table_;
};

}  // namespace widerow
