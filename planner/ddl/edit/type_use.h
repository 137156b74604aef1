// Finds out whether a type contains a given UDT, a duration or a long blob. After a UDT was altered, puts its new form
// into all types that contain it.
#pragma once

#include "types/schema.h"

namespace widerow::ddl {

// True if the type is, or contains, the UDT `udt` of `keyspace`.
bool UsesUdt(const Type& type, const std::string& keyspace, const std::string& udt);
bool UsesDuration(const Type& type);
// True if the type contains a longblob, or a varbinary longer than a key may be.
bool UsesLongBlob(const Type& type);
// Returns `type` with `udt` in place of each UDT of the same name; the same pointer if there is none. Frozen UDTs stay
// frozen.
TypePtr ReplaceUdt(const TypePtr& type, const Type& udt);
// Puts `udt` in place of the UDT of the same name in all types and tables of the keyspace. Tables that do not use the
// UDT keep their pointer.
void ReplaceUdt(KeyspaceSchema& keyspace, const Type& udt);
// Returns `type` with UDTs as tuples. A dropped column's type is kept in this form, because the UDT may be dropped
// later.
TypePtr ExpandUdts(const TypePtr& type);

}  // namespace widerow::ddl
