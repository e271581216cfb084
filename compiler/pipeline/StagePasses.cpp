// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StagePasses.h"

#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/native/Processor.h"
#include "compiler/pipeline/TtgirPasses.h"
#include "compiler/target/DebugScopes.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tilescope::compiler {

/// Whether groups of warps multiply, and bulk copies bring them their factors ahead of time.
static bool hasBulkLoads(const KernelOptions &options) {
  return !options.target.isCpu() && options.target.name() == "cuda:90" &&
         options.numWarps % 4 == 0 && options.numCtas == 1 && options.numStages > 1;
}

/// Block-level clean-up of what the frontend emitted.
static void addTtirPasses(mlir::OpPassManager &passes, const KernelOptions &options) {
  // Without clean-up of its own: the next pass does it.
  passes.addPass(mlir::createInlinerPass({}, [](mlir::OpPassManager &) {}));
  // Before the clean-up, which then sees the address computations.
  tt::RewriteTensorDescriptorToPointerOptions descriptors;
  descriptors.keepsBulkLoads = hasBulkLoads(options);
  passes.addPass(tt::createRewriteTensorDescriptorToPointer(descriptors));
  passes.addPass(tt::createRewriteTensorPointer());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(tt::createCombine());
  passes.addPass(tt::createReorderBroadcast());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(mlir::createSymbolDCEPass());
  passes.addPass(tt::createLoopUnroll());
}

static void addTtgirPasses(mlir::OpPassManager &passes, const KernelOptions &options) {
  passes.addPass(tt::createDecomposeScaledDot());
  ttg::MachineShape machine;
  machine.numWarps = options.numWarps;
  machine.numCtas = options.numCtas;
  machine.target = options.target.name();
  buildTtgirPipeline(passes, machine, options.numStages);
}

/// From TTGIR to the LLVM dialect.
static void addLlvmIrPasses(mlir::OpPassManager &passes, const KernelOptions &options) {
  TtgToLlvmPipeline pipeline;
  pipeline.sharedBytes = options.target.maxSharedBytes();
  if (const auto &trace = options.trace) {
    InsertTraceMarksOptions &marks = pipeline.trace.emplace();
    marks.kinds.assign(trace->kinds.begin(), trace->kinds.end());
    marks.programs.assign(trace->programs.begin(), trace->programs.end());
    marks.warps.assign(trace->warps.begin(), trace->warps.end());
    marks.records = trace->records;
  }
  addTtgToLlvmPasses(passes, pipeline);
  // Last: the passes before it make their own operations, which need places too.
  passes.addPass(createDebugScopesPass());
}

static void addCpuIrPasses(mlir::OpPassManager &passes, const KernelOptions &options) {
  const native::Processor processor = native::processorOf(options.target.cpu);
  cpu::addCpuIrPasses(passes, {.vectorBytes = processor.vectorBytes,
                               .pairsIntegers = processor.pairsIntegers,
                               .pairsBf16 = processor.pairsBf16,
                               .tilesIntegers = processor.tilesIntegers,
                               .tilesBf16 = processor.tilesBf16,
                               .hasAvx512 = processor.hasAvx512});
}

/// From CPU IR to the LLVM dialect.
static void addCpuToLlvmPasses(mlir::OpPassManager &passes) {
  cpu::addCpuToLlvmPasses(passes);
  passes.addPass(createDebugScopesPass());
}

void addStagePasses(StageId stage, mlir::OpPassManager &passes, const KernelOptions &options) {
  switch (stage) {
  case StageId::Ttir:
    return addTtirPasses(passes, options);
  case StageId::Ttgir:
    return addTtgirPasses(passes, options);
  case StageId::CpuIr:
    return addCpuIrPasses(passes, options);
  case StageId::LlvmIr:
    return options.target.isCpu() ? addCpuToLlvmPasses(passes) : addLlvmIrPasses(passes, options);
  default:
    break;
  }
}

} // namespace tilescope::compiler
