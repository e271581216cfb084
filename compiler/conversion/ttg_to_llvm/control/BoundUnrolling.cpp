// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A thread's program has an instruction for each of its elements of each block. This pass refuses
// kernels whose program would be so long that compiling it would never end:
//
//     arith.addf : tensor<1024x1024xf32>, 4 warps    ->    8192 additions
//
#include "compiler/analysis/DiagnosticMetadata.h"
#include "compiler/conversion/ttg_to_llvm/common/BlockText.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_BOUNDUNROLLING
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

/// Beyond these LLVM needs a minute or more: it compares the values that a loop carries pairwise. A
/// thread has 255 registers. The largest block that there is, of four warps, is within them.
static constexpr int64_t kMaxOperations = 300'000;
static constexpr int64_t kMaxElements = 8192;

/// The operand or result of `op` of which a thread holds the most elements.
static RankedTensorType largestBlock(Operation *op, int64_t &elements) {
  RankedTensorType largest;
  elements = 0;
  const auto consider = [&](Type type) {
    auto block = dyn_cast<RankedTensorType>(type);
    if (!block || !block.getEncoding())
      return;
    const int64_t held = ttg::elementsPerThread(block);
    if (held > elements) {
      elements = held;
      largest = block;
    }
  };
  llvm::for_each(op->getOperandTypes(), consider);
  llvm::for_each(op->getResultTypes(), consider);
  return largest;
}

/// What is computed for each element.
static int64_t workPerElement(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    auto factor = cast<RankedTensorType>(dot.getA().getType());
    auto encoding = dyn_cast<ttg::DotOperandEncodingAttr>(factor.getEncoding());
    const bool byThreads = encoding && isa<ttg::BlockedEncodingAttr>(encoding.getParent());
    return byThreads ? factor.getShape().back() : 1;
  }
  int64_t work = 1;
  for (Region &region : op->getRegions())
    if (isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
      region.walk([&](Operation *) { ++work; });
  return work;
}

namespace {
struct BoundUnrolling : impl::BoundUnrollingBase<BoundUnrolling> {
  void runOnOperation() override {
    int64_t total = 0, most = 0, mostElements = 0, largestElements = 0;
    Operation *longest = nullptr;
    RankedTensorType block;
    getOperation().walk([&](Operation *op) {
      int64_t elements = 0;
      const RankedTensorType largest = largestBlock(op, elements);
      const int64_t work = elements * workPerElement(op);
      total += work;
      largestElements = std::max(largestElements, elements);
      if (work <= most)
        return;
      most = work;
      longest = op;
      block = largest;
      mostElements = elements;
    });
    if (total <= kMaxOperations && largestElements <= kMaxElements)
      return markAllAnalysesPreserved();
    InFlightDiagnostic error = emitError(longest, DiagnosticKind::OutOfResources)
                               << "out of resource: every thread would execute about " << total
                               << " operations, one for each of its elements of each block";
    error.attachNote() << "here it holds " << mostElements << " elements of a block of "
                       << blockText(block);
    error.attachNote() << "smaller blocks or more warps need less";
    signalPassFailure();
  }
};
} // namespace

} // namespace tilescope::compiler
