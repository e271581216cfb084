// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "profiler/package/LaunchBlock.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

/// A change of block number `index` that guesses anew what is marked `guessed` in it, for the kernel
/// as it is now, with the strides that are products of their extents; what the user states stays, and so do the marks.
/// Nothing: these are still the guesses.
std::optional<compiler::DiagnosticFix> guessAgain(std::string_view text, size_t index,
                                                  const profiler::LaunchBlock &block,
                                                  const compiler::SuggestedLaunch &suggestion);

/// Whether a block has the sizes, the shapes and the grid that would be suggested for the kernel, and expects nothing:
/// nobody has changed it since it was written.
bool isAsSuggested(const profiler::LaunchBlock &block, const compiler::SuggestedLaunch &suggestion);

} // namespace tilescope::app
