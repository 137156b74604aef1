// Creates, changes and removes tables and namespaces for HBase's clients, by statements of CQL. Thread-safe.
#pragma once

#include "net/hbase/store/catalog.h"

namespace widerow::hbase {

struct FamilyDescriptor {
  Bytes name;
  Attributes attributes;
};
struct TableDescriptor {
  TableId id;
  Attributes attributes;
  std::vector<FamilyDescriptor> families;
};

class Admin {
 public:
  explicit Admin(Catalog& catalog) : catalog_(catalog) {}

  // The table is partitioned by RANGE (k), at the split keys.
  Status Create(const TableDescriptor& table, std::vector<Bytes> split_keys);
  // Delete and Truncate need a disabled table, as in HBase.
  Status Delete(const TableId& id);
  Status Truncate(const TableId& id);
  Status SetDisabled(const TableId& id, bool disabled);
  // Adds and removes families, and sets the attributes of all.
  Status Modify(const TableDescriptor& table);
  Status AddFamily(const TableId& id, const FamilyDescriptor& family);
  Status ModifyFamily(const TableId& id, const FamilyDescriptor& family);
  Status DeleteFamily(const TableId& id, ByteView family);

  Status CreateNamespace(const std::string& name);
  Status DeleteNamespace(const std::string& name);
  Status CheckNamespace(const std::string& name) const;

 private:
  Status CreateFamily(const TableId& id, const FamilyDescriptor& family, const std::string& partition_by);
  Status DropFamily(const HTable& table, const HFamily& family);

  Catalog& catalog_;
};

}  // namespace widerow::hbase
