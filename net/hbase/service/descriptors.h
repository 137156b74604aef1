// Converts the descriptors of tables and families.
#pragma once

#include "net/hbase/proto/common.pb.h"
#include "net/hbase/store/admin.h"

namespace widerow::hbase {

TableDescriptor DescriptorOf(const ::hbase::pb::TableSchema& schema);
FamilyDescriptor DescriptorOf(const ::hbase::pb::ColumnFamilySchema& family);
// Each family gets the attributes that clients have set. HBase shows some attributes for every family. If clients have
// not set such an attribute, the family gets HBase's default.
void SetTableSchema(const HTable& table, ::hbase::pb::TableSchema& schema);

}  // namespace widerow::hbase
