// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// Reads a launch off a kernel's TTIR: which integers are sizes, because indices end there, and
/// which are strides; how many dimensions each tensor has and how far they go; how many programs
/// cover them. Sizes do not divide evenly into blocks unless the kernel takes it that they do.
/// `parameters` names the arguments, in order; `constexprs` are searched for the sizes of blocks,
/// so that a grid says `cdiv(n, BLOCK)`. A suggestion to start from, not a proof.
SuggestedLaunch suggestLaunch(mlir::FunctionOpInterface kernel,
                              const std::vector<KernelParameter> &parameters,
                              const std::map<std::string, std::string> &constexprs);

} // namespace tilescope::compiler
