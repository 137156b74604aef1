// system_views.purges: the work of the sweeper (storage/fold/purge.h) in each stored table, and the number of records
// that the sweeper knows and has not yet removed. Each index has a row too, because its entries are stored as a table.
#include "exec/virtual/generators.h"
#include "storage/statistics.h"
#include "types/schema_difference.h"

namespace widerow {

void PurgesRows(const VirtualContext& context, VirtualRows& rows) {
  ForEachStoredTable(*context.schema, [&](const TablePtr& table) {
    const PurgeStatistics purges = context.storage.Purges(*table);
    const auto count = [&](const char* column, uint64_t number) { rows.Integer(column, static_cast<int64_t>(number)); };
    rows.Add().Text("keyspace_name", table->keyspace).Text("table_name", table->name);
    rows.Integer("gc_grace_seconds", table->options.gc_grace_seconds);
    if (purges.oldest_seconds.has_value()) {
      rows.Integer("oldest", *purges.oldest_seconds * 1'000);
      rows.Integer("oldest_due", (*purges.oldest_seconds + table->options.gc_grace_seconds) * 1'000);
    }
    if (purges.last_seconds != 0) rows.Integer("last_end", purges.last_seconds * 1'000);
    count("walks", purges.walks);
    count("partition_visits", purges.partition_visits);
    count("partitions_waiting", purges.partitions_waiting);
    count("records_waiting", purges.records_waiting);
    count("records_examined", purges.records_examined);
    count("records_purged", purges.records_purged);
    count("records_held_back", purges.records_held_back);
    count("bytes_purged", purges.bytes_purged);
  });
}

}  // namespace widerow
