// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// Guesses that pointers which a kernel does not use have the shape of what it loads: they are what a kernel
/// that stores nothing yet is about to store to. Does nothing where it loads nothing.
void shapeUnused(mlir::FunctionOpInterface kernel, const std::vector<KernelParameter> &parameters,
                 SuggestedLaunch &launch);

} // namespace tilescope::compiler
