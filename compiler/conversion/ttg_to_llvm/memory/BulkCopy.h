// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tilescope::compiler {

/// Address of a buffer within shared memory, as a number.
mlir::Value sharedAddress(Lowering &lowering, mlir::Value buffer);
/// True in one thread of the group of warps, where `predicate` (of a source value, or null) holds.
mlir::Value firstThreadIf(Lowering &lowering, mlir::Value predicate);
/// Makes what threads wrote to shared memory visible to bulk copies and matrix instructions.
void fenceAsyncProxy(Builder &b, mlir::NVVM::SharedSpace space);

} // namespace tilescope::compiler
