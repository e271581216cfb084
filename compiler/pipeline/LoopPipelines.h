// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/support/Result.h"

#include <map>
#include <string>

namespace tilescope::compiler {

/// What warps do in the loops of a kernel, in the order of the text; loops of groups of warps that
/// work together are one. `compiled` holds the text and the source map of its TTGIR. `numbers` are the
/// integers that a launch passes, by parameter; null: there is no launch.
Result<std::vector<LoopFacts>> findLoops(const CompileResult &compiled,
                                         const std::map<std::string, int64_t> *numbers = nullptr);

} // namespace tilescope::compiler
