// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::cpu {

/// Whether the operation makes a block whose elements can be computed wherever they are needed.
bool isDeferred(mlir::Operation *op);

/// Whether all elements are computed from scalars alone.
bool isUniform(mlir::Value block);

/// Whether the function that elements are combined with can be executed on tiles: it does not branch.
bool takesLanes(mlir::Region &region);

/// Whether there are branches or loops in a function of scalars.
bool branches(mlir::Region &region);

bool isSupportedAtomic(mlir::Operation *op);
bool isSupportedDot(tt::DotOp dot);

/// Emits an error at each operation that has no lowering.
llvm::LogicalResult checkSupported(tt::FuncOp kernel);

} // namespace tilescope::cpu
