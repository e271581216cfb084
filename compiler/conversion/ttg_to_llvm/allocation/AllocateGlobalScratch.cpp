// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Assigns each `ttg.global_scratch_alloc` a place in what a program has of the scratch in global
// memory.
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_ALLOCATEGLOBALSCRATCH
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

namespace {
struct AllocateGlobalScratch : impl::AllocateGlobalScratchBase<AllocateGlobalScratch> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // A module that states the places states the sizes, too.
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

} // namespace tilescope::compiler
