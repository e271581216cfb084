// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A block that is shorter than the rows which it should hold:
//
//     m = tl.arange(0, BLOCK) < width * channels    BLOCK = 1024, rows of 112 * 80
//     cols = tl.arange(0, BLOCK)                    BLOCK = 128, rows of 208
//     tl.store(out_ptr + row * stride + cols, …)    out_ptr[:, 128:208] is left out
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string_view>

namespace tilescope::app {

/// Says so of an output that differs, with a larger block as a fix that the caller tries. `text`: the file with the launch
/// block.
void explainBlockEnd(const KernelText &kernel, std::string_view text,
                     const profiler::LaunchPlan &plan, const profiler::OutputResult &output,
                     compiler::Diagnostic &diagnostic);

/// The same of an output of which nothing is expected; nothing: its block is not too short.
std::optional<compiler::Diagnostic> shortBlock(std::string_view text,
                                               const profiler::LaunchPlan &plan,
                                               const profiler::OutputResult &output);

} // namespace tilescope::app
