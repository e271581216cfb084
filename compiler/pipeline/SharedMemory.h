// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/support/Result.h"

#include <map>
#include <string>

namespace tilescope::compiler {

/// What a kernel keeps in shared memory, who reads and writes it, and what that costs. `compiled`
/// holds the text and the source map of its TTGIR. The memory is allocated as the lowering does it,
/// so a kernel that needs more than there is has facts, too. `numbers`: what a launch passes for
/// integers, which decides how many iterations a ring's loop has; null: that is open.
Result<SharedFacts> findSharedMemory(const CompileResult &compiled,
                                     const std::map<std::string, int64_t> *numbers = nullptr);

} // namespace tilescope::compiler
