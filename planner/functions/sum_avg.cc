// The aggregates sum and avg. As in Cassandra, the result has the type of the argument. Sums of integers wrap around,
// and their averages are rounded towards zero. Sums of floats use Kahan's compensation. Averages of decimals are
// updated row by row and rounded half to even. Each kind of number has its own AggregateState class; MakeState chooses
// it.
#include <cmath>
#include <optional>

#include "planner/functions/registry.h"
#include "planner/numbers/big_number.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

BigInteger DivideHalfEven(const BigInteger& number, int64_t divisor) {
  BigInteger quotient = number / divisor;
  const BigInteger twice_rest = abs(BigInteger(number % divisor)) * 2;
  const bool odd = (quotient % 2) != 0;
  if (twice_rest > divisor || (twice_rest == divisor && odd)) quotient += number < 0 ? -1 : 1;
  return quotient;
}

__extension__ using Wide = __int128;

bool IsAbsent(const ValueView& value) { return !value || value->empty(); }

class IntegerSum final : public AggregateState {
 public:
  IntegerSum(TypeKind kind, bool average) : kind_(kind), average_(average) {}
  Status Add(std::span<const ValueView> arguments) override {
    if (IsAbsent(arguments[0])) return OkStatus();
    sum_ += DecodeInteger(*arguments[0]);  // The sum has 128 bits, so it cannot overflow.
    ++count_;
    return OkStatus();
  }
  Result<Value> Finish() override {
    const Wide result = average_ ? (count_ == 0 ? 0 : sum_ / count_) : sum_;
    return Value(EncodeInteger(kind_, static_cast<int64_t>(result)));
  }
  bool merges() const override { return true; }
  void Merge(const AggregateState& later) override {
    sum_ += static_cast<const IntegerSum&>(later).sum_;
    count_ += static_cast<const IntegerSum&>(later).count_;
  }

 private:
  const TypeKind kind_;
  const bool average_;
  Wide sum_ = 0;
  int64_t count_ = 0;
};

class FloatingSum final : public AggregateState {
 public:
  FloatingSum(TypeKind kind, bool average) : kind_(kind), average_(average) {}
  Status Add(std::span<const ValueView> arguments) override {
    if (IsAbsent(arguments[0])) return OkStatus();
    const double value = kind_ == TypeKind::kFloat ? DecodeFloat(*arguments[0]) : DecodeDouble(*arguments[0]);
    ++count_;
    if (std::isnan(value)) not_a_number_ = value;
    plain_ += value;
    wide_ += value;
    const double corrected = value - compensation_;
    const double next = sum_ + corrected;
    compensation_ = (next - sum_) - corrected;
    sum_ = next;
    finite_ = finite_ && std::isfinite(value);
    return OkStatus();
  }
  Result<Value> Finish() override {
    double result = sum_ + compensation_;
    if (std::isnan(result) && std::isinf(plain_)) result = plain_;
    if (not_a_number_) result = *not_a_number_ + 1;  // The addition makes it a quiet NaN.
    if (average_ && count_ > 0) {
      // The sum of finite values may overflow to infinity; their average does not.
      const bool overflow = finite_ && !std::isfinite(sum_);
      result = overflow ? static_cast<double>(wide_ / static_cast<long double>(count_))
                        : result / static_cast<double>(count_);
    }
    return Value(kind_ == TypeKind::kFloat ? EncodeFloat(static_cast<float>(result)) : EncodeDouble(result));
  }

 private:
  const TypeKind kind_;
  const bool average_;
  bool finite_ = true;
  double sum_ = 0, compensation_ = 0, plain_ = 0;
  std::optional<double> not_a_number_;  // The last NaN that was added. As in Cassandra, it is the result.
  long double wide_ = 0;
  int64_t count_ = 0;
};

class VarintSum final : public AggregateState {
 public:
  explicit VarintSum(bool average) : average_(average) {}
  Status Add(std::span<const ValueView> arguments) override {
    if (IsAbsent(arguments[0])) return OkStatus();
    WR_RETURN_IF_ERROR(CheckDigits(*arguments[0]));
    sum_ += ToBigInteger(DecodeVarint(*arguments[0]));
    ++count_;
    return OkStatus();
  }
  Result<Value> Finish() override {
    if (average_ && count_ > 0) sum_ /= count_;
    return Value(EncodeVarint(ToDecimal(sum_)));
  }
  bool merges() const override { return true; }
  void Merge(const AggregateState& later) override {
    sum_ += static_cast<const VarintSum&>(later).sum_;
    count_ += static_cast<const VarintSum&>(later).count_;
  }

 private:
  const bool average_;
  BigInteger sum_;
  int64_t count_ = 0;
};

class DecimalSum final : public AggregateState {
 public:
  explicit DecimalSum(bool average) : average_(average) {}
  Status Add(std::span<const ValueView> arguments) override {
    if (IsAbsent(arguments[0])) return OkStatus();
    WR_RETURN_IF_ERROR(CheckDigits(*arguments[0]));
    BigDecimal value = ToBigDecimal(DecodeDecimal(*arguments[0]));
    ++count_;
    WR_RETURN_IF_ERROR(Align(state_, value));
    if (average_) {
      state_.number += DivideHalfEven(value.number - state_.number, count_);
    } else {
      state_.number += value.number;
    }
    return OkStatus();
  }
  Result<Value> Finish() override { return Value(EncodeDecimal(ToDecimal(state_))); }

 private:
  const bool average_;
  BigDecimal state_;  // The sum, or, for avg, the average of the rows so far.
  int64_t count_ = 0;
};

std::unique_ptr<AggregateState> MakeState(TypeKind kind, bool average) {
  if (IsInteger(kind)) return std::make_unique<IntegerSum>(kind, average);
  if (kind == TypeKind::kVarint) return std::make_unique<VarintSum>(average);
  if (kind == TypeKind::kDecimal) return std::make_unique<DecimalSum>(average);
  return std::make_unique<FloatingSum>(kind, average);
}

}  // namespace

void AddSumAvg(FamilyMap& families) {
  for (const bool average : {false, true}) {
    const std::string name = average ? "avg" : "sum";
    for (const TypeKind kind : NumericKinds()) {
      Function function{.name = name, .parameters = {ScalarType(kind)}, .returns = ScalarType(kind)};
      function.make_aggregate = [kind, average] { return MakeState(kind, average); };
      families[name].overloads.push_back(std::move(function));
    }
  }
}

}  // namespace widerow::functions
