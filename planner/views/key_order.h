// A view whose partition key has a descending clustering column of its table answers IN on it in descending order.
#pragma once

#include "types/schema.h"

namespace widerow {

// The schema as it was loaded, with that order in the views that were made before it was kept with them.
SchemaPtr WithOrderedViewKeys(const SchemaPtr& loaded);

}  // namespace widerow
