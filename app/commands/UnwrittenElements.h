// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Elements of an output that nothing has written, where it is looked at as a whole. What they hold is a
// number like any other in integers, and may be what is expected.
#pragma once

#include "profiler/data/Measurement.h"
#include "profiler/data/Unwritten.h"

#include <functional>

namespace tilescope::app {

/// Counts them in `output`, whose contents are `tensor`.
void countUnwritten(const profiler::Tensor &tensor, const profiler::Unwritten &unwritten,
                    profiler::OutputResult &output);

/// What a comparison is made of, and those of which one side alone has not been written: such an element
/// differs, whatever it holds.
struct ComparedSides {
  const profiler::Tensor &actual;
  const profiler::Tensor &expected;
  profiler::Unwritten unwritten = {};
  profiler::Unwritten unwrittenExpected = {};
};

/// `compare` is handed an actual side in which such elements hold something else; the values that it tells
/// are then those that the output holds.
profiler::OutputComparison compareSides(
    const ComparedSides &sides,
    const std::function<profiler::OutputComparison(const profiler::Tensor &actual)> &compare);

} // namespace tilescope::app
