// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Slips of first kernels that compile, and give other numbers:
//
//     for k in range(0, K, B):                  for k in range(K):         B times as many turns
//         acc = tl.dot(a, b)                        rk = k + tl.arange(0, B)
//         acc += tl.dot(a, b)                   for k in range(0, K, B):
//
//     acc += a * b                              tl.load(x_ptr + row + cols)
//     acc += tl.dot(a, b)                       tl.load(x_ptr + row * n_cols + cols)
//
//     for t in range(pid, num_tiles, BLOCK):    tl.load(x_ptr + row + cols * n_cols)
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <string_view>

namespace tilescope::app {

/// Says so of an output that differs from what is expected, with fixes that the caller tries. `text`: the kernel's file.
void explainLoopSlips(const KernelText &kernel, std::string_view text,
                      const profiler::LaunchPlan &plan, const profiler::OutputResult &output,
                      compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
