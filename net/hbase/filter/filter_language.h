// The filter language of HBase's shell and Thrift server, for example
//   PrefixFilter ('row') AND (ValueFilter (>, 'binary:5') OR FirstKeyOnlyFilter ())
// A quote in a string is written twice. AND binds more closely than OR; SKIP and WHILE stand before a filter.
#pragma once

#include "base/result.h"
#include "net/hbase/filter/filter.h"

namespace widerow::hbase {

// Fails with the name of an unknown filter, or with the place of a syntax error.
Result<FilterPtr> ParseFilterText(std::string_view text);

}  // namespace widerow::hbase
