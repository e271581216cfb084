// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/ExpectedTerms.h"

namespace tilescope::app {

/// What a tensor should hold after the run.
struct Expectation {
  /// In the tensor's type.
  profiler::Tensor values;
  /// What makes an element pass that is not the same.
  profiler::ExpectedTerms terms = {};
};

} // namespace tilescope::app
