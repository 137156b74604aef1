// A Function is one overload of a CQL function, for example abs(int). A FunctionArgument is what is known about an
// argument when an overload is chosen. The code of a function computes native bytes from native bytes and runs on any
// thread. planner/functions/resolve_function.h finds functions by name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "parser/ast_term.h"
#include "types/type.h"

namespace widerow {

// The input of an impure function besides its arguments.
struct FunctionContext {
  int64_t now_micros = 0;  // The statement's time: the same for all its calls.
};

using ScalarBody = std::function<Result<Value>(const FunctionContext&, std::span<const ValueView> arguments)>;

// The state of one running aggregate. Add is called once per row, even with null arguments. Finish is called once.
class AggregateState {
 public:
  virtual ~AggregateState() = default;
  virtual Status Add(std::span<const ValueView> arguments) = 0;
  virtual Result<Value> Finish() = 0;
  // True if the rows may be divided among several states, which Merge then combines. False if the result depends on the
  // order in which values are added, as the sum of floats does because each addition rounds.
  virtual bool merges() const { return false; }
  // Adds `later`, a state of the same aggregate whose rows follow the rows of this state.
  virtual void Merge(const AggregateState& /*later*/) {}
  // Returns the bytes of the values that the state keeps. They count in the memory of the answer.
  size_t held_bytes() const { return held_bytes_; }

 protected:
  size_t held_bytes_ = 0;
};

struct Function {
  std::string name;  // The name as CQL prints it, for example "min_timeuuid".
  std::vector<TypePtr> parameters;
  TypePtr returns;
  bool pure = true;              // Same arguments, same result: the planner may evaluate it.
  bool null_in_null_out = true;  // If an argument is null, the result is null and `body` is not called.
  bool takes_unset = false;      // True: an unset argument is passed as null. False: an unset argument is an error.
  bool takes_empty = false;      // True: an empty argument (no bytes) is never passed as null, but as empty.
  bool monotonic = false;        // A greater first argument never gives a smaller result: GROUP BY may use it.
  ScalarBody body;               // Set for scalars.
  std::function<std::unique_ptr<AggregateState>()> make_aggregate;  // Set for aggregates.

  bool is_aggregate() const { return make_aggregate != nullptr; }
};

// Most functions live as long as the process. A function that was made for the types of one call belongs to the plans
// that call it.
using FunctionPtr = std::shared_ptr<const Function>;

// Says how well an argument fits a parameter. Cassandra takes the overload that all arguments match exactly. If there
// is none, it takes the only overload that they fit.
enum class ArgumentMatch : uint8_t { kNone, kWeak, kExact };

// One argument, and what is known about its type. A literal fits every type for which Cassandra accepts it: 1 may be an
// int, a bigint or a timestamp. It matches only its natural type exactly, which is int for 1.
struct FunctionArgument {
  TypePtr type;  // The type of a column, call or cast; null for literals, null and bind markers.
  // A constant other than null. If both this and `type` are absent, the argument fits every type.
  std::optional<Literal> literal;
  std::string text;  // The argument's text, for messages.
  bool is_marker = false;
  bool fixed_width = false;              // The texts of all values have the same length: zero_pad(n, 6), a uuid.
  std::optional<size_t> list_size = {};  // The length of a list literal; `type` then comes from its elements.
  // If set, this function decides the match instead of the fields above. It is set for arithmetic on literals, because
  // the types that it fits depend on its operands, and for null, because null fits every type except counter.
  std::function<ArgumentMatch(const TypePtr& parameter)> test = {};
};

}  // namespace widerow
