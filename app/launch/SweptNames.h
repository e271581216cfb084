// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/SourceKernels.h"
#include "profiler/package/LaunchBlock.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// What a name that a sweep changes is.
enum class SweptKind { Size, Constexpr, Option, Unknown };

/// `kernel` may be null: of an IR file, whose constexprs are settled.
SweptKind sweptKind(const std::string &name, const profiler::LaunchBlock &block,
                    const SourceKernel *kernel);

/// The names of an axis of `[sweep]`: `BLOCK_M, BLOCK_N` are two that change together.
std::vector<std::string> sweptNames(std::string_view key);

/// The names in the block's `[sweep]` that are nothing of the launch, as problems at their places.
std::vector<profiler::LaunchProblem> sweepProblems(const profiler::LaunchBlock &block,
                                                   const SourceKernel *kernel);

} // namespace tilescope::app
