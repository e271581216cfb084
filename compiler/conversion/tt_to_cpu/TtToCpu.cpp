// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/TtToCpu.h"

#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tilescope::cpu {

static tt::FuncOp findKernel(ModuleOp module) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      return function;
  module.emitError("the module has no public function");
  return {};
}

CpuKernel lowerToCpu(ModuleOp ttir, const LoweringOptions &options) {
  MLIRContext *context = ttir.getContext();
  context->loadDialect<func::FuncDialect, vector::VectorDialect, LLVM::LLVMDialect>();
  CpuKernel kernel;
  tt::FuncOp source = findKernel(ttir);
  if (!source || failed(checkSupported(source)))
    return kernel;
  OpBuilder builder(context);
  const Location loc = source.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(module->getBody());
  const SmallVector<Type> types(3, LLVM::LLVMPointerType::get(context));
  auto function =
      func::FuncOp::create(builder, loc, source.getName(), builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  const compiler::AxisInfoMap axes(ttir);
  const Plan plan(source, axes, options.argumentsOverlap);
  KernelLowering lowering(builder, axes, plan, options);
  lowering.lower(source, function.getArguments());
  kernel.symbol = source.getName();
  kernel.scratchBytes = lowering.scratchBytes();
  if (succeeded(verify(*module)))
    kernel.module = std::move(module);
  return kernel;
}

} // namespace tilescope::cpu
