// A native function as plans call it, and the arguments that an overload is chosen by. Bodies are pure code on native bytes.
// planner/functions/resolve_function.h finds functions by name.
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

// What an impure function may look at.
struct FunctionContext {
  int64_t now_micros = 0;  // The statement's time: all calls of one statement agree.
};

using ScalarBody = std::function<Result<Value>(const FunctionContext&, std::span<const ValueView> arguments)>;

// State of one running aggregate; Add is called once a row (null arguments included), Finish once.
class AggregateState {
 public:
  virtual ~AggregateState() = default;
  virtual Status Add(std::span<const ValueView> arguments) = 0;
  virtual Result<Value> Finish() = 0;
  // Whether rows may be given to several states whose results are then put together by Merge. Not where what comes out depends
  // on how the rows were taken one by one, as rounding does.
  virtual bool merges() const { return false; }
  // Takes in `later`, of the same aggregate, whose rows come after this one's.
  virtual void Merge(const AggregateState& /*later*/) {}
};

struct Function {
  std::string name;  // As CQL prints it, e.g. "min_timeuuid".
  std::vector<TypePtr> parameters;
  TypePtr returns;
  bool pure = true;              // Same arguments, same result: may be evaluated at planning time.
  bool null_in_null_out = true;  // A null argument gives null without a call.
  bool takes_unset = false;      // An unset argument comes as null.
  bool takes_empty = false;      // An argument of no bytes comes as it is, not as null, whatever its type.
  bool monotonic = false;        // A later first argument never gives an earlier result: rows may be grouped by it.
  ScalarBody body;               // Scalars.
  std::function<std::unique_ptr<AggregateState>()> make_aggregate;  // Aggregates.

  bool is_aggregate() const { return make_aggregate != nullptr; }
};

// Plans share the functions that are made for their types; those of the registry live for ever.
using FunctionPtr = std::shared_ptr<const Function>;

// How an argument fits a parameter: Cassandra takes the overload that all arguments match exactly, or else the only one that
// they fit.
enum class ArgumentMatch : uint8_t { kNone, kWeak, kExact };

// One argument, with what is known of an untyped one. A literal fits whatever Cassandra lets it fit (1 is an int, and
// may be a bigint or a timestamp), its natural type best.
struct FunctionArgument {
  TypePtr type;                    // Of a column, a call or a cast; absent for literals, null and bind markers.
  std::optional<Literal> literal;  // A constant other than null. Neither this nor `type`: fits everything.
  std::string text;                // As written, for messages.
  bool is_marker = false;          // A bind marker.
  std::optional<size_t> list_size = {};  // Of a list literal, whose `type` is what its elements make of it.
  // If set, asked instead: arithmetic on literals fits what its own operands can be made to give.
  std::function<ArgumentMatch(const TypePtr& parameter)> test = {};
};

}  // namespace widerow
