// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LoopFacts.h"
#include "views/common/FocusState.h"

namespace tilescope::views {

/// A loop, and an operation in it; -1: none.
struct LoopChoice {
  int loop = -1;
  int operation = -1;
  bool operator==(const LoopChoice &) const = default;
};

/// What a place means: the loop of the smallest expression that holds it, with the operation that the
/// expression is about; else the innermost loop that holds its line. Among several it is the loop
/// `current`.
LoopChoice chooseLoop(const std::vector<compiler::LoopFacts> &loops, const Focus &focus,
                      int current);

/// The loop that is worth looking at first: the first pipelined one, else the first; -1: there is
/// none.
int tellingLoop(const std::vector<compiler::LoopFacts> &loops);

} // namespace tilescope::views
