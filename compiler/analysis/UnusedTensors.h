// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// Gives the pointers that a kernel makes no use of the shape of what it loads, as guesses: of a kernel that
/// stores nothing yet, what it is about to store to. Nothing where it loads nothing.
void shapeUnused(mlir::FunctionOpInterface kernel, const std::vector<KernelParameter> &parameters,
                 SuggestedLaunch &launch);

} // namespace tilescope::compiler
