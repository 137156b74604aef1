// Passes rows to the callbacks that users of the public API give to ForEachRow.
#pragma once

#include "embedded/result_set_state.h"
#include "exec/select/show_rows.h"

namespace widerow {

// Shows each row to `visit` as the Row of `state`. Borrows both.
class Shower final : public RowViewer {
 public:
  Shower(ResultSetState& state, const std::function<bool(const Row&)>& visit) : state_(state), visit_(visit) {}
  void Begin(const ResultColumnsPtr& columns) override { state_.page.columns = columns; }
  bool Show(std::span<const ByteView> values) override {
    state_.LookAt(values);
    ++shown_;
    return visit_(state_.row);
  }
  size_t shown() const { return shown_; }

 private:
  ResultSetState& state_;
  const std::function<bool(const Row&)>& visit_;
  size_t shown_ = 0;
};

}  // namespace widerow
