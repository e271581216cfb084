// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

namespace tilescope::compiler {

/// The function that `source` becomes, still without a body. Kernels end in two pointers to scratch
/// in global memory; device functions in a pointer to their part of shared memory and the same two.
mlir::LLVM::LLVMFuncOp declareFunction(tt::FuncOp source, ModuleLowering &module);

/// Fills the body of `target`.
mlir::LogicalResult lowerFunction(tt::FuncOp source, mlir::LLVM::LLVMFuncOp target,
                                  ModuleLowering &module, const LoweringTable &table);

} // namespace tilescope::compiler
