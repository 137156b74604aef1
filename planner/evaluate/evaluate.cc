// EvaluateView distinguishes the kinds of expressions. Constants, markers and columns are borrowed. Each other kind has
// a function that computes a Value (Call, Compose, Field, Element, …), and Keep() moves it into the caller's scratch
// bytes. Evaluate returns a copy. Unset markers are checked where they are used, because each use has its own error.
#include "planner/evaluate/evaluate.h"

#include <algorithm>

#include "base/overloaded.h"
#include "planner/evaluate/json_object.h"
#include "types/compare.h"
#include "types/json_form.h"
#include "types/value_bytes.h"
#include "types/value_order.h"

namespace widerow {

namespace {

// The values of several expressions. A value is a view, either of borrowed bytes or of computed bytes in `scratch_`.
class Views {
 public:
  explicit Views(size_t count) : scratch_(count), views_(count) {}
  Status Evaluate(size_t at, const Expression& expression, const EvaluationContext& context) {
    WR_ASSIGN_OR_RETURN(views_[at], EvaluateView(expression, context, scratch_[at]));
    return OkStatus();
  }
  std::vector<ValueView>& get() { return views_; }

 private:
  std::vector<Bytes> scratch_;  // Never resized: a view may point into a Bytes object itself (a short string).
  std::vector<ValueView> views_;
};

Error UnsetError(SourceRange range, std::string what) { return InvalidAt(range, "Invalid unset value for " + what); }

Result<Value> Call(const CallExpression& call, const EvaluationContext& context, SourceRange range) {
  const Function& function = *call.function;
  WR_CHECK(!function.is_aggregate());  // exec runs aggregates over rows.
  Views arguments(call.arguments.size());
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (!context.unset_is_null && IsUnset(call.arguments[i], context)) {
      if (function.takes_unset) continue;  // The function gets a null.
      return UnsetError(call.arguments[i].range, "argument in call to function " + function.name);
    }
    WR_RETURN_IF_ERROR(arguments.Evaluate(i, call.arguments[i], context));
    ValueView& value = arguments.get()[i];
    if (value && !function.takes_empty && ReadsAsNull(*function.parameters[i], *value)) value.reset();
    if (!value && function.null_in_null_out) return Value();
  }
  Result<Value> result = function.body(context.function, arguments.get());
  if (!result.ok() && !result.error().range) result.error().range = range;
  return result;
}

Result<Value> Compose(const CompositeExpression& composite, const Type& type, const EvaluationContext& context) {
  const bool of_fields = type.kind == TypeKind::kTuple || type.kind == TypeKind::kUdt;
  Views parts(composite.parts.size());
  for (size_t i = 0; i < composite.parts.size(); ++i) {
    const Expression& part = composite.parts[i];
    if (!context.unset_is_null && IsUnset(part, context)) {
      return UnsetError(part.range, of_fields ? "tuple field number " + std::to_string(i) : "collection element");
    }
    WR_RETURN_IF_ERROR(parts.Evaluate(i, part, context));
    if (!of_fields && !composite.nulls_in_list && !parts.get()[i]) {
      const bool vector = type.kind == TypeKind::kVector;
      return InvalidAt(part.range,
                       vector ? "null is not supported inside vectors" : "null is not supported inside collections");
    }
  }
  if (of_fields) return Value(JoinTuple(parts.get()));
  SortCollection(type, parts.get());
  return Value(JoinCollection(type, parts.get()));
}

Value Copy(const ValueView& view) { return view ? Value(Bytes(*view)) : Value(); }

Result<Value> Field(const FieldExpression& field, const EvaluationContext& context) {
  Bytes scratch;
  WR_ASSIGN_OR_RETURN(const ValueView base, EvaluateView(field.base[0], context, scratch));
  if (!base) return Value();
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> fields, SplitTuple(*field.base[0].type, *base));
  return field.field < fields.size() ? Copy(fields[field.field]) : Value();
}

// Returns the value of an element's index, as in m[index]. Only in WHERE may the index be null.
Result<ValueView> IndexOf(const ElementExpression& element, const EvaluationContext& context, Bytes& scratch) {
  const Expression& index = element.index[0];
  const auto place = [&] { return "element selection" + (element.selected.empty() ? "" : " on " + element.selected); };
  if (IsUnset(index, context)) return UnsetError(index.range, place());
  WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(index, context, scratch));
  if (!value && !element.selected.empty()) return InvalidAt(index.range, "Invalid null value for " + place());
  return value;
}

Result<Value> Element(const ElementExpression& element, const EvaluationContext& context) {
  Bytes base_scratch, index_scratch;
  WR_ASSIGN_OR_RETURN(const ValueView base, EvaluateView(element.base[0], context, base_scratch));
  WR_ASSIGN_OR_RETURN(const ValueView index, IndexOf(element, context, index_scratch));
  if (!base || !index) return Value();
  const Type& type = *element.base[0].type;
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(type, *base));
  if (type.kind == TypeKind::kList || type.kind == TypeKind::kVector) {
    const int64_t at = index->empty() ? -1 : DecodeInteger(*index);
    return at >= 0 && at < static_cast<int64_t>(parts.size()) ? Copy(parts[static_cast<size_t>(at)]) : Value();
  }
  const size_t step = type.kind == TypeKind::kMap ? 2 : 1;
  for (size_t i = 0; i + step <= parts.size(); i += step) {
    if (parts[i] && Compare(*type.arguments[0], *parts[i], *index) == 0) return Copy(parts[i + step - 1]);
  }
  return Value();
}

// Returns an end of a slice m[a..b]. As in Cassandra, an unset end means that the slice has no end there.
Result<ValueView> EndOf(const SliceExpression& slice, const std::vector<Expression>& end,
                        const EvaluationContext& context, Bytes& scratch) {
  if (end.empty() || IsUnset(end[0], context)) return ValueView();
  WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(end[0], context, scratch));
  if (!value) return InvalidAt(end[0].range, "Invalid null value for slice selection on " + slice.selected);
  return value;
}

// Returns the elements whose key (list: index) is between the ends of the slice, both inclusive.
Result<Value> Slice(const SliceExpression& slice, const EvaluationContext& context) {
  Bytes base_scratch, from_scratch, to_scratch;
  WR_ASSIGN_OR_RETURN(const ValueView base, EvaluateView(slice.base[0], context, base_scratch));
  WR_ASSIGN_OR_RETURN(const ValueView from, EndOf(slice, slice.from, context, from_scratch));
  WR_ASSIGN_OR_RETURN(const ValueView to, EndOf(slice, slice.to, context, to_scratch));
  if (!base) return Value();
  const Type& type = *slice.base[0].type;
  WR_ASSIGN_OR_RETURN(const std::vector<ValueView> parts, SplitCollection(type, *base));
  const size_t step = type.kind == TypeKind::kMap ? 2 : 1;
  std::vector<ValueView> kept;
  for (size_t i = 0; i + step <= parts.size(); i += step) {
    bool inside = parts[i].has_value();
    if (type.kind == TypeKind::kList || type.kind == TypeKind::kVector) {
      const auto at = static_cast<int64_t>(i);
      inside =
          (!from || from->empty() || at >= DecodeInteger(*from)) && (!to || to->empty() || at <= DecodeInteger(*to));
    } else if (inside) {
      const Type& key = *type.arguments[0];
      inside = (!from || Compare(key, *parts[i], *from) >= 0) && (!to || Compare(key, *parts[i], *to) <= 0);
    }
    if (inside)
      kept.insert(kept.end(), parts.begin() + static_cast<ptrdiff_t>(i),
                  parts.begin() + static_cast<ptrdiff_t>(i + step));
  }
  if (kept.empty() && !type.frozen) return Value();  // A multi-cell collection without elements is null.
  return Value(JoinCollection(type, kept));
}

// Brings a bind value into the form in which Cassandra stores it (PutInOrder). Clients may send the elements of a
// collection in any order, and more than once.
Result<ValueView> InOrder(const Type& type, const Bytes& bytes, Bytes& scratch) {
  if (TakenAsGiven(type) || bytes.empty()) return ValueView(bytes);
  WR_ASSIGN_OR_RETURN(scratch, PutInOrder(type, bytes));
  return ValueView(scratch);
}

Result<ValueView> Marker(const MarkerExpression& marker, const Expression& expression, const EvaluationContext& context,
                         Bytes& scratch) {
  if (marker.index >= context.markers.size()) {
    return InvalidAt(expression.range,
                     "Invalid amount of bind variables: there is none for marker " + std::to_string(marker.index));
  }
  const BoundValue& bound = context.markers[marker.index];
  switch (bound.kind) {
    case BoundValue::Kind::kValue: return InOrder(*expression.type, bound.bytes, scratch);
    case BoundValue::Kind::kNull: return ValueView();
    case BoundValue::Kind::kUnset:
      if (context.unset_is_null) return ValueView();
      break;
  }
  return UnsetError(expression.range, "bind marker " + std::to_string(marker.index));
}

// Moves a computed value into `scratch` and returns a view of it.
Result<ValueView> Keep(Result<Value> made, Bytes& scratch) {
  if (!made.ok()) return std::move(made).error();
  if (!made.value()) return ValueView();
  scratch = std::move(*made.value());
  return ValueView(scratch);
}

RowValues& Row(const EvaluationContext& context) {
  WR_CHECK(context.row != nullptr);  // The planner allows columns only in selectors and filters.
  return *context.row;
}

Result<Value> CellTime(const CellTimeExpression& time, const EvaluationContext& context) {
  CellPart part{.part = time.part, .field = time.field};
  Bytes from, to;
  for (const auto& [bound, view, scratch] : {std::tuple(&time.from, &part.from, &from), {&time.to, &part.to, &to}}) {
    if (bound->empty()) continue;
    if (IsUnset((*bound)[0], context)) {
      if (time.part == CellTimeExpression::Part::kSlice) continue;  // An unset end of a slice counts as no end.
      return UnsetError((*bound)[0].range, "element selection");
    }
    WR_ASSIGN_OR_RETURN(*view, EvaluateView((*bound)[0], context, *scratch));
    if (*view) continue;
    if (time.part == CellTimeExpression::Part::kElement) return Value();
    return InvalidAt((*bound)[0].range, "Invalid null value for slice selection on " + time.selected);
  }
  return Row(context).CellTime(time.kind, time.column, part);
}

Result<Value> JsonObject(const JsonObjectExpression& object, const EvaluationContext& context) {
  std::string text = "{";
  for (size_t i = 0; i < object.names.size(); ++i) {
    Bytes scratch;
    WR_ASSIGN_OR_RETURN(const ValueView value, EvaluateView(object.values[i], context, scratch));
    text += (i == 0 ? "\"" : ", \"") + object.names[i] + "\": ";
    if (value) {
      AppendJson(*object.values[i].type, *value, text, JsonForm::kCassandra);
    } else {
      text += "null";
    }
  }
  return Value(text + "}");
}

}  // namespace

Result<ValueView> EvaluateView(const Expression& expression, const EvaluationContext& context, Bytes& scratch) {
  return std::visit(
      Overloaded{
          [](const ConstantExpression& constant) -> Result<ValueView> {
            return constant.value ? ValueView(*constant.value) : ValueView();
          },
          [&](const MarkerExpression& marker) { return Marker(marker, expression, context, scratch); },
          [&](const ChoiceExpression& choice) -> Result<ValueView> {
            WR_CHECK(choice.index < context.choices.size());
            return ValueView(context.choices[choice.index]);
          },
          [&](const ColumnExpression& column) { return Row(context).Column(column.column); },
          [&](const CallExpression& call) { return Keep(Call(call, context, expression.range), scratch); },
          [&](const CompositeExpression& composite) {
            return Keep(Compose(composite, *expression.type, context), scratch);
          },
          [&](const FieldExpression& field) { return Keep(Field(field, context), scratch); },
          [&](const ElementExpression& element) { return Keep(Element(element, context), scratch); },
          [&](const SliceExpression& slice) { return Keep(Slice(slice, context), scratch); },
          [&](const RowTokenExpression&) {
            return Keep(Value(EncodeInteger(TypeKind::kBigint, Row(context).Token())), scratch);
          },
          [&](const CellTimeExpression& time) { return Keep(CellTime(time, context), scratch); },
          [&](const GroupValueExpression& group) -> Result<ValueView> {
            WR_CHECK(group.index < context.group_values.size());
            const Value& value = context.group_values[group.index];
            return value ? ValueView(*value) : ValueView();
          },
          [&](const JsonObjectExpression& object) { return Keep(JsonObject(object, context), scratch); },
          [&](const JsonMemberExpression& member) {
            return Keep(JsonMember(member, expression.range, context), scratch);
          },
      },
      expression.node);
}

Result<Value> Evaluate(const Expression& expression, const EvaluationContext& context) {
  Bytes scratch;
  WR_ASSIGN_OR_RETURN(const ValueView view, EvaluateView(expression, context, scratch));
  if (!view) return Value();
  if (view->data() == scratch.data() && view->size() == scratch.size()) return Value(std::move(scratch));
  return Value(Bytes(*view));
}

Status CheckSelectedPart(const Expression& part, const EvaluationContext& context) {
  Bytes scratch;
  if (const auto* element = std::get_if<ElementExpression>(&part.node)) {
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const ValueView index, IndexOf(*element, context, scratch));
  } else if (const auto* slice = std::get_if<SliceExpression>(&part.node)) {
    for (const auto* end : {&slice->from, &slice->to}) {
      WR_ASSIGN_OR_RETURN([[maybe_unused]] const ValueView value, EndOf(*slice, *end, context, scratch));
    }
  }
  return OkStatus();
}

bool IsUnset(const Expression& expression, const EvaluationContext& context) {
  if (const auto* member = std::get_if<JsonMemberExpression>(&expression.node)) return IsUnsetMember(*member, context);
  const auto* marker = std::get_if<MarkerExpression>(&expression.node);
  return marker != nullptr && marker->index < context.markers.size() &&
         context.markers[marker->index].kind == BoundValue::Kind::kUnset;
}

}  // namespace widerow
