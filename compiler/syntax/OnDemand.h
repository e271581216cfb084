// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <memory>
#include <mutex>
#include <optional>

namespace tilescope::compiler::ast {

/// A part of an immutable value that is made when it is first asked for, by whichever thread asks.
/// Copies of the value share it.
template <typename T> class OnDemand {
public:
  /// `make` returns the part, always the same.
  template <typename Make> const T &get(const Make &make) const {
    std::call_once(m_part->once, [&] { m_part->value.emplace(make()); });
    return *m_part->value;
  }

private:
  struct Part {
    std::once_flag once;
    std::optional<T> value;
  };
  std::shared_ptr<Part> m_part = std::make_shared<Part>();
};

} // namespace tilescope::compiler::ast
