// Types inside types: who refers to a UDT, what refers to durations, and how a changed UDT reaches everything made of
// it.
#pragma once

#include "types/schema.h"

namespace widerow::ddl {

bool UsesUdt(const Type& type, const std::string& keyspace, const std::string& udt);
bool UsesDuration(const Type& type);
// A longblob, or a varbinary longer than a key may be.
bool UsesLongBlob(const Type& type);
// `type` with every use of `udt` replaced; the same pointer if there is none. Frozen uses stay frozen.
TypePtr ReplaceUdt(const TypePtr& type, const Type& udt);
// ReplaceUdt over all types and tables of the keyspace; tables without a use keep their pointer.
void ReplaceUdt(KeyspaceSchema& keyspace, const Type& udt);
// UDTs as tuples: what is kept of a dropped column's type, since the UDT may be dropped later.
TypePtr ExpandUdts(const TypePtr& type);

}  // namespace widerow::ddl
