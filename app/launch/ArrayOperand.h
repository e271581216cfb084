// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/RoundedNumber.h"
#include "compiler/constant/Value.h"
#include "compiler/support/Result.h"
#include "profiler/data/Element.h"
#include "profiler/data/Tensor.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// A tensor that an expression names: an argument, or what was worked out of some.
struct ArrayOperand {
  /// As the user wrote it.
  std::string text;
  std::vector<int64_t> shape;
  bool isReduced = false;
  /// Without data where only names and shapes are checked.
  profiler::Tensor tensor;
  /// Elements from one index of an axis of what is evaluated to the next; 0 where it is broadcast.
  std::vector<int64_t> strides = {};

  /// Squares of the sizes of what was worked out, of fp64; without data for an argument, and where
  /// sizes are not asked for.
  profiler::Tensor squares = {};
  /// Its bounds; without data where no element has any.
  profiler::Tensor below = {};
  profiler::Tensor above = {};
  /// `RoundedNumber::terms`, in the same way.
  profiler::Tensor terms = {};
  /// Of indices, by element: the others that are as right, where what they were found by nearly ties.
  std::map<int64_t, std::vector<double>> others = {};

  /// The element at coordinates of what is evaluated.
  compiler::constant::Value at(const std::vector<int64_t> &coordinates) const;
  /// The same as a number.
  double numberAt(const std::vector<int64_t> &coordinates) const {
    return tensor.at(elementAt(coordinates));
  }
  /// The same of an integer, those of `u64` reinterpreted as signed.
  int64_t integerAt(const std::vector<int64_t> &coordinates) const {
    return profiler::readInteger(tensor.dtype, tensor.element(elementAt(coordinates)));
  }
  /// The same with its size.
  RoundedNumber roundedAt(const std::vector<int64_t> &coordinates,
                          const RoundingRules &rules) const;
  /// The others there.
  std::vector<double> othersAt(const std::vector<int64_t> &coordinates) const;
  /// The element at a flat index, with its size.
  RoundedNumber rounded(int64_t element, const RoundingRules &rules) const;

private:
  int64_t elementAt(const std::vector<int64_t> &coordinates) const;
};

/// By their names.
using ArrayOperands = std::map<std::string, ArrayOperand, std::less<>>;

/// The shape of what is computed of several operands, element by element, as NumPy broadcasts them.
Result<std::vector<int64_t>> broadcastShape(const std::vector<ArrayOperand *> &operands);

/// That an operand does not fit a shape, and what would make it fit. `where`: whose shape it is; `expression`: the
/// whole, as it is written.
Error misfit(const ArrayOperand &operand, const std::vector<int64_t> &shape,
             const std::string &where, std::string_view expression = {});

} // namespace tilescope::app
