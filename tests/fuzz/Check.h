// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/support/SourceRange.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// What must hold for any input. A breach ends the process, as fuzzers want it.
namespace tilescope::fuzz {

inline void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Every diagnostic says something, at a place that is in order.
inline void requireSound(const std::vector<compiler::Diagnostic> &diagnostics) {
  for (const compiler::Diagnostic &diagnostic : diagnostics) {
    require(!diagnostic.message.empty(), "a diagnostic has a message");
    require(!(diagnostic.range.end < diagnostic.range.begin),
            "a range does not end before it begins");
  }
}

} // namespace tilescope::fuzz
