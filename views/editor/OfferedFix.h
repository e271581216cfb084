// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/support/LineDiff.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilescope::views {

/// A change that would remove a problem, or what costs more than it needs to.
struct OfferedFix {
  compiler::DiagnosticFix edit;
  /// What a trial showed; empty: it was not tried.
  std::string outcome = {};
  bool operator==(const OfferedFix &) const = default;
};

/// What each fix is listed as: its title, and where it is if another one has the same.
std::vector<std::string> fixTitles(const std::vector<OfferedFix> &fixes);

/// The lines that the fix changes, with a line on either side.
UnifiedDiff fixPreview(std::string_view text, const compiler::DiagnosticFix &fix);

/// A line for each fact of an outcome: `registers 61 → 58`, and what became of the results.
std::vector<std::string> outcomeFacts(std::string_view outcome);

} // namespace tilescope::views
