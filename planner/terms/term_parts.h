// Visits the terms inside of a term.
#pragma once

#include <variant>

#include "parser/ast_term.h"

namespace widerow {

// Calls visit(part) for each direct part of `term`, a Term or a const Term, in the order of the text.
template <typename T, typename Visit>
void ForEachPart(T& term, const Visit& visit) {
  const auto each = [&](auto& parts) {
    for (auto& part : parts) visit(part);
  };
  std::visit(
      [&](auto& node) {
        if constexpr (requires { node.elements; }) each(node.elements);
        if constexpr (requires { node.keys; }) each(node.keys);
        if constexpr (requires { node.values; }) each(node.values);
        if constexpr (requires { node.arguments; }) each(node.arguments);
        if constexpr (requires { node.operand; }) each(node.operand);
        if constexpr (requires { node.operands; }) each(node.operands);
        if constexpr (requires { node.base; }) each(node.base);
        if constexpr (requires { node.index.begin(); }) each(node.index);  // A bind marker's index is a number.
        if constexpr (requires { node.from; }) each(node.from);
        if constexpr (requires { node.to; }) each(node.to);
      },
      term.node);
}

}  // namespace widerow
