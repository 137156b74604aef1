#include "base/text.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/store/meta_table.h"
#include "net/hbase/thrift/thrift_handler.h"

namespace widerow::hbase {

namespace {

hbase::Attributes AttributesOf(const thrift::ColumnDescriptor& family) {
  hbase::Attributes attributes = {{"VERSIONS", std::to_string(family.maxVersions)},
                                  {"COMPRESSION", family.compression},
                                  {"IN_MEMORY", family.inMemory ? "true" : "false"},
                                  {"BLOOMFILTER", family.bloomFilterType},
                                  {"BLOCKCACHE", family.blockCacheEnabled ? "true" : "false"}};
  if (family.timeToLive > 0) attributes["TTL"] = std::to_string(family.timeToLive);
  return attributes;
}

}  // namespace

void ThriftHandler::enableTable(const std::string& table) {
  OrThrow(admin_.SetDisabled(Caller(), TableId::Parse(table), false));
}
void ThriftHandler::disableTable(const std::string& table) {
  OrThrow(admin_.SetDisabled(Caller(), TableId::Parse(table), true));
}

bool ThriftHandler::isTableEnabled(const std::string& table) {
  return !OrThrow(catalog_.Find(TableId::Parse(table)))->disabled;
}

// There is nothing to compact: the storage removes old data by itself.
void ThriftHandler::compact(const std::string&) { ThrowIoError(NotSupported("compact")); }
void ThriftHandler::majorCompact(const std::string&) { ThrowIoError(NotSupported("majorCompact")); }

void ThriftHandler::getTableNames(std::vector<std::string>& names) {
  for (const HTablePtr& table : OrThrow(catalog_.All())) names.push_back(table->id.Text());
}

void ThriftHandler::getColumnDescriptors(std::map<std::string, thrift::ColumnDescriptor>& families,
                                         const std::string& table) {
  for (const HFamily& family : OrThrow(catalog_.Find(TableId::Parse(table)))->families) {
    thrift::ColumnDescriptor& made = families[family.name + ':'];
    made.__set_name(family.name + ':');
    made.__set_maxVersions(family.options.max_versions);
    made.__set_timeToLive(static_cast<int32_t>(family.options.ttl_seconds));
    const auto attribute = [&](const char* name, const std::string& otherwise) {
      const auto found = family.attributes.find(name);
      return found == family.attributes.end() ? otherwise : found->second;
    };
    made.__set_compression(attribute("COMPRESSION", "NONE"));
    made.__set_bloomFilterType(attribute("BLOOMFILTER", "ROW"));
    made.__set_inMemory(attribute("IN_MEMORY", "false") == "true");
    made.__set_blockCacheEnabled(attribute("BLOCKCACHE", "true") == "true");
  }
}

void ThriftHandler::getTableRegions(std::vector<thrift::TRegionInfo>& regions, const std::string& table) {
  for (const Region& region : RegionsOf(*OrThrow(catalog_.Find(TableId::Parse(table))))) {
    thrift::TRegionInfo& made = regions.emplace_back();
    made.__set_startKey(region.start);
    made.__set_endKey(region.end);
    made.__set_id(static_cast<int64_t>(region.id));
    made.__set_name(region.Name());
    made.__set_version(1);
    made.__set_serverName(services_.address().host);
    made.__set_port(services_.address().port);
  }
}

void ThriftHandler::createTable(const std::string& table, const std::vector<thrift::ColumnDescriptor>& families) {
  TableDescriptor descriptor{.id = TableId::Parse(table), .attributes = {}, .families = {}};
  for (const thrift::ColumnDescriptor& family : families) {
    Bytes name, qualifier;
    SplitColumn(family.name, name, qualifier);
    descriptor.families.push_back({.name = name, .attributes = AttributesOf(family)});
  }
  if (catalog_.Find(descriptor.id).ok()) {
    thrift::AlreadyExists exists;
    exists.__set_message("table name already in use");
    throw exists;
  }
  OrThrow(admin_.Create(Caller(), descriptor, {}));
}

void ThriftHandler::deleteTable(const std::string& table) { OrThrow(admin_.Delete(Caller(), TableId::Parse(table))); }

}  // namespace widerow::hbase
