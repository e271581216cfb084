// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/support/Result.h"

namespace tilescope::compiler {

/// What a kernel keeps in shared memory, who reads and writes it, and what that costs. `compiled`
/// holds the text and the source map of its TTGIR. The memory is allocated as the lowering does it,
/// so a kernel that needs more than there is has facts, too.
Result<SharedFacts> findSharedMemory(const CompileResult &compiled);

} // namespace tilescope::compiler
