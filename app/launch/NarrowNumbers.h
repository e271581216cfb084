// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Numbers that a kernel has in a narrow type. In `x * 1.1` of an `x` of fp16, the kernel multiplies by
// 1.099609375, as NumPy does, and the half of all results differ from those of 1.1: that is right, and
// so is what is computed in fp32 with 1.1.
#pragma once

#include "app/launch/Expectation.h"
#include "compiler/artifacts/RoundingFacts.h"
#include "profiler/package/LaunchPlan.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// An expression with those of its numbers rounded that a kernel has rounded, whether they are written there,
/// have names, or are computed of such: `x * 1.099609375` of `x * 1.1`. Empty: it has none of them.
std::string withNarrowNumbers(const std::string &text, const profiler::LaunchPlan &plan,
                              const std::vector<compiler::NarrowNumber> &numbers);

/// What passes where either of two expectations of the same shape does, or what lies between them. Its
/// values are those of the first.
Expectation spanning(Expectation first, const Expectation &second);

} // namespace tilescope::app
