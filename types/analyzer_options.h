// Reads the analyzer of an index from its options: those of Cassandra's SASI indexes (analyzer_class, tokenization_…,
// delimiter) and the option index_analyzer of storage-attached indexes. Pure functions, any thread.
#pragma once

#include <map>
#include <memory>

#include "base/result.h"
#include "types/text_analyzer.h"

namespace widerow {

using AnalyzerPtr = std::shared_ptr<const TextAnalyzer>;  // nullptr: texts are not divided.

// Returns the analyzer of an index on a text column; nullptr if the index stores whole values. `options` include
// class_name. Fails if an option has a value that the analyzer does not take. The error has no `range`.
Result<AnalyzerPtr> ReadAnalyzer(const std::map<std::string, std::string>& options);

// Like ReadAnalyzer, for the options of an existing index, which have been checked.
AnalyzerPtr AnalyzerOf(const std::map<std::string, std::string>& options);

}  // namespace widerow
