// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/DoubtfulShapes.h"

#include "compiler/support/Text.h"

#include <algorithm>

namespace tilescope::compiler {

/// Whether an argument holds it, or programs count it.
static bool isBorneOut(const SuggestedLaunch &launch, const std::string &size) {
  return std::ranges::any_of(launch.grid,
                             [&](const std::string &extent) { return hasWord(extent, size); }) ||
         std::ranges::any_of(launch.integers,
                             [&](const auto &integer) { return hasWord(integer.second, size); });
}

static bool isDoubtful(const SuggestedLaunch &launch, const std::string &extent) {
  return extent.find("//") != std::string::npos || extent.find("max(") != std::string::npos ||
         std::ranges::any_of(launch.sizes, [&](const SuggestedSize &size) {
           return hasWord(extent, size.name) && !isBorneOut(launch, size.name);
         });
}

void doubtShapes(SuggestedLaunch &launch) {
  for (auto &[name, tensor] : launch.tensors)
    tensor.isGuess |= std::ranges::any_of(
        tensor.shape, [&](const std::string &extent) { return isDoubtful(launch, extent); });
}

void doubtAll(SuggestedLaunch &launch) {
  launch.isGridGuess = true;
  for (auto &[name, tensor] : launch.tensors)
    tensor.isGuess = true;
}

} // namespace tilescope::compiler
