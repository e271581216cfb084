// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Gives each `ttg.global_scratch_alloc` its place in what a program has of the scratch in global
// memory.
#include "compiler/conversion/ttg_to_llvm/Passes.h"
#include "compiler/conversion/ttg_to_llvm/Scratch.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

namespace {
struct AllocateGlobalScratch : public PassWrapper<AllocateGlobalScratch, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllocateGlobalScratch)

  StringRef getArgument() const final { return "allocate-global-scratch"; }
  StringRef getDescription() const final { return "Place what programs need in global memory"; }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    // Who wrote the places down has the sizes, too.
    if (module->hasAttr(ttg::kGlobalScratchSizeAttr))
      return markAllAnalysesPreserved();
    Builder builder(&getContext());
    int64_t size = 0, largest = 1;
    module.walk([&](ttg::GlobalScratchAllocOp alloc) {
      const int64_t alignment = alloc.getAlignment();
      size = llvm::alignTo(size, alignment);
      alloc->setAttr(kGlobalScratchOffsetAttr, builder.getI32IntegerAttr(size));
      size += alloc.getNbytes();
      largest = std::max(largest, alignment);
    });
    if (size == 0)
      return markAllAnalysesPreserved();
    module->setAttr(ttg::kGlobalScratchSizeAttr,
                    builder.getI32IntegerAttr(llvm::alignTo(size, largest)));
    module->setAttr(ttg::kGlobalScratchAlignmentAttr, builder.getI32IntegerAttr(largest));
  }
};
} // namespace

std::unique_ptr<Pass> createAllocateGlobalScratchPass() {
  return std::make_unique<AllocateGlobalScratch>();
}

} // namespace tilescope::compiler
