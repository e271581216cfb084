// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/SharedAccess.h"

namespace tilescope::compiler {

/// Where the elements of a buffer (or view) are.
SharedRegion regionOf(Lowering &lowering, mlir::Value buffer);
/// Fails where a block of a cluster would need to reach more than its own part of the buffer.
mlir::LogicalResult verifyParts(mlir::Operation *op, mlir::RankedTensorType registers,
                                ttg::MemDescType buffer);
/// The same where elements are picked by data: each block must have the whole buffer.
mlir::LogicalResult verifyWhole(mlir::Operation *op, ttg::MemDescType buffer);

} // namespace tilescope::compiler
