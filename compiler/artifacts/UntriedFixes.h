// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Fixes are offered once they were tried. What a busy machine leaves no time for is not offered, and that is said:
// nobody is told that there is no fix.
#pragma once

#include "compiler/artifacts/RunDiagnostics.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tilescope::compiler {

inline constexpr std::string_view kUntriedInRun =
    "not all of its fixes could be tried in time, and those are not offered: run again when the "
    "machine is less busy, or when other findings are mended";
inline constexpr std::string_view kUntriedInCompile =
    "not all of its fixes could be tried in time, and those are not offered: they are tried again "
    "when the kernel is compiled again";

/// Says of a diagnostic that fixes of it are missing, since there was no time to try them.
inline void noteUntriedFixes(Diagnostic &diagnostic) {
  diagnostic.notes.emplace_back(isOfRun(diagnostic) ? kUntriedInRun : kUntriedInCompile);
}

inline bool hasUntriedFixes(const Diagnostic &diagnostic) {
  return std::ranges::any_of(diagnostic.notes, [](const std::string &note) {
    return note == kUntriedInRun || note == kUntriedInCompile;
  });
}

} // namespace tilescope::compiler
