// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/constant/Value.h"
#include "profiler/package/LaunchPlan.h"

#include <map>
#include <string>

namespace tilescope::app {

/// What the names of a launch stand for in its expressions that are no tensors: sizes, constexprs, scalars.
std::map<std::string, compiler::constant::Value, std::less<>>
planValues(const profiler::LaunchPlan &plan);

} // namespace tilescope::app
