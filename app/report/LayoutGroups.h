// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// Values whose pictures are equal.
struct LayoutGroup {
  /// Never empty. What a reader looks for comes first: a value that comes from memory, then one
  /// that is computed, then pointers and constants.
  std::vector<const compiler::LayoutFacts *> values;

  const compiler::LayoutFacts *facts() const { return values.front(); }
};

/// One group for each picture; those of loaded and computed values come first.
std::vector<LayoutGroup> layoutGroups(const std::vector<compiler::LayoutFacts> &layouts);

/// `f32[64, 32], i1[64, 32]`: the types of the values, each once.
std::string groupTitle(const LayoutGroup &group);

/// `Values: %x (tt.load), %y (arith.addf).`, as far as a caption goes.
std::string groupValues(const LayoutGroup &group);

} // namespace tilescope::app
