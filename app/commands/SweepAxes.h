// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/support/Result.h"
#include "profiler/analysis/Sweep.h"
#include "profiler/package/LaunchBlock.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::app {

/// One axis as text has it:
///
///     BLOCK            128, 256, 512         values, as Python expressions
///     n                1024:65536:*4         1024, 4096, 16384, 65536
///     n                256:1024:256          256, 512, 768, 1024; without a step: 1
///     BLOCK_M, BLOCK_N (64, 32), (128, 64)   two names that change together
Result<profiler::SweepAxis> readAxis(std::string_view names,
                                     const std::vector<std::string> &values);

/// `NAME=LIST`, as `--over` takes it.
Result<profiler::SweepAxis> parseOver(const std::string &text);

/// The axes of a sweep: those of the launch block, each replaced by one of `overs` that has a name in
/// common with it, then the other `overs`; and the configurations of `@triton.autotune`, unless an
/// axis has one of their names.
Result<std::vector<profiler::SweepAxis>>
axesOf(const std::vector<profiler::LaunchSweep> &stated,
       const std::vector<profiler::SweepAxis> &overs,
       const std::vector<compiler::Configuration> &configurations);

} // namespace tilescope::app
