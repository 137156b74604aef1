// HBase's comparators. A comparator has a value. A filter compares row keys, families, qualifiers or cell values with
// it.
#pragma once

#include <memory>

#include "base/result.h"
#include "net/hbase/cells/cell.h"

namespace widerow::hbase {

enum class CompareOp : uint8_t { kLess, kLessOrEqual, kEqual, kNotEqual, kGreaterOrEqual, kGreater, kNoOp };

class Comparator {
 public:
  virtual ~Comparator() = default;
  // Returns the order of the comparator's value and `value`: negative, 0 or positive. Comparators that only match
  // return 0 for a match and 1 otherwise.
  virtual int Compare(ByteView value) const = 0;
  // The comparator's value; empty if it has none.
  virtual ByteView value() const { return {}; }
};
using ComparatorPtr = std::unique_ptr<Comparator>;

// True if a filter with this operator excludes a value for which Compare has returned `order`.
bool Excludes(CompareOp op, int order);

enum class BitOp : uint8_t { kAnd, kOr, kXor };

ComparatorPtr MakeBinaryComparator(Bytes value);
ComparatorPtr MakeBinaryPrefixComparator(Bytes value);
ComparatorPtr MakeBinaryComponentComparator(Bytes value, uint32_t offset);
ComparatorPtr MakeBitComparator(Bytes value, BitOp op);
ComparatorPtr MakeLongComparator(Bytes value);
ComparatorPtr MakeNullComparator();
// `value`: a scale (4 bytes) and the bytes of the unscaled integer, as in CQL's decimal.
ComparatorPtr MakeBigDecimalComparator(Bytes value);
ComparatorPtr MakeSubstringComparator(const Bytes& text);
// `flags` are those of java.util.regex.Pattern. Fails if the expression or the character set is not supported.
Result<ComparatorPtr> MakeRegexComparator(const Bytes& pattern, int flags, const Bytes& charset);

}  // namespace widerow::hbase
