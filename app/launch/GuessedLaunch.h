// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/SuggestedLaunch.h"
#include "profiler/package/LaunchPlan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// Whether the kernel does not tell how many programs a suggestion starts: no tensor goes as far,
/// they cover blocks of a size that the kernel does not know, or the constexpr that counts them is
/// found by a value that others have as well.
bool isGuessedGrid(const compiler::SuggestedLaunch &suggestion,
                   const std::map<std::string, std::string> &constexprs);

/// Accesses outside of a tensor, races, and results that differ may be the fault of a guessed shape
/// or grid: such a finding says so, and an error becomes a warning. `again`: what guesses them anew,
/// where the kernel is no longer the one that they were made for. `inFront`: the places of accesses that
/// lie in front of an argument.
void doubtGuesses(const profiler::LaunchPlan &plan,
                  const std::optional<compiler::DiagnosticFix> &again,
                  std::vector<compiler::Diagnostic> &findings,
                  const std::vector<SourceRange> &inFront = {});

/// The same of a launch block that is as it was suggested: nobody has said that its shapes are right.
void doubtUnedited(std::vector<compiler::Diagnostic> &findings,
                   const std::vector<SourceRange> &inFront = {});

} // namespace tilescope::app
