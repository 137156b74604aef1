// The synthetic table hbase:meta, in which HBase's clients find the regions of tables. All regions are on this server.
// A table with PARTITION BY RANGE has one region for each of its partitions. Any other table has a single region. The
// server answers a request for any region of a table, whatever its bounds, so clients may have old bounds.
#pragma once

#include "net/hbase/store/catalog.h"
#include "net/hbase/store/row_source.h"

namespace widerow::hbase {

struct Region {
  TableId table;
  uint64_t id = 1;
  Bytes start, end;  // Empty: no bound.

  // Returns the region's name, which has the form "table,start,id.encoded.".
  Bytes Name() const;
};

// Returns the regions of a table in order.
std::vector<Region> RegionsOf(const HTable& table);
// Returns the region of hbase:meta itself.
Region MetaRegion();
// Finds the table in the name of a region. nullopt if the name has another form.
std::optional<TableId> TableOfRegion(ByteView region_name);
// Compares two row keys of hbase:meta: by table, then by start key, then by id.
int CompareMetaRows(ByteView a, ByteView b);

// Rows of hbase:meta. Each has cells of the family `info` or of the family `table`.
using MetaRows = std::vector<RowCells>;
// Makes a source that returns the given rows, in the order of CompareMetaRows.
std::unique_ptr<RowSource> MakeMetaSource(MetaRows rows, const std::vector<ReadFamily>& families);
// Returns the table hbase:meta.
HTablePtr MetaTable();

}  // namespace widerow::hbase
