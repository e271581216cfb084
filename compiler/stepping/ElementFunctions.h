// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What watches compute element by element: functions of one, two or three numbers, and casts.
#pragma once

#include "compiler/types/ScalarKind.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilescope::compiler::stepping {

/// A truth value as the number that watches compute with.
inline double truth(bool value) { return value ? 1 : 0; }

/// One of the three functions is set, of as many numbers as the others take.
struct ElementFunction {
  std::string_view name;
  double (*ofOne)(double) = nullptr;
  double (*ofTwo)(double, double) = nullptr;
  double (*ofThree)(double, double, double) = nullptr;
  /// What it returns are real numbers, whatever it was given; otherwise, those of integers are integers.
  bool isReal = false;

  size_t numOperands() const { return ofOne ? 1 : ofTwo ? 2 : 3; }
};

/// By its name in kernels or in NumPy, without `tl.` or `np.`; null: there is none.
const ElementFunction *findElementFunction(std::string_view name);
/// All of their names.
std::vector<std::string_view> elementFunctionNames();

/// The number that a cast to a type makes of another one, as the device does: floats are rounded,
/// integers are cut to their width, and what does not fit from a float saturates. Nothing for a type that
/// numbers cannot be cast to here.
std::optional<double> castNumber(double number, bool isReal, ScalarKind type);

} // namespace tilescope::compiler::stepping
