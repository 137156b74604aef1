// The order of IN on a view's partition key: descending for columns that are descending clustering columns of the base
// table.
#pragma once

#include "types/schema.h"

namespace widerow {

// Returns a loaded schema in which all views have the order described above, also views that were stored without it.
SchemaPtr WithOrderedViewKeys(const SchemaPtr& loaded);

}  // namespace widerow
