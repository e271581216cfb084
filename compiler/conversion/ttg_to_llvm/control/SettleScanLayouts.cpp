// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Scans and reductions whose layout cannot be walked along the axis get a blocked one, and so do
// elementwise maps of packs whose elements lie in several threads. Operations that pick elements by
// data get them all in every block of a cluster:
//
//     %s = tt.scan %x : #mma    ->    %b = ttg.convert_layout %x : #mma -> #blocked
//                                     %t = tt.scan %b : #blocked
//                                     %s = ttg.convert_layout %t : #blocked -> #mma
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/layout/Encodings.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tilescope::compiler {

#define GEN_PASS_DEF_SETTLESCANLAYOUTS
#include "compiler/conversion/ttg_to_llvm/passes/Passes.h.inc"

/// Every thread holds `pack` neighbors.
static ttg::BlockedEncodingAttr blockedEncoding(Operation *op, RankedTensorType type,
                                                int64_t pack = 1) {
  SmallVector<unsigned> perThread(type.getRank(), 1), order;
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    order.push_back(dim);
    perThread[dim] = static_cast<unsigned>(std::min(pack, type.getDimSize(dim)));
    pack /= perThread[dim];
  }
  BlockedParameters blocked =
      defaultBlocked(type.getShape(), perThread, order, ttg::numWarpsAround(op), 32);
  // Every block of a cluster holds all elements.
  const int numCtas = ttg::numCtas(op->getParentOfType<ModuleOp>());
  const SmallVector<int32_t> nowhere(type.getRank() * llvm::Log2_32(numCtas), 0);
  return ttg::BlockedEncodingAttr::get(
      op->getContext(), blocked.sizePerThread, blocked.threadsPerWarp, blocked.warpsPerBlock,
      blocked.order, ttg::CgaLayoutAttr::get(op->getContext(), type.getRank(), nowhere));
}

/// Whether blocks of a cluster hold different elements.
static bool isDivided(RankedTensorType type) {
  return llvm::any_of(ttg::toLinearLayout(type).columns(Dim::Block),
                      [](uint64_t column) { return column != 0; });
}

/// Gives one operand a layout in which every block of a cluster holds it all.
static void gather(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto type = cast<RankedTensorType>(operand.get().getType());
  OpBuilder builder(op);
  operand.set(ttg::ConvertLayoutOp::create(
      builder, op->getLoc(), type.cloneWithEncoding(blockedEncoding(op, type)), operand.get()));
}

/// Sets the encodings of the sources of `op` and of its results; users see no change.
static void changeEncoding(Operation *op, Attribute encoding, Attribute resultEncoding) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType()).cloneWithEncoding(encoding);
    operand.set(ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, operand.get()));
  }
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    result.setType(type.cloneWithEncoding(resultEncoding));
    auto convert = ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
    result.replaceAllUsesExcept(convert, convert);
  }
}

/// Whether packs of registers hold neighbors: their bits, which come first, and nothing else step
/// inside a pack.
static bool holdsPacks(tt::MapElementwiseOp op) {
  auto type = cast<RankedTensorType>(op.getSrcs().front().getType());
  LinearLayout layout = ttg::toLinearLayout(type).removeZeroBases(Dim::Register).canonicalOuts();
  const unsigned packBits = llvm::Log2_32(op.getPack());
  if (layout.columns(Dim::Register).size() < packBits)
    return false;
  return llvm::all_of(llvm::enumerate(layout.columns()), [&](auto column) {
    auto [bit, image] = column;
    return bit < packBits ? image == uint64_t(1) << bit : image % op.getPack() == 0;
  });
}

namespace {
struct SettleScanLayouts : impl::SettleScanLayoutsBase<SettleScanLayouts> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto scan = dyn_cast<tt::ScanOp>(op); scan && failed(analyseScan(scan))) {
        Attribute encoding = blockedEncoding(op, scan.getInputTypes().front());
        changeEncoding(op, encoding, encoding);
      } else if (auto reduce = dyn_cast<tt::ReduceOp>(op);
                 reduce && failed(analyseReduce(reduce))) {
        auto encoding = blockedEncoding(op, reduce.getInputTypes().front());
        changeEncoding(op, encoding,
                       ttg::SliceEncodingAttr::get(op->getContext(), reduce.getAxis(), encoding));
      } else if (auto map = dyn_cast<tt::MapElementwiseOp>(op); map && !holdsPacks(map)) {
        auto type = cast<RankedTensorType>(map.getSrcs().front().getType());
        Attribute encoding = blockedEncoding(op, type, map.getPack());
        changeEncoding(op, encoding, encoding);
      } else if (auto pick = dyn_cast<tt::GatherOp>(op);
                 pick && isDivided(pick.getSrc().getType())) {
        gather(pick.getSrcMutable());
      } else if (auto histogram = dyn_cast<tt::HistogramOp>(op);
                 histogram && isDivided(histogram.getSrc().getType())) {
        gather(histogram.getSrcMutable());
        if (histogram.getMask())
          gather(*histogram.getMaskMutable().begin());
      }
    });
  }
};
} // namespace

} // namespace tilescope::compiler
