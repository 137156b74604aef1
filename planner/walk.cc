#include "planner/walk.h"

#include "base/overloaded.h"

namespace widerow {
namespace {

void VisitAll(const std::vector<Expression>& expressions, const std::function<void(uint32_t)>& visit) {
  for (const Expression& expression : expressions) VisitColumns(expression, visit);
}

void VisitAll(const std::vector<Predicate>& predicates, const std::function<void(uint32_t)>& visit) {
  for (const Predicate& predicate : predicates) VisitColumns(predicate, visit);
}

}  // namespace

void VisitExpressions(const Expression& expression, const std::function<void(const Expression&)>& visit) {
  visit(expression);
  ForEachInside(expression, [&](const Expression& part) { VisitExpressions(part, visit); });
}

namespace {

// Visits all expressions in the structs that a plan consists of. There is one operator() for each struct.
class PlanVisitor {
 public:
  explicit PlanVisitor(const std::function<void(const Expression&)>& visit) : visit_(visit) {}

  void operator()(const Expression& expression) const { VisitExpressions(expression, visit_); }
  void operator()(const KeyValues& values) const { (*this)(values.values); }
  void operator()(const ClusteringTuplesIn& in) const { (*this)(in.tuples); }
  void operator()(const ClusteringBound& bound) const { (*this)(bound.values); }
  void operator()(const ClusteringSelection& selection) const {
    for (const auto& part : selection.prefix) std::visit(*this, part);
    (*this)(selection.lower);
    (*this)(selection.upper);
  }
  void operator()(const TokenBound& bound) const { (*this)(bound.value); }
  void operator()(const TokenBounds& bounds) const {
    (*this)(bounds.lower);
    (*this)(bounds.upper);
  }
  void operator()(const KeyChoice& choice) const { (*this)(choice.values); }
  template <typename Path>
  requires requires(const Path& path) { path.partition_key, path.clustering; }
  void operator()(const Path& path) const {
    (*this)(path.partition_key);
    (*this)(path.clustering);
  }
  void operator()(const TokenScan& path) const { (*this)(path.bounds); }
  void operator()(const FilteredScan& path) const { (*this)(path.bounds); }
  void operator()(const KeyRangeScan& path) const {
    (*this)(path.prefix);
    (*this)(path.lower);
    (*this)(path.upper);
    (*this)(path.tokens);
  }
  void operator()(const IndexBound& bound) const { (*this)(bound.value); }
  void operator()(const IndexLookup& lookup) const {
    (*this)(lookup.values);
    (*this)(lookup.lower);
    (*this)(lookup.upper);
  }
  void operator()(const IndexCondition::All& all) const { (*this)(all.parts); }
  void operator()(const IndexCondition::Any& any) const { (*this)(any.parts); }
  void operator()(const IndexCondition& condition) const { std::visit(*this, condition.node); }
  void operator()(const IndexOrder& order) const {
    (*this)(order.lower);
    (*this)(order.upper);
  }
  void operator()(const IndexNearest& nearest) const { (*this)(nearest.vector); }
  void operator()(const RelevanceOrder& order) const { (*this)(order.query); }
  void operator()(const IndexScan& path) const {
    (*this)(path.conditions);
    (*this)(path.order);
    (*this)(path.nearest);
    (*this)(path.tokens);
    (*this)(path.partition_key);
  }
  void operator()(const Comparison& comparison) const {
    (*this)(comparison.left);
    (*this)(comparison.right);
  }
  void operator()(const OrPredicate& terms) const { (*this)(terms.terms); }
  void operator()(const AndPredicate& terms) const { (*this)(terms.terms); }
  void operator()(const NotPredicate& negated) const { (*this)(negated.operand); }
  void operator()(const Predicate& predicate) const { std::visit(*this, predicate.node); }
  void operator()(const OutputColumn& output) const { (*this)(output.expression); }
  void operator()(const GroupBy& group) const { (*this)(group.function); }
  void operator()(const CellOperation& operation) const {
    (*this)(operation.value);
    (*this)(operation.element);
  }
  void operator()(const ColumnCondition& condition) const {
    (*this)(condition.element);
    (*this)(condition.values);
  }
  template <typename T>
  void operator()(const std::vector<T>& parts) const {
    for (const T& part : parts) (*this)(part);
  }
  template <typename T>
  void operator()(const std::optional<T>& part) const {
    if (part) (*this)(*part);
  }

 private:
  const std::function<void(const Expression&)>& visit_;
};

}  // namespace

void VisitExpressions(const SelectPlan& plan, const std::function<void(const Expression&)>& visit) {
  const PlanVisitor all(visit);
  std::visit(all, plan.access);
  all(plan.choices);
  all(plan.filter);
  all(plan.also_bound);
  all(plan.unread_lookups);
  all(plan.relevance);
  all(plan.output);
  all(plan.selected_parts);
  all(plan.group_values);
  all(plan.group_by);
  all(plan.limit);
  all(plan.per_partition_limit);
}

void VisitExpressions(const ModifyPlan& plan, const std::function<void(const Expression&)>& visit) {
  const PlanVisitor all(visit);
  all(plan.partition_key);
  all(plan.clustering);
  all(plan.operations);
  all(plan.choices);
  all(plan.checks);
  all(plan.timestamp);
  all(plan.ttl);
  all(plan.conditions);
}

void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit) {
  VisitExpressions(expression, [&](const Expression& part) {
    if (const auto* column = std::get_if<ColumnExpression>(&part.node)) visit(column->column);
    if (const auto* time = std::get_if<CellTimeExpression>(&part.node)) visit(time->column);
  });
}

void VisitColumns(const Predicate& predicate, const std::function<void(uint32_t)>& visit) {
  std::visit(Overloaded{
                 [&](const Comparison& comparison) {
                   VisitColumns(comparison.left, visit);
                   VisitAll(comparison.right, visit);
                 },
                 [&](const OrPredicate& any) { VisitAll(any.terms, visit); },
                 [&](const AndPredicate& all) { VisitAll(all.terms, visit); },
                 [&](const NotPredicate& negated) { VisitAll(negated.operand, visit); },
             },
             predicate.node);
}

namespace {

void VisitLookups(const IndexCondition& condition, const std::function<void(const IndexLookup&)>& visit) {
  std::visit(Overloaded{
                 [&](const IndexLookup& lookup) { visit(lookup); },
                 [&](const auto& combined) {
                   for (const IndexCondition& part : combined.parts) VisitLookups(part, visit);
                 },
             },
             condition.node);
}

}  // namespace

void VisitLookups(const IndexScan& scan, const std::function<void(const IndexLookup&)>& visit) {
  for (const IndexCondition& condition : scan.conditions) VisitLookups(condition, visit);
}

}  // namespace widerow
