// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Assigns every buffer and every operation's scratch a place in shared memory, and says what takes
// most of it where it is not enough.
#include "compiler/analysis/DiagnosticMetadata.h"
#include "compiler/conversion/ttg_to_llvm/allocation/SharedPlaces.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

/// The error names what is alive at the place that needs most, largest first.
static void reportTooLarge(SharedPlaces &needed, int64_t limit) {
  const MemoryRequest &peak =
      llvm::max_element(needed.places, [](const SharedPlace &x, const SharedPlace &y) {
        return x.end() < y.end();
      })->request;
  SmallVector<SharedPlace> alive;
  llvm::copy_if(needed.places, std::back_inserter(alive),
                [&](const SharedPlace &one) { return one.request.meets(peak); });
  llvm::stable_sort(alive, [](const SharedPlace &x, const SharedPlace &y) {
    return x.request.size > y.request.size;
  });
  auto target =
      needed.function->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(ttg::kTargetAttr);
  InFlightDiagnostic error = emitError(alive.front().op, DiagnosticKind::OutOfResources)
                             << "out of resource: the kernel needs " << needed.total
                             << " bytes of shared memory, `" << (target ? target.getValue() : "")
                             << "` has " << limit;
  constexpr size_t kNamed = 4;
  for (const SharedPlace &one : ArrayRef(alive).take_front(kNamed))
    error.attachNote(one.op->getLoc())
        << describeShared(one.op) << ": " << one.request.size << " bytes";
  error.attachNote() << "smaller blocks or a smaller `num_stages` need less";
}

namespace {
struct AllocateSharedMemory : impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  using AllocateSharedMemoryBase::AllocateSharedMemoryBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    int64_t total = 0;
    const auto aliasesOf = [this](tt::FuncOp function) -> const BufferAliases & {
      return getChildAnalysis<BufferAliases>(function);
    };
    for (SharedPlaces &function : placeSharedMemory(module, limit, aliasesOf)) {
      if (function.total > limit) {
        reportTooLarge(function, limit);
        return signalPassFailure();
      }
      if (function.function.isPublic())
        total = std::max(total, function.total);
    }
    module->setAttr(ttg::kSharedAttr, Builder(&getContext()).getI32IntegerAttr(total));
    markAnalysesPreserved<BufferAliases>();
  }
};
} // namespace

} // namespace tilescope::compiler
