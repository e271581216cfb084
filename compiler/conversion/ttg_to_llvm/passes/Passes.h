// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From laid-out blocks to the LLVM dialect; Passes.td describes each pass.
#pragma once

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <cstdint>
#include <limits>

namespace tilescope::compiler {

#define GEN_PASS_DECL
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

/// All passes, in order. `sharedBytes` is what a kernel may use of shared memory.
void addTtgToLlvmPasses(mlir::OpPassManager &manager, int64_t sharedBytes);

} // namespace tilescope::compiler
