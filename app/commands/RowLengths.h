// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Numbers in the place of the length of an array's rows:
//
//     s_ptr + row * n_cols + g           s_ptr has rows of cdiv(n_cols, GROUP) elements
//     b_ptrs += BK * K                   b_ptr has rows of N elements
//     oh = o // OH; ow = o % OH          a row of the output has OW elements, and there are OH of them
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

#include <string>
#include <string_view>

namespace tilescope::app {

/// Adds to the mismatch of an output which numbers may be none of a row's length, each with a fix: it is so only where that
/// helps.
void explainRowLengths(const KernelText &kernel, std::string_view text,
                       const profiler::LaunchPlan &plan, const std::string &output,
                       compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
