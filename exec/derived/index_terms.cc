#include "exec/derived/index_terms.h"

#include <algorithm>

#include "planner/analyzed.h"
#include "types/order_codec.h"
#include "types/text_form.h"

namespace widerow {

IndexTerms::IndexTerms(const ColumnSchema& column, const IndexSchema& index)
    : target_(index.target), type_(column.type) {
  const Type& type = *column.type;
  multi_cell_ = type.is_multi_cell() && type.is_collection();
  const auto is_text = [](const Type& of) { return of.kind == TypeKind::kText || of.kind == TypeKind::kAscii; };
  if (!multi_cell_ && index.kind != IndexKind::kComposites && is_text(type))
    analysis_ = TextAnalysis::FromOptions(index.options);
  analyzer_ = multi_cell_ ? nullptr : WordsOf(index, column);
  if (!multi_cell_) return;
  key_type_ = type.arguments.front();
  type_ = target_ == IndexTarget::kKeys ? type.arguments.front() : type.arguments.back();
  value_is_path_ = target_ == IndexTarget::kKeys || type.kind == TypeKind::kSet;
}

void IndexTerms::OfCell(const CellView& cell, std::vector<Bytes>& terms) const {
  if (!multi_cell_) return OfValue(cell.value, terms);
  if (target_ == IndexTarget::kEntries) {
    terms.push_back(OfEntry(cell.path, cell.value));
  } else {
    OfValue(value_is_path_ ? cell.path : cell.value, terms);
  }
}

void IndexTerms::OfValue(ByteView value, std::vector<Bytes>& terms) const {
  if (analyzer_ != nullptr) {
    OfText(value, terms);
  } else if (analysis_.any()) {
    AppendComparable(*type_, false, analysis_.Apply(value), terms.emplace_back());
  } else {
    AppendComparable(*type_, false, value, terms.emplace_back());
  }
}

size_t IndexTerms::OfText(ByteView text, std::vector<Bytes>& terms) const {
  std::vector<Bytes> words = analyzer_->Words(text);
  const size_t length = words.size();
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (const Bytes& word : words) terms.push_back(OfWord(word));
  return length;
}

Bytes IndexTerms::FirstWithPrefix(ByteView prefix) const {
  Bytes term;
  AppendComparable(*type_, false, prefix, term);
  term.resize(term.size() - 2);  // Without the end mark, so that it is a prefix of longer texts' terms.
  return term;
}

Bytes IndexTerms::OfWord(ByteView word) const {
  Bytes term;
  AppendComparable(*type_, false, word, term);
  return term;
}

std::string IndexTerms::TextOf(ByteView term) const {
  const auto take = [&](const Type& type) {
    const Result<Value> value = TakeComparable(type, false, term);
    return value.ok() && *value ? FormatLiteral(type, **value) : "0x" + ToHex(term);
  };
  if (target_ != IndexTarget::kEntries) return take(*type_);
  const std::string key = take(*key_type_);
  return key + ": " + take(*type_);
}

Bytes IndexTerms::OfEntry(ByteView key, ByteView value) const {
  Bytes term;
  AppendComparable(*key_type_, false, key, term);
  AppendComparable(*type_, false, value, term);
  return term;
}

}  // namespace widerow
