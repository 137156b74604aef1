// The aggregates count(*), count(x), min and max.
#include "planner/functions/registry.h"
#include "types/compare.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

class Count final : public AggregateState {
 public:
  Status Add(std::span<const ValueView> arguments) override {
    if (arguments.empty() || arguments[0]) ++rows_;
    return OkStatus();
  }
  Result<Value> Finish() override { return Value(EncodeInteger(TypeKind::kBigint, rows_)); }
  bool merges() const override { return true; }
  void Merge(const AggregateState& later) override { rows_ += static_cast<const Count&>(later).rows_; }

 private:
  int64_t rows_ = 0;
};

class Extreme final : public AggregateState {
 public:
  Extreme(TypePtr type, bool greatest) : type_(std::move(type)), greatest_(greatest) {}
  Status Add(std::span<const ValueView> arguments) override {
    if (arguments[0]) Take(*arguments[0]);
    return OkStatus();
  }
  Result<Value> Finish() override { return std::move(best_); }
  bool merges() const override { return true; }
  void Merge(const AggregateState& later) override {
    if (const Value& best = static_cast<const Extreme&>(later).best_; best) Take(*best);
  }

 private:
  void Take(ByteView value) {
    if (best_) {
      const int order = Compare(*type_, value, *best_);
      if (greatest_ ? order <= 0 : order >= 0) return;
    }
    best_.emplace(value);
    held_bytes_ = value.size();
  }

  const TypePtr type_;
  const bool greatest_;
  Value best_;
};

// Makes count. Without an argument, as in count(*), it counts rows. count(x) counts the values of x that are not null.
Result<Function> MakeCount(std::span<const FunctionArgument> arguments) {
  if (arguments.size() > 1) return WrongArgumentCount("count", 1, arguments.size());
  Function count{.name = "count", .returns = ScalarType(TypeKind::kBigint)};
  count.make_aggregate = [] { return std::make_unique<Count>(); };
  if (arguments.empty()) return count;
  if (arguments[0].type == nullptr) return CannotInfer(arguments[0], "count(any)");
  count.parameters.push_back(arguments[0].type);
  return count;
}

Factory MakeExtreme(const std::string& name, bool greatest) {
  return [name, greatest](std::span<const FunctionArgument> arguments) -> Result<Function> {
    if (arguments.size() != 1) {
      return InvalidError("Invalid number of arguments for function system." + name + "(any)");
    }
    const TypePtr type = arguments[0].type;
    if (type == nullptr) return CannotInfer(arguments[0], name + "(any)");
    Function function{.name = name, .parameters = {type}, .returns = WithFrozen(type, true)};
    function.make_aggregate = [type, greatest] { return std::make_unique<Extreme>(type, greatest); };
    return function;
  };
}

}  // namespace

void AddCountMinMax(FamilyMap& families) {
  families["count"].make = MakeCount;
  families["min"].make = MakeExtreme("min", false);
  families["max"].make = MakeExtreme("max", true);
  for (const char* name : {"min", "max"}) families[name].ascii_literals = true;
}

}  // namespace widerow::functions
