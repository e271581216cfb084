// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"

namespace tilescope::compiler {

/// Accesses of the same instruction at the same place of the source, summed up: a pipelined loop
/// copies before it and within it.
std::vector<AccessFacts> mergeAccesses(const std::vector<AccessFacts> &accesses);

} // namespace tilescope::compiler
