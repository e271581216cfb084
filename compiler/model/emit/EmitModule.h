// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ModelResult.h"
#include "compiler/dialects/tm/ir/Dialect.h"

namespace tilescope::model {

/// The kernels of a model as one Python file: a `@triton.jit` function for each form, and a launch
/// block with the shapes, the node's name and what is expected for each operation. Operations that have
/// no template yet, or symbolic shapes, are among the diagnostics.
std::string emitModule(mlir::func::FuncOp function, const std::string &fileName,
                       compiler::ModelResult &result);

} // namespace tilescope::model
