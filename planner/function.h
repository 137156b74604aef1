// A native function as plans call it, and the arguments by which an overload is chosen. Bodies are pure code on native
// bytes and run on any thread. planner/functions/resolve_function.h finds functions by name.
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
  // True if rows may be divided among several states whose results Merge then combines. False if the result depends on
  // the order of single steps, as rounding does.
  virtual bool merges() const { return false; }
  // Adds `later`, a state of the same aggregate whose rows follow this one's.
  virtual void Merge(const AggregateState& /*later*/) {}
};

struct Function {
  std::string name;  // The name as CQL prints it, for example "min_timeuuid".
  std::vector<TypePtr> parameters;
  TypePtr returns;
  bool pure = true;              // Same arguments, same result: the planner may evaluate it.
  bool null_in_null_out = true;  // A null argument gives null without a call.
  bool takes_unset = false;      // An unset argument is passed as null.
  bool takes_empty = false;      // An empty argument (no bytes) is passed as empty, not as null.
  bool monotonic = false;        // A greater first argument never gives a smaller result: GROUP BY may use it.
  ScalarBody body;               // Set for scalars.
  std::function<std::unique_ptr<AggregateState>()> make_aggregate;  // Set for aggregates.

  bool is_aggregate() const { return make_aggregate != nullptr; }
};

// Functions that are made for the types of one call are shared by the plans that use them. Functions of the registry
// live as long as the process.
using FunctionPtr = std::shared_ptr<const Function>;

// The fit of an argument to a parameter. Cassandra takes the overload that all arguments match exactly, else the only
// one that they fit.
enum class ArgumentMatch : uint8_t { kNone, kWeak, kExact };

// One argument and what is known about its type. A literal fits every type that Cassandra accepts it for (1 is an int
// and may be a bigint or a timestamp), and its natural type best.
struct FunctionArgument {
  TypePtr type;  // The type of a column, call or cast; null for literals, null and bind markers.
  // A constant other than null. If both this and `type` are absent, the argument fits every type.
  std::optional<Literal> literal;
  std::string text;  // The argument's text, for messages.
  bool is_marker = false;
  bool fixed_width = false;              // The texts of all values have the same length: zero_pad(n, 6), a uuid.
  std::optional<size_t> list_size = {};  // The length of a list literal; `type` then comes from its elements.
  // If set, decides the match instead of the fields above: arithmetic on literals fits the types that its operands can
  // give.
  std::function<ArgumentMatch(const TypePtr& parameter)> test = {};
};

}  // namespace widerow
