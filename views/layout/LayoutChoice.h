// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "views/common/FocusState.h"

namespace tilescope::views {

/// Which value a diagram shows for a place, and why.
struct LayoutChoice {
  enum class Reason {
    /// The value is made at the place.
    Made,
    /// The place stores it.
    Stored,
    /// The place lies outside of the kernel: its first load, for a start, or else its first value.
    Outside,
    /// The place makes a block in the source, but TTGIR has no operation left for it.
    Removed,
    /// The place makes and stores no block.
    Nothing,
  };
  /// Into the result's layouts; -1 for `Removed` and `Nothing`.
  int index = -1;
  Reason reason = Reason::Nothing;
  bool operator==(const LayoutChoice &) const = default;
};

/// The layout facts that best fit a place: those of the smallest source range that holds the
/// position, or of the given line of TTGIR. -1: none.
int layoutAt(const std::vector<compiler::LayoutFacts> &layouts, const Focus &focus);

/// Whether a value comes from memory.
bool isLoad(const compiler::LayoutFacts &facts);

/// Never a value that has nothing to do with a place inside the kernel.
///
/// Example: in `tl.store(out, x + y)` the sum at `x + y`, the pointers at `out`, and the sum again,
/// as stored, at `tl.store`.
LayoutChoice chooseLayout(const compiler::CompileResult &result, const Focus &focus);

} // namespace tilescope::views
