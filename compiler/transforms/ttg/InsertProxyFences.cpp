// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrix instructions of warp groups read shared memory past the path that stores take:
//
//   %m = local_alloc %x : #nvmma_shared      =>      %m = local_alloc %x : #nvmma_shared
//                                                    ttng.fence_async_shared
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/transforms/ttg/Passes.h"

using namespace mlir;

namespace tilescope::ttg {

#define GEN_PASS_DEF_INSERTPROXYFENCES
#include "compiler/transforms/ttg/Passes.h.inc"

namespace {
struct InsertProxyFences : impl::InsertProxyFencesBase<InsertProxyFences> {
  void runOnOperation() override {
    bool inserted = false;
    getOperation().walk([&](LocalAllocOp alloc) {
      if (!alloc.getSrc() || !isa<NvmmaSharedEncodingAttr>(alloc.getType().getEncoding()))
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
