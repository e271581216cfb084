// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/ArrayParts.h"
#include "app/launch/RoundedNumber.h"

#include <vector>

namespace tilescope::app {

/// A tensor that was worked out, with the sizes and bounds of its elements (RoundedNumber.h).
struct SizedTensor {
  profiler::Tensor values;
  /// Squares of the sizes, of fp64 and in the shape of the values; without data where sizes are not
  /// asked for.
  profiler::Tensor squares = {};
  /// The bounds, in the same way; without data where no element has any.
  profiler::Tensor below = {};
  profiler::Tensor above = {};
  /// `RoundedNumber::terms`, in the same way.
  profiler::Tensor terms = {};

  RoundedNumber number(int64_t element) const;
  /// Sets all but the value.
  void setErrors(int64_t element, const RoundedNumber &number);
};

/// A tensor that holds zeros.
profiler::Tensor zerosOf(const std::vector<int64_t> &shape,
                         profiler::Dtype dtype = profiler::Dtype::Fp64);

/// What parts make of tensors with their sizes: the elements as `multiplied`, `joined` and the
/// others have them. `rules`: null where sizes are not asked for. The error says what does not fit.
Result<SizedTensor> multipliedWithSizes(const ArrayPart &part, const SizedTensor &left,
                                        const SizedTensor &right, const RoundingRules *rules,
                                        const std::stop_token &stop);
Result<SizedTensor> joinedWithSizes(const ArrayPart &part, const std::vector<SizedTensor> &operands,
                                    const RoundingRules *rules, const IndexValue &valueOf);
/// Another order of axes, or brackets.
Result<SizedTensor> movedWithSizes(const ArrayPart &part, const SizedTensor &operand,
                                   const RoundingRules *rules, const IndexValue &valueOf);

} // namespace tilescope::app
