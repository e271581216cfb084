// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops whose turns programs share out, each beginning at its own number:
//
//     for t in range(pid, num_tiles, tl.num_programs(0)):
//     for i in range(pid * BLOCK, n, tl.num_programs(0) * BLOCK):
//
// With another step, turns are left out or done more than once; a grid that fits such a step would hide that.
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <vector>

namespace tilescope::app {

struct SharedTurns {
  /// `range(…)` with three arguments.
  const compiler::ast::Call *range = nullptr;
  /// By how much the source has it go on, and by how much all programs together do.
  std::string step, whole;
};

/// The loops whose step has nothing of how many programs there are.
std::vector<SharedTurns> sharedTurns(const KernelText &kernel);

/// Adds the step to the mismatch of an output, with a fix: it is so only where that helps.
void explainSharedTurns(const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
