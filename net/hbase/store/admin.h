// Creates, changes and removes tables and namespaces for HBase's clients, by statements of CQL. The engine checks the
// caller's permissions for these statements. CQL has no statements to enable or disable a table, or to set the
// attributes of tables and families. These operations need ALTER on the tables of the families. Thread-safe.
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

  // Creates a table that is partitioned by RANGE (k), at the split keys.
  Status Create(const Caller& caller, const TableDescriptor& table, std::vector<Bytes> split_keys);
  // Delete and Truncate need a disabled table, as in HBase.
  Status Delete(const Caller& caller, const TableId& id);
  Status Truncate(const Caller& caller, const TableId& id);
  Status SetDisabled(const Caller& caller, const TableId& id, bool disabled);
  // Adds and removes families, and sets the attributes of the table and of all families.
  Status Modify(const Caller& caller, const TableDescriptor& table);
  Status AddFamily(const Caller& caller, const TableId& id, const FamilyDescriptor& family);
  Status ModifyFamily(const Caller& caller, const TableId& id, const FamilyDescriptor& family);
  Status DeleteFamily(const Caller& caller, const TableId& id, ByteView family);

  Status CreateNamespace(const Caller& caller, const std::string& name);
  Status DeleteNamespace(const Caller& caller, const std::string& name);
  Status CheckNamespace(const std::string& name) const;

 private:
  // These functions fail if the caller may not alter or drop a family.
  Status CheckAlter(const Caller& caller, const HTable& table, const HFamily& family) const;
  Status CheckAlterAll(const Caller& caller, const HTable& table) const;
  Status CheckDrop(const Caller& caller, const HTable& table, const HFamily& family) const;
  Status CreateFamily(const Caller& caller, const TableId& id, const FamilyDescriptor& family,
                      const std::string& partition_by);
  Status DropFamily(const Caller& caller, const HTable& table, const HFamily& family);

  Catalog& catalog_;
};

}  // namespace widerow::hbase
