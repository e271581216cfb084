// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

#include <map>
#include <vector>

namespace tilescope::profiler {

/// What is known of expected values beside what a tensor of the output's type holds of them, element
/// by element in the shape of the output:
///
///     exact 2.4999, size 3, below 0, above 0     a result of i8 was computed within an error of 2.4999
///     exact 2, size 0, below 0, above 1          it was rounded from about 2.5
struct ExpectedTerms {
  /// Before they are rounded to the output's type, of fp64. NaN: nothing can be expected there.
  Tensor exact;
  /// The size of what each is computed from: what passes is a share of it (`termShare`). Of fp32; NaN
  /// where it cannot be told.
  Tensor sizes;
  /// How far below and above the exact value a right one may lie beside that, of fp32.
  Tensor below;
  Tensor above;
  /// What passes of all elements beside that, as a share of their typical size: where nothing is known of
  /// terms.
  double ofTypical = 0;
  /// The distance from 1 to the next number of the coarsest type that terms are rounded to: tolerances of
  /// that share of an element are as they have to be.
  double coarsest = 0;
  /// Further values that pass, by element: indices of numbers that nearly tie.
  std::map<int64_t, std::vector<double>> others = {};

  size_t sizeBytes() const {
    return exact.data.size() + sizes.data.size() + below.data.size() + above.data.size();
  }
};

} // namespace tilescope::profiler
