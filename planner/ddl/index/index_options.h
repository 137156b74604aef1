// Reads the clauses USING and WITH OPTIONS of CREATE INDEX, which give the kind of the index and its options.
#pragma once

#include "planner/ddl/edit/properties.h"
#include "types/schema.h"

namespace widerow::ddl {

struct IndexClass {
  IndexKind kind = IndexKind::kComposites;
  bool custom = false;
  std::map<std::string, std::string> options;  // The options of a custom index, with class_name as written.
};

// Makes the checks that need no schema: "Cannot specify options for a non-CUSTOM index" and similar sentences.
Status CheckIndexAttributes(const CreateIndexStatement& statement, const Properties& properties);
// Returns the class that USING names. Fails with "Unable to find custom indexer class 'x'".
Result<IndexClass> ReadIndexClass(const CreateIndexStatement& statement);
// Refuses options that this kind of index does not have: "Properties specified [x] are not understood by
// StorageAttachedIndex". `extended`: the dialect has index_analyzer.
Status CheckOptionNames(IndexKind kind, const std::map<std::string, std::string>& options, bool extended,
                        SourceRange range);
// Checks the rules of the index's class. A storage-attached index needs known options, a type that can be indexed, and
// no other such index on the same target; but an index of words may stand beside one of whole texts. The checks of a
// SASI index are about its column, analyzer and mode. `extended`: the dialect has Widerow's extensions.
Status CheckIndexClass(const CreateIndexStatement& statement, const IndexSchema& index, const TableSchema& table,
                       bool extended);

}  // namespace widerow::ddl
