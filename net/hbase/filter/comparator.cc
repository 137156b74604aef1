#include "net/hbase/filter/comparator.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "net/hbase/filter/filter.h"
#include "types/compare.h"

namespace widerow::hbase {

namespace {

class BinaryComparator : public Comparator {
 public:
  explicit BinaryComparator(Bytes value) : value_(std::move(value)) {}
  int Compare(ByteView value) const override { return CompareBytes(value_, value); }
  ByteView value() const override { return value_; }

 protected:
  const Bytes value_;
};

class BinaryPrefixComparator final : public BinaryComparator {
 public:
  using BinaryComparator::BinaryComparator;
  int Compare(ByteView value) const override { return CompareBytes(value_, value.substr(0, value_.size())); }
};

class BinaryComponentComparator final : public BinaryComparator {
 public:
  BinaryComponentComparator(Bytes value, uint32_t offset) : BinaryComparator(std::move(value)), offset_(offset) {}
  int Compare(ByteView value) const override {
    return CompareBytes(value_, value.substr(std::min<size_t>(offset_, value.size()), value_.size()));
  }

 private:
  const uint32_t offset_;
};

class BitComparator final : public BinaryComparator {
 public:
  BitComparator(Bytes value, BitOp op) : BinaryComparator(std::move(value)), op_(op) {}
  int Compare(ByteView value) const override {
    if (value.size() != value_.size()) return 1;
    for (size_t i = 0; i < value.size(); ++i) {
      if (Combine(value_[i], value[i]) != 0) return 0;
    }
    return 1;
  }

 private:
  char Combine(char a, char b) const {
    switch (op_) {
      case BitOp::kAnd: return static_cast<char>(a & b);
      case BitOp::kOr: return static_cast<char>(a | b);
      case BitOp::kXor: return static_cast<char>(a ^ b);
    }
    return 0;
  }

  const BitOp op_;
};

class LongComparator final : public BinaryComparator {
 public:
  using BinaryComparator::BinaryComparator;
  int Compare(ByteView value) const override {
    const int64_t own = Number(value_), other = Number(value);
    return own < other ? -1 : own > other ? 1 : 0;
  }

 private:
  // Returns 0 for a value of fewer than 8 bytes, otherwise the number in the first 8 bytes. For a value of more than 8
  // bytes, HBase does the same if the cell is in its memory, and throws an exception if the cell is in a file.
  static int64_t Number(ByteView bytes) { return bytes.size() >= 8 ? ReadBigEndian<int64_t>(bytes.data()) : 0; }
};

class BigDecimalComparator final : public BinaryComparator {
 public:
  using BinaryComparator::BinaryComparator;
  int Compare(ByteView value) const override {
    constexpr size_t kShortest = 5;
    if (value.size() < kShortest || value_.size() < kShortest) return 1;
    return widerow::Compare(*ScalarType(TypeKind::kDecimal), value_, value);
  }
};

class NullComparator final : public Comparator {
 public:
  int Compare(ByteView) const override { return 1; }
};

Bytes LowerCase(ByteView text) {
  Bytes lower;
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())))
      .toLower(icu::Locale::getRoot())
      .toUTF8String(lower);
  return lower;
}

class SubstringComparator final : public BinaryComparator {
 public:
  explicit SubstringComparator(ByteView text) : BinaryComparator(LowerCase(text)) {}
  int Compare(ByteView value) const override { return LowerCase(value).find(value_) == Bytes::npos ? 1 : 0; }
};

}  // namespace

bool Excludes(CompareOp op, int order) {
  switch (op) {
    case CompareOp::kLess: return order <= 0;
    case CompareOp::kLessOrEqual: return order < 0;
    case CompareOp::kEqual: return order != 0;
    case CompareOp::kNotEqual: return order == 0;
    case CompareOp::kGreaterOrEqual: return order > 0;
    case CompareOp::kGreater: return order >= 0;
    case CompareOp::kNoOp: return true;
  }
  return true;
}

ComparatorPtr MakeBinaryComparator(Bytes value) { return std::make_unique<BinaryComparator>(std::move(value)); }
ComparatorPtr MakeBinaryPrefixComparator(Bytes value) {
  return std::make_unique<BinaryPrefixComparator>(std::move(value));
}
ComparatorPtr MakeBinaryComponentComparator(Bytes value, uint32_t offset) {
  return std::make_unique<BinaryComponentComparator>(std::move(value), offset);
}
ComparatorPtr MakeBitComparator(Bytes value, BitOp op) { return std::make_unique<BitComparator>(std::move(value), op); }
ComparatorPtr MakeLongComparator(Bytes value) { return std::make_unique<LongComparator>(std::move(value)); }
ComparatorPtr MakeBigDecimalComparator(Bytes value) { return std::make_unique<BigDecimalComparator>(std::move(value)); }
ComparatorPtr MakeNullComparator() { return std::make_unique<NullComparator>(); }
ComparatorPtr MakeSubstringComparator(const Bytes& text) { return std::make_unique<SubstringComparator>(text); }

}  // namespace widerow::hbase
