// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Moving registers to and from tensor memory. Warp w reaches rows 32 (w % 4) and the 31 below; a
// message moves the same columns, side by side, for each of its lanes:
//
//     32x32b      lane l: row l
//     16x32bx2    lane l: row l % 16; lanes from 16 on some columns farther right
//
// Other layouts are refused.
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/TensorMemory.h"

namespace tilescope::compiler {

mlir::LogicalResult loadFromTensorMemory(ttng::TMEMLoadOp op, Lowering &lowering);
/// Writes the block `source` to `buffer` where `predicate` (null: everywhere) holds.
mlir::LogicalResult storeToTensorMemory(mlir::Operation *op, Lowering &lowering, mlir::Value source,
                                        mlir::Value buffer, mlir::Value predicate);

} // namespace tilescope::compiler
