// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The number of a program that is not multiplied by the size of its block:
//
//     i = tl.program_id(0) + tl.arange(0, BLOCK)     program 0 has elements 0 … 255, program 1 has 1 … 256
//
// A mask would hide what that does.
#pragma once

#include "app/commands/RunLaunch.h"

namespace tilescope::app {

/// What is offered to multiply it.
struct ForgottenFactor {
  /// The factor alone; where the grid has a program for each element, the factor and a smaller grid; of an access
  /// outside, both with its mask.
  std::vector<compiler::DiagnosticFix> fixes;
  /// Where the finding of its own is, if there is one.
  std::optional<SourceRange> ownRange = std::nullopt;
  /// What findings say of it.
  std::string note = {};
};

/// Adds the factor as the first fix to the findings of a run that it may be behind. Where elements were left out, or are
/// added to twice, and nothing else says so, there is a finding of its own. Nothing: the kernel has no such sum,
/// or what comes of it is as expected.
std::optional<ForgottenFactor> offerFactor(const LaunchRequest &request, LaunchRun &run);

/// Where the factor has proven itself, nothing else is offered or advised; a finding of its own goes where it has not, and
/// what is said of it where something else mends an output.
void settleFactor(const ForgottenFactor &factor, LaunchRun &run);

} // namespace tilescope::app
