// Converts the descriptors of tables and families.
#pragma once

#include "net/hbase/proto/common.pb.h"
#include "net/hbase/store/admin.h"

namespace widerow::hbase {

TableDescriptor DescriptorOf(const ::hbase::pb::TableSchema& schema);
FamilyDescriptor DescriptorOf(const ::hbase::pb::ColumnFamilySchema& family);
// Families have HBase's usual attributes too, where no client has set others.
void SetTableSchema(const HTable& table, ::hbase::pb::TableSchema& schema);

}  // namespace widerow::hbase
