// Result<T> is a T or an Error; Status is success or an Error. Both are [[nodiscard]].
//
//   Result<Bytes> Read(...);
//   WR_ASSIGN_OR_RETURN(Bytes bytes, Read(...));  // returns the Error to the caller
//   WR_RETURN_IF_ERROR(Write(bytes));
//
// Calling value() of a failed Result, or error() of a successful one, stops the process: it is our bug.
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/error.h"

namespace widerow {

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error)                                                    // NOLINT: implicit on purpose
      : state_(std::in_place_index<1>, std::make_unique<Error>(std::move(error))) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    WR_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    WR_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    WR_CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & {
    WR_CHECK(!ok());
    return **std::get_if<1>(&state_);
  }
  const Error& error() const& {
    WR_CHECK(!ok());
    return **std::get_if<1>(&state_);
  }
  Error&& error() && {
    WR_CHECK(!ok());
    return std::move(**std::get_if<1>(&state_));
  }

 private:
  std::variant<T, std::unique_ptr<Error>> state_;  // Errors are large and rare; the pointer keeps results small.
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}  // NOLINT: implicit on purpose

  bool ok() const { return error_ == nullptr; }
  explicit operator bool() const { return ok(); }
  Error& error() & {
    WR_CHECK(!ok());
    return *error_;
  }
  const Error& error() const& {
    WR_CHECK(!ok());
    return *error_;
  }
  Error&& error() && {
    WR_CHECK(!ok());
    return std::move(*error_);
  }

 private:
  std::unique_ptr<Error> error_;  // Success, the usual case, costs one pointer.
};

using Status = Result<void>;
inline Status OkStatus() { return {}; }

}  // namespace widerow

#define WR_CONCAT_INNER(a, b) a##b
#define WR_CONCAT(a, b) WR_CONCAT_INNER(a, b)
#define WR_RETURN_IF_ERROR(expression)                                                       \
  do {                                                                                       \
    if (auto wr_status = (expression); !wr_status.ok()) return std::move(wr_status).error(); \
  } while (false)
#define WR_ASSIGN_OR_RETURN(declaration, expression) \
  WR_ASSIGN_OR_RETURN_INNER(WR_CONCAT(wr_result_, __LINE__), declaration, expression)
#define WR_ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                      \
  if (!result.ok()) return std::move(result).error();              \
  declaration = std::move(result).value()
