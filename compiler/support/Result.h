// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tilescope {

/// The kind of an error. The command line turns it into its exit status.
enum class ErrorCode {
  /// The input is at fault: 1.
  InvalidInput,
  /// Wrong usage: 2.
  Usage,
  /// The environment lacks something, named in `Error::hint`: 3.
  Environment,
  /// A newer request made the work pointless; not shown to the user.
  Cancelled,
  /// A defect of Tilescope itself.
  Internal,
};

/// A failure outside the kernel's own source. Faults in the source are `Diagnostic`s.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  /// Lower-case start, no full stop, code in backticks.
  std::string message;
  /// What the user can do about it; empty when nothing is known.
  std::string hint;
};

/// A value or the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return m_state.index() == 0; }
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  T &value() {
    assert(*this && "no value in a failed result");
    return std::get<0>(m_state);
  }
  const T &value() const {
    assert(*this && "no value in a failed result");
    return std::get<0>(m_state);
  }
  const Error &error() const {
    assert(!*this && "no error in a successful result");
    return std::get<1>(m_state);
  }

private:
  std::variant<T, Error> m_state;
};

/// Success or the reason of failure, for functions that return nothing else. Like `Result`, it is
/// true on success:
///
///   if (Status status = writeFile(path, bytes); !status)
///     return status.error();
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;
  Status(Error error) : m_error(std::move(error)) {}

  explicit operator bool() const { return !m_error; }
  const Error &error() const {
    assert(!*this && "no error in a successful status");
    return *m_error;
  }

private:
  std::optional<Error> m_error;
};

} // namespace tilescope
