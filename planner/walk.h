// Walks over expressions and over the columns that expressions and predicates read.
#pragma once

#include <functional>
#include <variant>

#include "planner/plan.h"

namespace widerow {

// Calls `visit` with each expression directly inside `expression`: arguments, elements, bases, keys and bounds.
template <typename E, typename Visit>
void ForEachInside(E& expression, const Visit& visit) {
  const auto each = [&](auto& parts) {
    for (auto& part : parts) visit(part);
  };
  std::visit(
      [&](auto& node) {
        if constexpr (requires { node.arguments; }) each(node.arguments);
        if constexpr (requires { node.parts; }) each(node.parts);
        if constexpr (requires { node.base; }) each(node.base);
        if constexpr (requires { node.index.begin(); }) each(node.index);  // A bind marker's index is a number.
        if constexpr (requires { node.from; }) each(node.from);
        if constexpr (requires { node.to; }) each(node.to);
        if constexpr (requires { node.values; }) each(node.values);
      },
      expression.node);
}

// Calls `visit` with `expression` and with every expression inside it.
void VisitExpressions(const Expression& expression, const std::function<void(const Expression&)>& visit);
// Calls `visit` with every expression of a plan, and with every expression inside it.
void VisitExpressions(const SelectPlan& plan, const std::function<void(const Expression&)>& visit);
void VisitExpressions(const ModifyPlan& plan, const std::function<void(const Expression&)>& visit);
// Calls `visit` with every look-up of the scan.
void VisitLookups(const IndexScan& scan, const std::function<void(const IndexLookup&)>& visit);
// Calls `visit` with the index of each column that `expression` reads, or whose cell times it reads. A row's token
// counts as reading no column.
void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit);
void VisitColumns(const Predicate& predicate, const std::function<void(uint32_t)>& visit);

}  // namespace widerow
