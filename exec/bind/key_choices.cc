#include "exec/bind/key_choices.h"

#include "base/limits.h"
#include "exec/bind/bind.h"

namespace widerow {

Result<std::vector<std::vector<Bytes>>> BindChoices(const std::vector<KeyChoice>& choices, const TableSchema& table,
                                                    const EvaluationContext& context) {
  std::vector<std::vector<Bytes>> values;
  size_t combinations = 1;
  for (const KeyChoice& choice : choices) {
    const ColumnSchema column{.name = table.columns[choice.column].name, .type = choice.type};
    WR_ASSIGN_OR_RETURN(values.emplace_back(), BindKeyValues(choice.values, column, context));
    combinations *= values.back().size();
    if (combinations <= limits::kFanOutMax) continue;
    return InvalidError("The key is derived from " + std::to_string(combinations) + " combinations of values",
                        "each is a partition to look into, at most " + std::to_string(limits::kFanOutMax) +
                            " in one statement: narrow the range or the IN lists");
  }
  return values;
}

Status ForEachCombination(const std::vector<std::vector<Bytes>>& values, const std::vector<size_t>& order,
                          const EvaluationContext& context,
                          const std::function<Status(const EvaluationContext&, const std::vector<size_t>& at)>& use) {
  for (const std::vector<Bytes>& of_choice : values) {
    if (of_choice.empty()) return OkStatus();
  }
  std::vector<size_t> at(values.size(), 0);
  std::vector<Bytes> chosen(values.size());
  EvaluationContext each = context;
  while (true) {
    for (size_t i = 0; i < values.size(); ++i) chosen[i] = values[i][at[i]];
    each.choices = chosen;
    WR_RETURN_IF_ERROR(use(each, at));
    size_t turn = order.size();
    while (turn > 0 && ++at[order[turn - 1]] == values[order[turn - 1]].size()) at[order[--turn]] = 0;
    if (turn == 0) return OkStatus();
  }
}

}  // namespace widerow
