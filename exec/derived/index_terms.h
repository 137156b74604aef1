// From values to the terms that an index has entries for, and from a condition's value to the terms that it looks up: the same
// rules for both, so that what is written is what is found.
#pragma once

#include "storage/row.h"
#include "types/schema.h"
#include "types/text_analysis.h"

namespace widerow {

class IndexTerms {
 public:
  // Borrows nothing.
  IndexTerms(const ColumnSchema& column, const IndexSchema& index);

  // Appends the terms of a cell of the column; of a value of it as a whole.
  void OfCell(const CellView& cell, std::vector<Bytes>& terms) const;
  void OfValue(ByteView value, std::vector<Bytes>& terms) const;
  // The terms that begin with these bytes, of text: [first, ByteSuccessor(first)).
  Bytes FirstWithPrefix(ByteView prefix) const;
  // The term of a map's entry.
  Bytes OfEntry(ByteView key, ByteView value) const;

  // What is indexed of the column: it, or its keys, or its elements. Of entries the type of a map's value.
  const Type& type() const { return *type_; }

 private:
  const IndexTarget target_;
  TextAnalysis analysis_;
  TypePtr type_, key_type_;
  bool multi_cell_ = false;
  bool value_is_path_ = false;  // What is indexed of a cell is its path: keys, elements of sets.
};

}  // namespace widerow
