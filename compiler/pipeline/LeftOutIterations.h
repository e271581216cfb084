// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LoopFacts.h"

namespace tilescope::compiler {

/// Leaves out what happens from iteration `first` to before `last`, and closes the gap in time.
void dropIterations(int32_t first, int32_t last, LoopFacts &facts);

} // namespace tilescope::compiler
