// Converts values to the terms of an index's entries, and a condition's value to the terms to look up. A term is an
// indexed value, or a word of it, in stored form. Both conversions use the same rules, so a look-up finds what was
// written.
#pragma once

#include "storage/row.h"
#include "types/analyzer_options.h"
#include "types/schema.h"
#include "types/text_analysis.h"

namespace widerow {

class IndexTerms {
 public:
  // Keeps no reference to the arguments.
  IndexTerms(const ColumnSchema& column, const IndexSchema& index);

  // OfCell appends the terms of one cell of the column; OfValue appends the terms of a whole value. A value has one
  // term or, in an index of words, one term for each different word.
  void OfCell(const CellView& cell, std::vector<Bytes>& terms) const;
  void OfValue(ByteView value, std::vector<Bytes>& terms) const;
  // Appends the terms of the words of a text. Returns the number of words; a repeated word counts each time. May be
  // called only if there is an analyzer.
  size_t OfText(ByteView text, std::vector<Bytes>& terms) const;
  // Returns `first`, the common beginning of the terms of all texts that begin with `prefix`. These terms are the range
  // [first, ByteSuccessor(first)).
  Bytes FirstWithPrefix(ByteView prefix) const;
  // Returns the term of a word. analyzer() divides texts into words; it is nullptr if a text is one term.
  Bytes OfWord(ByteView word) const;
  // Returns the term of the entries that have the lengths of texts. It is the term of the empty word, which no text
  // has.
  Bytes OfLengths() const { return OfWord({}); }
  const AnalyzerPtr& analyzer() const { return analyzer_; }
  // Returns the term of a map's entry.
  Bytes OfEntry(ByteView key, ByteView value) const;

  // Returns the value of a term as CQL text: "'x'", or "'k': 1" for a map's entry.
  std::string TextOf(ByteView term) const;

  // Returns the type of the indexed values: the column's type, or that of its keys or elements. For an index of map
  // entries, returns the type of the map's values.
  const Type& type() const { return *type_; }

 private:
  const IndexTarget target_;
  TextAnalysis analysis_;
  AnalyzerPtr analyzer_;
  TypePtr type_, key_type_;
  bool multi_cell_ = false;
  bool value_is_path_ = false;  // The index is of map keys or set elements, which are paths of cells.
};

}  // namespace widerow
