// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Fixes are offered once they were tried. What a busy machine leaves no time for is not offered, and that is said:
// nobody is told that there is no fix. Where a fix is a decision, that is said instead.
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

/// Why nothing is offered for stores of several values to one place.
inline constexpr std::string_view kStoresLoaded =
    "no fix is offered, since what is stored holds what was loaded there: between the load and the "
    "store no other program may come, or each needs elements of its own";
inline constexpr std::string_view kElementsMeant =
    "no fix is offered, since only you know which value is meant: give each element of the block a "
    "place of its own, or mask off the others";
/// `language`: as the kernel calls it, `tl`.
inline std::string programsMeant(const std::string &language) {
  return "no fix is offered, since only you know which value is meant: give each program elements "
         "of its own, at indices that depend on `" +
         language + ".program_id`, let one program write, or combine the values with `" + language +
         ".atomic_add` or `" + language + ".atomic_max`";
}

/// Takes that out of a finding that gets a fix nevertheless.
inline void eraseWhyNoFix(Diagnostic &diagnostic) {
  std::erase_if(diagnostic.notes, [](const std::string &note) {
    return note == kStoresLoaded || note == kElementsMeant || note == programsMeant("tl");
  });
}

} // namespace tilescope::compiler
