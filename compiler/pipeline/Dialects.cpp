// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Dialects.h"

#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/conversion/tt_to_ttg/Passes.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/trace/ir/Dialect.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/target/DebugScopes.h"
#include "compiler/transforms/tt/Passes.h"
#include "compiler/transforms/ttg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

namespace tilescope::compiler {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::NVVM::NVVMDialect,
                  mlir::scf::SCFDialect, mlir::ub::UBDialect>();
  registry.insert<trace::TraceDialect, tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

void registerPasses() {
  mlir::registerTransformsPasses();
  registerDebugScopesPass();
  tt::registerTTPasses();
  ttg::registerTTGPasses();
  ttg::registerTtToTtgPasses();
  cpu::registerTtToCpuPasses();
  registerTtgToLlvmPasses();
}

} // namespace tilescope::compiler
