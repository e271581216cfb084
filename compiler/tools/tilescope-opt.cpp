// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Reads IR of our dialects, runs passes by name, prints the result: for tests and for looking at
// one pass.
#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/conversion/tt_to_ttg/Passes.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/tm/ir/Dialect.h"
#include "compiler/dialects/trace/ir/Dialect.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/tt/ir/TritonVersion.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/pipeline/TtgirPasses.h"
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
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  ub::UBDialect>();
  registry
      .insert<tilescope::tm::TMDialect, tilescope::trace::TraceDialect, tilescope::tt::TTDialect,
              tilescope::ttg::TTGDialect, tilescope::ttng::TTNGDialect>();

  registerTransformsPasses();
  tilescope::tt::registerTTPasses();
  tilescope::compiler::registerTtgToLlvmPasses();
  tilescope::ttg::registerTTGPasses();
  tilescope::ttg::registerTtToTtgPasses();
  tilescope::cpu::registerTtToCpuPasses();

  PassPipelineRegistration<>("tilescope-ttgir", "all passes from tt to optimized ttg, four warps",
                             [](OpPassManager &passes) {
                               tilescope::compiler::buildTtgirPipeline(passes,
                                                                       {4, 1, 32, "cuda:90"}, 3);
                             });

  static llvm::cl::opt<std::string> version(
      "triton-version", llvm::cl::desc("print in the notation of this release of Triton"),
      llvm::cl::init("3.6"));
  registry.addExtension(+[](MLIRContext *context, tilescope::tt::TTDialect *) {
    if (auto known = tilescope::tt::parseTritonVersion(version))
      tilescope::tt::PrintedVersion::set(*context, *known);
  });

  return asMainReturnCode(MlirOptMain(argc, argv, "Tilescope's pass driver\n", registry));
}
