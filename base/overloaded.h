// std::visit(Overloaded{[](const A&) {…}, [](const B&) {…}}, variant): a missing alternative does not compile.
#pragma once

namespace widerow {

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace widerow
