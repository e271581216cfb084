// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Masks whose bounds are those of other axes, beside addresses that are right:
//
//     mask = (r[:, None] < W) & (c[None, :] < H)            of x_ptr of [H, W]
//     x = tl.load(x_ptr + r[:, None] * W + c[None, :], mask=mask)
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

#include <string_view>

namespace tilescope::app {

/// Adds to the mismatch of an output that indices may be compared with the extents of other axes, with a fix: it is so only
/// where that helps. `text`: the kernel's file.
void explainExchangedBounds(const KernelText &kernel, std::string_view text,
                            const profiler::LaunchPlan &plan, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
