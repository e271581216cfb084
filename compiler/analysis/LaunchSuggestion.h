// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

namespace mlir {
class FunctionOpInterface;
}

namespace tilescope::compiler {

/// Reads off a kernel's TTIR how far its addresses go: which integers are strides of which tensor,
/// how many dimensions each tensor has at least, how many programs cover one extent. `parameters`
/// names the arguments, in order; `constexprs` are searched for the sizes of blocks, so that a
/// grid says `cdiv(size, BLOCK)`. A suggestion to start from, not a proof: what is loaded counts
/// as an index below `size`.
SuggestedLaunch suggestLaunch(mlir::FunctionOpInterface kernel,
                              const std::vector<KernelParameter> &parameters,
                              const std::map<std::string, std::string> &constexprs);

} // namespace tilescope::compiler
