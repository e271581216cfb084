// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From laid-out blocks to the LLVM dialect; Passes.td describes each pass.
#pragma once

#include "compiler/dialects/trace/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace tilescope::compiler {

#define GEN_PASS_DECL
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

struct TtgToLlvmPipeline {
  /// What a kernel may use of shared memory.
  int64_t sharedBytes = std::numeric_limits<int64_t>::max();
  /// Of a kernel that is traced.
  std::optional<InsertTraceMarksOptions> trace = std::nullopt;
};

/// All passes, in order.
void addTtgToLlvmPasses(mlir::OpPassManager &manager, const TtgToLlvmPipeline &pipeline);

} // namespace tilescope::compiler
