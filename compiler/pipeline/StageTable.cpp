// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StageTable.h"

#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/pipeline/TtgirPasses.h"
#include "compiler/target/DebugScopes.h"
#include "compiler/transforms/tt/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <array>

namespace tilescope::compiler {

/// Block-level clean-up of what the frontend emitted.
static void populateTtir(mlir::OpPassManager &passes, const KernelOptions &) {
  // Without clean-up of its own: the next pass does it.
  passes.addPass(mlir::createInlinerPass({}, [](mlir::OpPassManager &) {}));
  // Before the clean-up, which then sees the address computations.
  passes.addPass(tt::createRewriteTensorDescriptorToPointer());
  passes.addPass(tt::createRewriteTensorPointer());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(tt::createCombine());
  passes.addPass(tt::createReorderBroadcast());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(mlir::createSymbolDCEPass());
  passes.addPass(tt::createLoopUnroll());
}

static void populateTtgir(mlir::OpPassManager &passes, const KernelOptions &options) {
  passes.addPass(tt::createDecomposeScaledDot());
  ttg::MachineShape machine;
  machine.numWarps = options.numWarps;
  machine.numCtas = options.numCtas;
  machine.target = options.target.name();
  buildTtgirPipeline(passes, machine, options.numStages);
}

/// From TTGIR to the LLVM dialect.
static void populateLlvmIr(mlir::OpPassManager &passes, const KernelOptions &options) {
  addTtgToLlvmPasses(passes, options.target.maxSharedBytes());
  // Last: the passes before it make operations of their own, which need places too.
  passes.addPass(createDebugScopesPass());
}

static constexpr std::array kStages = {
    StageDescription{StageId::Ast, "ast", "AST", "syntax tree of the kernel file", nullptr},
    StageDescription{StageId::Ttir, "ttir", "TTIR", "operations on whole blocks, without layouts",
                     &populateTtir},
    StageDescription{StageId::Ttgir, "ttgir", "TTGIR",
                     "blocks with layouts: which thread holds which element", &populateTtgir},
    StageDescription{StageId::LlvmIr, "llir", "LLVM IR", "one thread's program, optimised",
                     &populateLlvmIr},
    StageDescription{StageId::Ptx, "ptx", "PTX", "NVIDIA's virtual assembly", nullptr},
    StageDescription{StageId::Cubin, "cubin", "cubin", "machine code", nullptr},
    StageDescription{StageId::Sass, "sass", "SASS", "machine code as text", nullptr},
};

std::span<const StageDescription> stageTable() { return kStages; }

const StageDescription &stageDescription(StageId id) { return kStages[static_cast<size_t>(id)]; }

} // namespace tilescope::compiler
