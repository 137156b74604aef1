// HBase's operations over HTTP: /v1/hbase/TABLE/ROW/COLUMN (docs/reference/hbase.md). Thread-safe.
#pragma once

#include <memory>

#include "net/hbase/service/services.h"
#include "net/http/request.h"

namespace widerow::hbase {

// Borrows the argument.
std::unique_ptr<HttpExtension> MakeHttpExtension(Services& services);

}  // namespace widerow::hbase
