// HBase's operations over HTTP: /v1/hbase/TABLE/ROW/COLUMN (docs/reference/hbase.md). Thread-safe.
#pragma once

#include <memory>

#include "net/hbase/store/row_writer.h"
#include "net/http/request.h"

namespace widerow::hbase {

// Borrows both arguments.
std::unique_ptr<HttpExtension> MakeHttpExtension(Catalog& catalog, RowWriter& rows);

}  // namespace widerow::hbase
