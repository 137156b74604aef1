// system_views.heat and the other tables about the heat of tables (exec/heat).
#include <algorithm>

#include "exec/heat/heat_key.h"
#include "exec/heat/heat_map.h"
#include "exec/heat/heat_picture.h"
#include "exec/virtual/generators.h"

namespace widerow {
namespace {

constexpr int64_t kShapeSeconds = 3'600;

// Calls `each` for the stored tables that are wanted.
template <typename Each>  // void(const TableSchema&)
void EachTable(const VirtualContext& context, const Each& each) {
  for (const auto& [keyspace_name, keyspace] : context.schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (!IsVirtual(*table) && context.WantsTable(*table)) each(*table);
    }
  }
}

VirtualRows& AddRow(const TableSchema& table, VirtualRows& rows) {
  return rows.Add().Text("keyspace_name", table.keyspace).Text("table_name", table.name);
}

void Number(const char* column, uint64_t number, VirtualRows& rows) {
  rows.Integer(column, static_cast<int64_t>(number));
}

void Counts(const HeatCell& cell, uint64_t reads_error, uint64_t writes_error, VirtualRows& rows) {
  Number("bytes", cell.bytes, rows);
  Number("micros", cell.micros, rows);
  Number("reads", cell.reads, rows);
  Number("reads_error", reads_error, rows);
  Number("writes", cell.writes, rows);
  Number("writes_error", writes_error, rows);
}

void Counts(const HeatCell& cell, uint64_t skipped, VirtualRows& rows) {
  Counts(cell, cell.ReadsError(skipped), cell.WritesError(), rows);
}

template <typename Each>  // void(const HeatPicture&)
void EachAxis(const TableSchema& table, const VirtualContext& context, int64_t since_seconds, const Each& each) {
  const HeatSnapshot snapshot = context.heat.Snapshot(table);
  for (const HeatAxis axis : {HeatAxis::kKey, HeatAxis::kToken}) {
    if (context.WantsClustering(HeatAxisName(axis))) each(MakeHeatPicture(table, snapshot, axis, since_seconds));
  }
}

}  // namespace

void HeatRows(const VirtualContext& context, VirtualRows& rows) {
  EachTable(context, [&](const TableSchema& table) {
    EachAxis(table, context, 0, [&](const HeatPicture& picture) {
      for (const HeatPicture::Column& column : picture.columns) {
        for (size_t i = 0; i < column.cells.size(); ++i) {
          if (column.cells[i].empty()) continue;
          AddRow(table, rows)
              .Text("axis", HeatAxisName(picture.axis))
              .Integer("slice_start", column.begin_seconds * 1'000)
              .Integer("key_range", static_cast<int64_t>(i))
              .Text("first_key", picture.firsts[i])
              .Integer("seconds", column.seconds);
          Counts(column.cells[i], column.skipped, rows);
        }
      }
    });
  });
}

void HeatRangesRows(const VirtualContext& context, VirtualRows& rows) {
  EachTable(context, [&](const TableSchema& table) {
    EachAxis(table, context, 0, [&](const HeatPicture& picture) {
      if (picture.columns.empty()) return;
      const std::vector<HeatCell> sums = picture.ByRange();
      for (size_t i = 0; i < sums.size(); ++i) {
        AddRow(table, rows)
            .Text("axis", HeatAxisName(picture.axis))
            .Integer("key_range", static_cast<int64_t>(i))
            .Text("first_key", picture.firsts[i]);
        Counts(sums[i], picture.Skipped(), rows);
      }
    });
  });
}

void HeatShapesRows(const VirtualContext& context, VirtualRows& rows) {
  const int64_t since = context.storage.clock().NowSeconds() - kShapeSeconds;
  EachTable(context, [&](const TableSchema& table) {
    EachAxis(table, context, since, [&](const HeatPicture& picture) {
      for (const HeatShape& shape : HeatShapesOf(picture)) {
        AddRow(table, rows)
            .Text("axis", HeatAxisName(shape.axis))
            .Text("operation", HeatMetricName(shape.metric))
            .Text("description", shape.words)
            .Text("shape", shape.name)
            .Double("share", shape.share);
        Number("operations", shape.operations, rows);
        Number("operations_error", shape.operations_error, rows);
      }
    });
  });
}

void BusyPartitionsRows(const VirtualContext& context, VirtualRows& rows) {
  EachTable(context, [&](const TableSchema& table) {
    const HeatSnapshot snapshot = context.heat.Snapshot(table);
    const auto all = static_cast<double>(std::max<uint64_t>(snapshot.busy_operations, 1));
    for (size_t i = 0; i < snapshot.busy.size(); ++i) {
      const BusyPartition& busy = snapshot.busy[i];
      AddRow(table, rows)
          .Integer("rank", static_cast<int64_t>(i) + 1)
          .Text("partition_key", PartitionKeyText(table, busy.key))
          .Double("share", static_cast<double>(busy.operations()) / all)
          .Integer("seconds", snapshot.busy_seconds);
      Counts(busy.done, busy.ReadsError(snapshot.busy_skipped), busy.WritesError(), rows);
    }
  });
}

void HotPartitionsRows(const VirtualContext& context, VirtualRows& rows) {
  EachTable(context, [&](const TableSchema& table) {
    for (const HotPartition& hot : context.heat.Snapshot(table).hot) {
      AddRow(table, rows)
          .Text("partition_key", PartitionKeyText(table, hot.key))
          .Integer("at", hot.at_seconds * 1'000)
          .Double("reads_a_second", hot.reads_a_second)
          .Double("reads_error", hot.reads_error)
          .Double("writes_a_second", hot.writes_a_second)
          .Double("writes_error", hot.writes_error);
    }
  });
}

void LargePartitionsRows(const VirtualContext& context, VirtualRows& rows) {
  constexpr size_t kListed = 100;
  EachTable(context, [&](const TableSchema& table) {
    const std::vector<PartitionSize> sizes = context.storage.LargestPartitions(table);
    for (size_t i = 0; i < std::min(sizes.size(), kListed); ++i) {
      AddRow(table, rows)
          .Integer("rank", static_cast<int64_t>(i) + 1)
          .Integer("bytes", sizes[i].bytes)
          .Text("partition_key", PartitionKeyText(table, sizes[i].partition_key))
          .Integer("rows", sizes[i].rows);
    }
  });
}

}  // namespace widerow
