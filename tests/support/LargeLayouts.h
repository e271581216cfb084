// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/layout/LinearLayout.h"

#include <vector>

namespace tilescope::tests {

/// The facts of a value with a layout.
compiler::LayoutFacts factsOf(const std::string &value, const compiler::LinearLayout &layout,
                              const std::vector<int64_t> &shape, int32_t elementBits,
                              bool isShared = false);

/// A large block in every kind of layout, of a rank from 1 to 4: up to 16 million elements, and up
/// to 134 million places that hold them.
std::vector<compiler::LayoutFacts> largeLayouts();

} // namespace tilescope::tests
