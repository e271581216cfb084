// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/EvaluateLaunch.h"

#include <memory>
#include <optional>

namespace tilescope::compiler::constant {
class Value;
} // namespace tilescope::compiler::constant

namespace tilescope::app {

/// Evaluates launch expressions with the kernel language's own constant expressions. All that one
/// evaluator is asked takes from one budget, so that a block answers within a second whatever it
/// holds.
profiler::Evaluator makeLaunchEvaluator();

/// The value as launch expressions have it; nothing for an integer that does not fit 64 bits.
std::optional<profiler::LaunchValue> toLaunchValue(const compiler::constant::Value &value);

} // namespace tilescope::app
