// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LoopFacts.h"

#include <memory>
#include <vector>

namespace tilescope::views {

/// The loops of a kernel, in the order of the text.
using LoopsPointer = std::shared_ptr<const std::vector<compiler::LoopFacts>>;

} // namespace tilescope::views
