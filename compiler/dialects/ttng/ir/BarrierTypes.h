// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/ttng/ir/Dialect.h"

namespace tilescope::ttng {

/// Thread blocks in the cluster that executes the operation.
int64_t numBlocksAround(mlir::Operation *op);
/// A mutable buffer with one `i64`, or with one for each thread block of the cluster or each group
/// of them.
mlir::LogicalResult verifyBarrier(mlir::Operation *op, ttg::MemDescType type);

} // namespace tilescope::ttng
