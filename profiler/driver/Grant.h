// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Profile.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tilescope::profiler {

/// Why CUPTI did not do something.
struct DriverRefusal {
  RefusalKind kind = RefusalKind::Other;
  /// `cuptiRangeProfilerStart failed: …`.
  std::string words;
};

/// What CUPTI granted, or why it did not. True when it did, as `Result` is.
template <typename T> class [[nodiscard]] Grant {
public:
  Grant(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Grant(DriverRefusal refusal) : m_state(std::in_place_index<1>, std::move(refusal)) {}

  explicit operator bool() const { return m_state.index() == 0; }
  const T &operator*() const & { return std::get<0>(m_state); }
  T &&operator*() && { return std::move(std::get<0>(m_state)); }
  const T *operator->() const { return &std::get<0>(m_state); }
  const DriverRefusal &refusal() const {
    assert(!*this && "no refusal in what was granted");
    return std::get<1>(m_state);
  }

private:
  std::variant<T, DriverRefusal> m_state;
};

/// For calls that return nothing else.
using Granted = Grant<std::monostate>;
inline Granted granted() { return Granted(std::monostate()); }

/// The numbers of CUPTI's results that mean a refusal of some kind.
RefusalKind refusalKind(int cuptiResult);

} // namespace tilescope::profiler
