// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Descriptors, and block pointers, whose axes are exchanged:
//
//     b_ptr = { shape = ["N", "K"] }
//     tl.make_tensor_descriptor(b_ptr, shape=[K, N], …)      ends after K of N rows
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/package/LaunchPlan.h"

namespace tilescope::app {

/// Says so of an output that differs from what is expected, with fixes that the caller tries.
void explainDescriptorShapes(const KernelText &kernel, const profiler::LaunchPlan &plan,
                             compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
