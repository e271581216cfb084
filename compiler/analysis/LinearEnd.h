// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Ends that are sums of several arguments, and of quotients of such: `i < n + 2 * p`, `i < (n - k) // s + 1`.
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::compiler {

struct EndQuotient;

struct LinearEnd {
  /// By the number of the argument, none of them 0.
  std::map<unsigned, int64_t> factors;
  int64_t constant = 0;
  /// Each of them added once.
  std::vector<EndQuotient> quotients;
  bool operator==(const LinearEnd &other) const;

  /// The only argument that it is, but for a constant that is added; nothing where it is more.
  std::optional<unsigned> argument() const;
  /// With another sum added so many times; `times` is 1 for one with quotients.
  void add(const LinearEnd &other, int64_t times);
  /// Whether it is as far as `other` wherever arguments are not negative, as far as that is seen.
  bool contains(const LinearEnd &other) const;

  /// With an argument added so many times.
  void add(unsigned argument, int64_t times);
  /// `n + 2 * p - 1`; `nameOf` names arguments, and `divisorText` constants that others are divided by.
  std::string text(const std::function<std::string(unsigned)> &nameOf,
                   const std::function<std::string(int64_t)> &divisorText) const;
};

/// `dividend // divisor`, rounded down.
struct EndQuotient {
  LinearEnd dividend, divisor;
  bool operator==(const EndQuotient &) const = default;
};

/// The sum that a value is of arguments of `entry`, each of them times a constant, and of quotients; nothing where it
/// is something else.
std::optional<LinearEnd> linearEnd(mlir::Value value, mlir::Block &entry);

} // namespace tilescope::compiler
