// Reads the clauses of CREATE INDEX that give the kind of the index and its options: USING, WITH OPTIONS, and the words
// UNIQUE, LOCAL and GLOBAL.
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
// Puts the words UNIQUE, LOCAL and GLOBAL of the statement into the options of the index (types/index_words.h). Refuses
// those that an index of this kind, or on this column, cannot have.
Status ReadIndexWords(const CreateIndexStatement& statement, const TableSchema& table, IndexSchema& index);
// Refuses options that this kind of index does not have: "Properties specified [x] are not understood by
// StorageAttachedIndex". `extended`: the dialect has index_analyzer.
Status CheckOptionNames(IndexKind kind, const std::map<std::string, std::string>& options, bool extended,
                        SourceRange range);
// Checks the rules of the index's class. A storage-attached index needs known options and a type that can be indexed.
// The same target may have one such index of words and one of whole values, but not two of the same kind. The checks of
// a SASI index are about its column, analyzer and mode. `extended`: the dialect has Widerow's extensions.
Status CheckIndexClass(const CreateIndexStatement& statement, const IndexSchema& index, const TableSchema& table,
                       bool extended);

}  // namespace widerow::ddl
