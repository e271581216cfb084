// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Tensor.h"

namespace tilescope::app {

/// What a tensor should hold after the run.
struct Expectation {
  profiler::Tensor values;
  /// Of each element the size of what it is computed from (RoundedNumber.h), of fp32; NaN where it
  /// cannot be told. Without data: nothing is known of any element, or all must be equal.
  profiler::Tensor termSizes = {};

  /// Null: nothing is known.
  const profiler::Tensor *knownSizes() const {
    return termSizes.data.empty() ? nullptr : &termSizes;
  }
};

} // namespace tilescope::app
