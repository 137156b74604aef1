#include "net/hbase/service/descriptors.h"

namespace widerow::hbase {

namespace {

namespace pb = ::hbase::pb;

// The attributes that HBase shows for each family.
const Attributes& UsualAttributes() {
  static const Attributes usual = {
      {"BLOCKCACHE", "true"},
      {"BLOCKSIZE", "65536"},
      {"BLOOMFILTER", "ROW"},
      {"COMPRESSION", "NONE"},
      {"DATA_BLOCK_ENCODING", "NONE"},
      {"IN_MEMORY", "false"},
      {"KEEP_DELETED_CELLS", "FALSE"},
      {"MIN_VERSIONS", "0"},
      {"REPLICATION_SCOPE", "0"},
      {"TTL", "2147483647"},
      {"VERSIONS", "1"},
  };
  return usual;
}

constexpr const char* kConfiguration = "configuration:";  // The prefix of attributes that are configuration entries.

}  // namespace

FamilyDescriptor DescriptorOf(const pb::ColumnFamilySchema& family) {
  FamilyDescriptor made{.name = family.name(), .attributes = {}};
  for (const pb::BytesBytesPair& pair : family.attributes()) made.attributes[pair.first()] = pair.second();
  for (const pb::NameStringPair& pair : family.configuration()) {
    made.attributes[kConfiguration + pair.name()] = pair.value();
  }
  return made;
}

TableDescriptor DescriptorOf(const pb::TableSchema& schema) {
  TableDescriptor made;
  made.id = {.space = schema.table_name().namespace_(), .name = schema.table_name().qualifier()};
  for (const pb::BytesBytesPair& pair : schema.attributes()) made.attributes[pair.first()] = pair.second();
  for (const pb::NameStringPair& pair : schema.configuration()) {
    made.attributes[kConfiguration + pair.name()] = pair.value();
  }
  for (const pb::ColumnFamilySchema& family : schema.column_families()) made.families.push_back(DescriptorOf(family));
  return made;
}

namespace {

template <typename Message>
void SetAttributes(const Attributes& attributes, Message& message) {
  for (const auto& [name, value] : attributes) {
    if (name.starts_with(kConfiguration)) {
      pb::NameStringPair& pair = *message.add_configuration();
      pair.set_name(name.substr(std::string_view(kConfiguration).size()));
      pair.set_value(value);
    } else {
      pb::BytesBytesPair& pair = *message.add_attributes();
      pair.set_first(name);
      pair.set_second(value);
    }
  }
}

}  // namespace

void SetTableSchema(const HTable& table, pb::TableSchema& schema) {
  schema.mutable_table_name()->set_namespace_(table.id.space);
  schema.mutable_table_name()->set_qualifier(table.id.name);
  SetAttributes(table.attributes, schema);
  for (const HFamily& from : table.families) {
    pb::ColumnFamilySchema& family = *schema.add_column_families();
    family.set_name(from.name);
    Attributes attributes = from.attributes;
    attributes.insert(UsualAttributes().begin(), UsualAttributes().end());
    SetAttributes(attributes, family);
  }
}

}  // namespace widerow::hbase
