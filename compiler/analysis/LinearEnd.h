// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Ends that are sums of several arguments: `i < n + 2 * p`.
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tilescope::compiler {

struct LinearEnd {
  /// By the number of the argument, none of them 0.
  std::map<unsigned, int64_t> factors;
  int64_t constant = 0;
  bool operator==(const LinearEnd &) const = default;

  /// With an argument added so many times.
  void add(unsigned argument, int64_t times);
  /// `n + 2 * p - 1`; `nameOf` names arguments.
  std::string text(const std::function<std::string(unsigned)> &nameOf) const;
};

/// The sum that a value is of arguments of `entry`, each of them times a constant; nothing where it is something else.
std::optional<LinearEnd> linearEnd(mlir::Value value, mlir::Block &entry);

} // namespace tilescope::compiler
