// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/Operation.h"

namespace tilescope::tt::detail {

/// Reports a block type that `op` must not have: one without a static shape, with too many
/// elements, with a number of elements that is not a power of two, or with a layout that does not
/// fit it. Succeeds for every other type.
llvm::LogicalResult verifyBlock(mlir::Operation *op, mlir::Type type);

} // namespace tilescope::tt::detail
