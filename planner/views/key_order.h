// Answers to IN on a partition key are sorted by its columns. In a view, a partition key column sorts in descending
// order if it is a descending clustering column of the base table.
#pragma once

#include "types/schema.h"

namespace widerow {

// Returns a loaded schema in which all views have the order described above, also views that were stored without it.
SchemaPtr WithOrderedViewKeys(const SchemaPtr& loaded);

}  // namespace widerow
