// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix instructions of warp groups read shared memory past the path that stores take:
//
//   %m = local_alloc %x : #nvmma_shared      =>      %m = local_alloc %x : #nvmma_shared
//                                                    ttng.fence_async_shared
//
// One fence serves several buffers that are filled before anything reads them.
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/Passes.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_INSERTPROXYFENCES
#include "compiler/transforms/ttg/Passes.h.inc"

static bool isFilled(Operation &op) {
  auto alloc = dyn_cast<LocalAllocOp>(op);
  return alloc && alloc.getSrc() && isa<NvmmaSharedEncodingAttr>(alloc.getType().getEncoding());
}

/// Whether another buffer is filled behind this one before an operation might read either.
static bool isFollowed(LocalAllocOp alloc) {
  for (Operation *op = alloc->getNextNode(); op; op = op->getNextNode()) {
    if (isFilled(*op))
      return true;
    const bool mayRead = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemDescType>);
    if (op->getNumRegions() > 0 || mayRead)
      return false;
  }
  return false;
}

namespace {
struct InsertProxyFences : impl::InsertProxyFencesBase<InsertProxyFences> {
  void runOnOperation() override {
    bool inserted = false;
    getOperation().walk([&](LocalAllocOp alloc) {
      if (!isFilled(*alloc) || isFollowed(alloc))
        return;
      OpBuilder builder(alloc.getContext());
      builder.setInsertionPointAfter(alloc);
      ttng::FenceAsyncSharedOp::create(builder, alloc.getLoc(), /*bCluster=*/false);
      inserted = true;
    });
    if (!inserted)
      markAllAnalysesPreserved();
  }
};
} // namespace

} // namespace tilescope::ttg
