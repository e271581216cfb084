// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/analysis/SizeValues.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// The most programs that a suggested grid starts, where sizes can be smaller: several axes that each
/// count something would otherwise start hundreds of thousands.
inline constexpr int64_t kMostPrograms = 4096;

/// Makes sizes that count programs smaller, until the grid starts no more than that. `needs`: what is
/// known of the sizes; those that a loop or a block asks for stay.
void limitPrograms(SuggestedLaunch &launch, const std::map<std::string, std::string> &constexprs,
                   const std::vector<SizeNeeds> &needs);

} // namespace tilescope::compiler
