// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// A product by the matrix instructions of a warp (`mma.sync`).
mlir::LogicalResult lowerMmaDot(tt::DotOp op, Lowering &lowering);

} // namespace tilescope::compiler
