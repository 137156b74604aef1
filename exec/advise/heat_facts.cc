#include "exec/advise/heat_facts.h"

#include "exec/heat/heat_key.h"
#include "exec/heat/heat_picture.h"

namespace widerow {

advise::HeatFacts HeatFactsOf(HeatMap& heat, const TableSchema& table) {
  advise::HeatFacts facts;
  const HeatSnapshot snapshot = heat.Snapshot(table);
  for (const HeatShape& shape : HeatShapesOf(MakeHeatPicture(table, snapshot, HeatAxis::kKey, 0))) {
    facts.shapes.push_back({.of_writes = shape.metric == HeatMetric::kWrites,
                            .shape = shape.name,
                            .share = shape.share,
                            .operations = shape.operations,
                            .words = shape.words});
  }
  for (const HotPartition& hot : snapshot.hot) {
    facts.hot.push_back({.key = PartitionKeyText(table, hot.key),
                         .reads_a_second = hot.reads_a_second,
                         .writes_a_second = hot.writes_a_second,
                         .reads_error = hot.reads_error,
                         .writes_error = hot.writes_error});
  }
  return facts;
}

}  // namespace widerow
