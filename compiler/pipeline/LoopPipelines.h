// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/support/Result.h"

namespace tilescope::compiler {

/// What warps do in the loops of a kernel, in the order of the text; loops of groups of warps that
/// work together are one. `compiled` holds the text and the source map of its TTGIR.
Result<std::vector<LoopFacts>> findLoops(const CompileResult &compiled);

} // namespace tilescope::compiler
